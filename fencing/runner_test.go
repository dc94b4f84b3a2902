package fencing_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestARunnerMakesTheSameTracesAsAWorld(t *testing.T) {
	panics := func(w *fencing.World) { w.Client("client 1", func(*fencing.Client) { panic("x") }) }
	exits := func(w *fencing.World) { w.Client("client 1", func(*fencing.Client) { runtime.Goexit() }) }
	require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		for range 3 {
			for _, p := range fencing.Presets() {
				assert.Equal(t, p.Run().Events, r.Run(p.Config, p.AddTo).Events, p.Name)
			}
			for _, s := range reported.All() {
				if s.Program != nil {
					assert.Equal(t, s.Without().Events, r.Run(s.Config, s.Program).Events, s.Name)
				}
			}
			assert.ErrorContains(t, r.Run(fencing.Config{}, panics).Err(), "client 1 panicked: x")
			assert.ErrorContains(t, r.Run(fencing.Config{}, exits).Err(), "client 1 ended its goroutine")
			assert.ErrorContains(t, r.Run(fencing.Config{}, func(*fencing.World) {}).Err(), "this world has no clients")
		}
	}))
}

func TestRunnersLeaveNoGoroutineBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	preset := fencing.DelayedWrite()
	fencing.Runners(t.Context(), 4, func(_ context.Context, r *fencing.Runner) {
		one := func(config fencing.Config, function func(*fencing.Client)) {
			r.Run(config, func(w *fencing.World) { w.Client("client 1", function) })
		}
		for range 50 {
			r.Run(preset.Config, preset.AddTo)
			one(fencing.Config{}, func(*fencing.Client) { panic("x") })
			one(fencing.Config{}, func(*fencing.Client) { runtime.Goexit() })
			one(withFault(fencing.Drop("client 1", fencing.AcquireReply)), func(c *fencing.Client) { c.Acquire("report") })
			one(withFault(fencing.CrashAt("client 1", s)), func(c *fencing.Client) {
				defer func() { recover(); c.Sleep(s) }()
				c.KeepAlive(c.Acquire("report"), s)
				c.Work(3 * s)
			})
		}
	})
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

// The lost goroutine would trouble other tests, so this runs in a process of
// its own.
func TestRunnersFindAFunctionThatNeverComesBack(t *testing.T) {
	const inside = "FENCING_RUNNER_NEVER_COMES_BACK"
	if os.Getenv(inside) == "" {
		t.Parallel()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestRunnersFindAFunctionThatNeverComesBack$")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Regexp(t, `^client 7 did not come back to the simulator for 2s of real time: .*\n$`, string(out))
		return
	}
	var lost atomic.Bool // one of the two runners is
	fmt.Println(fencing.Runners(context.Background(), 2, func(ctx context.Context, r *fencing.Runner) {
		for n := 1; ctx.Err() == nil; n++ {
			r.Run(fencing.Config{}, func(w *fencing.World) {
				w.Client(fmt.Sprintf("client %d", n), func(c *fencing.Client) {
					if n == 7 && lost.CompareAndSwap(false, true) {

						select {}
					}
				})
			})
		}
	}))
	os.Exit(0)
}

func TestARecoverCannotHoldUpARunner(t *testing.T) {
	crash := withFault(fencing.CrashAt("client 1", 7*s))
	require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		for range 3 {
			trace := r.Run(crash, func(w *fencing.World) {
				w.Client("client 1", func(c *fencing.Client) {
					defer func() { recover(); c.Write("report", "from the grave", 33) }()
					for {
						func() {
							defer func() { recover(); c.Write("report", "from the grave", 33) }()
							c.Sleep(5 * s)
						}()
					}
				})
			})
			assert.NoError(t, trace.Err())
			assert.Len(t, trace.Attempts(), 1, "the write at 5 s; nothing it defers reaches the world")
		}
	}))
}

func TestARunWithoutATraceClaimsNothing(t *testing.T) {
	preset := fencing.GCPause()
	preset.Untraced = true
	trace := preset.Run()
	require.NoError(t, trace.Err())
	assert.Empty(t, trace.Events)
	assert.Equal(t, "This run was not traced: leave Config.Untraced out to see what happens in it", trace.Verdict().Headline)
	for _, f := range trace.Verdict().Findings {
		assert.Equal(t, fencing.Untold, f.Status, f.Property)
	}
}
