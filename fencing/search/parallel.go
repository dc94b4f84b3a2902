package search

import (
	"context"
	"sync/atomic"

	"fencingtokens/fencing"
)

// inParallel calls task for 0, 1, ... n-1, each with one of as many runners as
// there are cores. Once a task has said that it is decided, those behind it do
// not matter any more and may be left out; those before it are all done.
func inParallel(ctx context.Context, cores, n int, newTask func(*fencing.Runner) func(ctx context.Context, i int) (decided bool)) error {
	var next, decided atomic.Int64
	decided.Store(int64(n))
	return fencing.Runners(ctx, min(cores, n), func(ctx context.Context, runner *fencing.Runner) {
		task := newTask(runner)
		for ctx.Err() == nil {
			i := next.Add(1) - 1
			if i >= decided.Load() {
				return
			}
			if !task(ctx, int(i)) {
				continue
			}
			for before := decided.Load(); i < before && !decided.CompareAndSwap(before, i); {
				before = decided.Load()
			}
		}
	})
}
