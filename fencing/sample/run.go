package sample

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"fencingtokens/fencing"
)

// together is how many runs a core takes at a time.
const together = 32

// Run runs the study on all cores. The result does not depend on their number.
//
// Cancelling the context ends it early: the result then holds the first n runs,
// whole, and is the same as that of a study of n runs; the error wraps the
// context's. If a run has an error of its own ([fencing.Trace.Err]), the result
// holds the runs before it, and the error names the run.
func Run(ctx context.Context, s Study) (Result, error) {
	if err := s.check(); err != nil {
		return Result{}, err
	}
	s = s.withDefaults()
	r := Result{Name: s.Name, Parameters: s.parameters(), Asked: s.Runs}
	err := s.each(ctx, r.add)
	r.Overlap.sort()
	r.TakeOver.sort()
	if err == nil && r.Runs < s.Runs {
		err = fmt.Errorf("sampling was stopped after %d of %d runs: %w", r.Runs, s.Runs, context.Cause(ctx))
	}
	return r, err
}

// batch is the outcome of some neighbouring runs, of all of them unless
// something ended it.
type batch struct {
	index    int
	outcomes []outcome
	err      error
}

// each hands the outcomes of all runs to add, in the order of the runs.
func (s *Study) each(ctx context.Context, add func(outcome)) error {
	running, stop := context.WithCancel(ctx)
	finished, lost := s.start(running)
	defer func() { // also if Progress panics
		stop()
		for range finished {
		}
	}()
	waiting := map[int]batch{} // finished, but not their turn yet
	due, ended := 0, false
	var err error
	for b := range finished {
		waiting[b.index] = b
		for b, ready := waiting[due]; ready && !ended; b, ready = waiting[due] {
			delete(waiting, due)
			for _, o := range b.outcomes {
				add(o)
			}
			due++
			if err = b.err; err != nil || len(b.outcomes) < s.size(b.index) {
				ended = true
				stop()
			}
			if s.Progress != nil {
				s.Progress(b.index*together+len(b.outcomes), s.Runs)
			}
		}
	}
	if err == nil {
		err = *lost
	}
	return err
}

// size is the number of runs of a batch.
func (s *Study) size(index int) int { return min(together, s.Runs-index*together) }

// start begins to run all batches and returns where they arrive, in any order.
// The channel is closed when nothing runs any more; then lost is the error of a
// client's function that never came back.
func (s *Study) start(ctx context.Context) (finished chan batch, lost *error) {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	finished, lost = make(chan batch), new(error)
	var next atomic.Int64
	go func() {
		defer close(finished)
		*lost = fencing.Runners(ctx, workers, func(ctx context.Context, r *fencing.Runner) {
			for ctx.Err() == nil {
				index := int(next.Add(1) - 1)
				if index*together >= s.Runs {
					return
				}
				if !s.runBatch(ctx, r, index, finished) {
					return
				}
			}
		})
	}()
	return finished, lost
}

// runBatch runs a batch and reports whether it is whole. It has a goroutine of its
// own, because the study's functions may end the one that they run in; with the
// runner's, all other runners would be stopped in the middle of earlier batches.
func (s *Study) runBatch(ctx context.Context, r *fencing.Runner, index int, finished chan<- batch) bool {
	done := make(chan batch)
	go s.runApart(ctx, r, index, done)
	b := <-done
	finished <- b
	return b.err == nil
}

// runApart sends its batch also if the study's functions panic or end the
// goroutine.
func (s *Study) runApart(ctx context.Context, r *fencing.Runner, index int, done chan<- batch) {
	b := batch{index: index, err: errors.New("it ended its goroutine (runtime.Goexit; t.FailNow and require do that too): let it return instead")}
	number := func() int { return index*together + len(b.outcomes) + 1 }
	defer func() {
		if r := recover(); r != nil {
			b.err = fmt.Errorf("it panicked: %v", r)
		}
		if b.err != nil {
			b.err = fmt.Errorf("run %d has an error, so sampling stopped there; look at it with study.Trace(%d): %w", number(), number(), b.err)
		}
		done <- b
	}()
	for len(b.outcomes) < s.size(index) && ctx.Err() == nil {
		draws := drawsOf(s.Seed, number())
		trace := r.Run(s.config(draws), func(w *fencing.World) { s.addTo(w, draws) })
		if err := s.mistake(trace); err != nil {
			b.err = err
			return
		}
		b.outcomes = append(b.outcomes, outcomeOf(trace))
	}
	b.err = nil
}

// mistake returns the run's error. It is none that a fault of Study.Faults never
// happened: whoever drew it could not know how long the run would be.
func (s *Study) mistake(t *fencing.Trace) error {
	if !errors.Is(t.Err(), fencing.ErrUnreached) {
		return t.Err()
	}
	for _, e := range t.Events {
		declared := e.Kind == fencing.Unreached && slices.ContainsFunc(s.Config.Faults, func(f fencing.Fault) bool { return f.String() == e.Note })
		if declared || e.Kind == fencing.Stuck {
			return t.Err()
		}
	}
	return nil
}

// LeasePoint is one point of a [Sweep]: what a lease of that length led to.
type LeasePoint struct {
	Lease  time.Duration // of all runs
	Result Result        // of the study with it
}

// Sweep runs the study once for each length of the lease, to draw a rate or the
// time to take over against it. Every length meets the same chance, so that the
// points differ by the lease and by nothing else.
//
// If it ends early, by the context or by an error, it returns the points that
// are whole.
func Sweep(ctx context.Context, s Study, leases ...time.Duration) ([]LeasePoint, error) {
	if len(leases) == 0 {
		return nil, errors.New("the sweep has no lengths: name some, for example sample.Sweep(ctx, study, 5*time.Second, 10*time.Second, 20*time.Second)")
	}
	if s.Leases != nil {
		return nil, errors.New("Study.Leases is set, but the sweep sets the lease itself: leave it out")
	}
	var points []LeasePoint
	for i, lease := range leases {
		if lease < fencing.Shortest || lease > fencing.Longest {
			return points, fmt.Errorf("the sweep has a lease of %s: give lengths from %s to %s", lease, fencing.Shortest, fencing.Longest)
		}
		one := s
		one.Config.Lease = lease
		if s.Progress != nil {
			one.Progress = func(done, of int) { s.Progress(i*of+done, len(leases)*of) }
		}
		result, err := Run(ctx, one)
		if err != nil {
			return points, fmt.Errorf("with a lease of %s: %w", fencing.Seconds(lease), err)
		}
		points = append(points, LeasePoint{lease, result})
	}
	return points, nil
}
