package fencing

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// allowed is how long, in real time, a client's function may run without
// coming back to the simulator. It is the only real time in this package.
const allowed = 2 * time.Second

// allowedInAll is the same for all functions of a run together.
const allowedInAll = 10 * time.Second

// looks is how often the watchdog looks at a gate in the time that is allowed.
const looks = 8

// crawls is the number of turns between two looks below which a run crawls: its
// functions take more than a millisecond for each, a thousand times what the
// simulator takes. Only then is the time between the looks counted as theirs.
const crawls = 250

// gate says who runs: the simulator or a client's function. Only who runs may
// touch the world. Every time a client's function is let go on, the gate gets a
// new number; if one number stays for longer than allowed, the watchdog
// takes the world away from it.
type gate struct {
	// The turn's number, the place of the stack that was let go on, and one of the
	// states.
	word     atomic.Uint64
	turn     uint64
	runs     atomic.Uint64            // how many runs have begun
	intruder atomic.Pointer[intruder] // who has called a method and may not

	// The watchdog's own.
	seen    uint64
	seenRun uint64
	same    int // looks that have seen one function at the same turn
	outside int // looks in this run that have seen it crawl
}

const (
	idle uint64 = iota // the world does not run
	inWorld
	inFunction
	lost

	states    = 3
	turnShift = placeBits + 2
)

func (g *gate) begin() {
	g.runs.Add(1)
	g.word.Store(inWorld)
}

// open lets a client's function, or a storage's, run.
func (g *gate) open() {
	g.turn++
	g.word.Store(g.turn<<turnShift | place()<<2 | inFunction)
}

// close takes over again for a method that the function has called. It reports
// whether the function itself has done so, and not another goroutine.
func (g *gate) close() bool {
	word := g.word.Load()
	if word&states < inFunction || !isNear(place(), word>>2) && !isCoroutine() {
		return false
	}
	g.takeFrom(word)
	return true
}

// take takes over. If the watchdog has given the run up meanwhile, it does not
// return: the goroutine that calls it is lost.
func (g *gate) take() { g.takeFrom(g.word.Load()) }

func (g *gate) takeFrom(word uint64) {
	if word&states == lost || !g.word.CompareAndSwap(word, word&^states|inWorld) {
		select {}
	}
}

// settle is take for a function that is over: it may have ended while the
// simulator ran for it.
func (g *gate) settle() {
	if g.word.Load()&states != inWorld {
		g.take()
	}
}

// look is the watchdog's. If one function has run for as long as is allowed, or
// all together have, it takes the world away from the one that runs and returns
// that time.
func (g *gate) look() (tooLong time.Duration) {
	word, run := g.word.Load(), g.runs.Load()
	turns := word>>turnShift - g.seen>>turnShift
	if run != g.seenRun {
		g.seenRun, g.outside = run, 0
	}
	switch {
	case word&states != inFunction || turns > crawls:
		g.same = 0
	case turns > 0:
		g.same = 0
		g.outside++
	default:
		g.same++
		g.outside++
	}
	g.seen = word
	switch {
	case g.same >= looks:
		tooLong = allowed
	case g.outside >= int(looks*allowedInAll/allowed):
		tooLong = allowedInAll
	default:
		return 0
	}
	if !g.word.CompareAndSwap(word, word&^states|lost) {
		return 0 // it has just come back
	}
	return tooLong
}

// watch runs the loop in a goroutine of its own and waits for its end, or until
// some function has kept the world waiting for too long.
//
// On real systems real time may pass: there is no watchdog.
func (w *World) watch(loop func()) {
	if w.backend != nil {
		loop()
		return
	}
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
			if tooLong := w.gate.look(); tooLong > 0 {
				w.giveUp(tooLong)
				return
			}
		}
	}
}

func (w *World) giveUp(tooLong time.Duration) {
	w.reportIntruder() // for which the function may be waiting
	actor := ActorStorage
	if w.current != nil {
		actor = w.current.client.name
	}
	what := fmt.Sprintf("%s did not come back to the simulator for %s of real time: its function loops for ever", actor, allowed)
	if tooLong == allowedInAll {
		what = fmt.Sprintf("the functions of this run were outside the simulator for %s of real time in all, that of %s last: it computes for long", allowedInAll, actor)
	}
	w.fail(actor, errors.New(what+" or waits for something outside (a channel, a mutex, time.Sleep); use c.Sleep or c.Work to let time pass. Its goroutine cannot be stopped and is lost"))
}
