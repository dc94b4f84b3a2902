package fencing

import (
	"fmt"
	"sync/atomic"
	"time"
)

// allowed is how long, in real time, a client's function may run without
// coming back to the simulator. It is the only real time in this package.
const allowed = 2 * time.Second

// looks is how often the watchdog looks at a gate in that time.
const looks = 8

// gate says who runs: the simulator or a client's function. Only who runs may
// touch the world. Every time a client's function is let go on, the gate gets a
// new number; if one number stays for longer than allowed, the watchdog
// takes the world away from it.
type gate struct {
	word atomic.Uint64
	turn uint64

	// The watchdog's own.
	seen uint64
	same int
}

const (
	inWorld uint64 = iota
	inFunction
	lost
	gateStates
)

// open lets a client's function, or a storage's, run.
func (g *gate) open() {
	g.turn++
	g.word.Store(g.turn*gateStates + inFunction)
}

// close takes over again. If the watchdog has given the run up meanwhile, close
// does not return: the goroutine that calls it is lost.
func (g *gate) close() {
	if g.word.CompareAndSwap(g.turn*gateStates+inFunction, g.turn*gateStates+inWorld) {
		return
	}
	if g.word.Load()%gateStates == lost {
		select {}
	}
	panic("fencing: a client's method was called while its function was not running: call it only from the function that world.Client was given, and from no other goroutine")
}

// settle is close for a function that is over: it may have ended while the
// simulator ran for it.
func (g *gate) settle() {
	if g.word.Load()%gateStates != inWorld {
		g.close()
	}
}

// look is the watchdog's. It reports whether one function has run for as long as
// is allowed, and takes the world away from it if so.
func (g *gate) look() bool {
	word := g.word.Load()
	if word != g.seen || word%gateStates != inFunction {
		g.seen, g.same = word, 0
		return false
	}
	g.same++
	return g.same >= looks && g.word.CompareAndSwap(word, word-inFunction+lost)
}

// watch runs the loop in a goroutine of its own and waits for its end, or until
// some function has kept the world waiting for too long.
func (w *World) watch(loop func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		loop()
	}()
	ticker := time.NewTicker(allowed / looks)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			if w.gate.look() {
				w.giveUp()
				return
			}
		}
	}
}

func (w *World) giveUp() {
	actor := ActorStorage
	if w.current != nil {
		actor = w.current.client.name
	}
	w.fail(actor, fmt.Errorf("%s did not come back to the simulator for %s of real time: its function loops for ever or waits for something outside (a channel, a mutex, time.Sleep); use c.Sleep or c.Work to let time pass. Its goroutine cannot be stopped and is lost", actor, allowed))
}
