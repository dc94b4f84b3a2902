package fencing

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Runner runs one world after another in the goroutine that calls it, and uses
// again what a run leaves behind. It is for those who run thousands of worlds,
// as the packages search and sample do; [Runners] makes it.
type Runner struct {
	world *World
	gate  *gate // the world's, for the watchdog to look at meanwhile

	room *untimed // that a run without time has left
}

var errEndedGoroutine = errors.New("the program ended its goroutine (runtime.Goexit; t.FailNow and require do that too): let it return instead")

// Runners calls work in n goroutines, each with a [Runner] of its own, and
// returns when all have returned. One watchdog looks at all of them: if a
// client's function does not come back to the simulator, the context that work
// was given is cancelled, and Runners returns the error that [World.Run] would
// report, without waiting for the goroutine that is lost. It also returns an
// error if work itself panics or ends its goroutine, as a program that adds the
// clients may.
//
//	err := fencing.Runners(ctx, runtime.GOMAXPROCS(0), func(ctx context.Context, r *fencing.Runner) {
//		for ctx.Err() == nil {
//			trace := r.Run(config, program)
//			...
//		}
//	})
func Runners(ctx context.Context, n int, work func(context.Context, *Runner)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	returned := make(chan error)
	runners := make([]*Runner, n)
	for i := range runners {
		w := emptyWorld()
		w.again = true
		r := &Runner{world: w, gate: w.gate}
		runners[i] = r
		go func() {
			err := errEndedGoroutine
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("the program panicked: %v (%s)", v, panicPlace(string(debug.Stack())))
				}
				if err != nil {
					cancel()
				}
				r.world.endIdle()
				returned <- err
			}()
			work(ctx, r)
			err = nil
		}()
	}
	ticker := time.NewTicker(allowed / looks)
	defer ticker.Stop()
	var err error
	for running := n; running > 0; {
		select {
		case failed := <-returned:
			if err == nil {
				err = failed
			}
			running--
		case <-ticker.C:
			for _, r := range runners {
				if tooLong := r.gate.look(); tooLong > 0 {
					r.world.giveUp(tooLong)
					err = errors.Join(err, r.world.trace.err)
					running--
					cancel()
				}
			}
		}
	}
	return err
}

// Run makes a world, lets the program add its clients, and runs it as
// [World.Run] does. The trace is good until the Runner's next run. A client's
// function that never comes back keeps Run from returning: see [Runners].
//
// There is one difference that a client's function can see: when its client
// crashes or is stuck at the end, it is ended by a panic and not by
// runtime.Goexit, so that a recover in a function that it deferred returns a
// value.
func (r *Runner) Run(config Config, program func(*World)) *Trace {
	w := r.world
	w.begin(config)
	program(w)
	if w.mayRun() {
		w.loop()
		w.joinEvents()
	}
	return w.trace
}

// Kinds returns the kinds of the last run's events, as a set of bits. A run
// without a trace ([Config.Untraced]) has them too.
func (r *Runner) Kinds() uint64 { return r.world.kinds }

// Suspects reports whether the last run may have accepted a stale write, or have
// lost an update. If not, it has not: so a search looks at the traces of few runs.
func (r *Runner) Suspects() (stale, lost bool) { return r.world.stale, r.world.lost }
