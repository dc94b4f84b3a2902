package fencing_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func idle(*fencing.Client) {}

// run is a world of one client.
func run(config fencing.Config, function func(*fencing.Client)) *fencing.Trace {
	w := fencing.NewWorld(config)
	w.Client("client 1", function)
	return w.Run()
}

func withFault(f fencing.Fault) fencing.Config { return fencing.Config{Faults: []fencing.Fault{f}} }

func TestNonsenseParametersGetASentenceThatSaysWhatToWrite(t *testing.T) {
	acquire := func(c *fencing.Client) { c.Release(c.Acquire("report")) }
	for name, test := range map[string]struct {
		trace *fencing.Trace
		want  string
	}{
		"negative lease": {run(fencing.Config{Lease: -s}, idle),
			"Config.Lease is -1s: give a positive length, for example 10 * time.Second, or leave it out for 10 s (the longest is 1000 hours)"},
		"endless lease": {run(fencing.Config{Lease: math.MaxInt64}, idle),
			"Config.Lease is 2562047h47m16.854775807s: give a positive length, for example 10 * time.Second, or leave it out for 10 s (the longest is 1000 hours)"},
		"negative latency": {run(fencing.Config{Latency: -s}, idle),
			"Config.Latency is -1s: give a positive length, or leave it out for messages that take no time (the longest is 1000 hours)"},
		"negative time-out": {run(fencing.Config{Timeout: -s}, idle),
			"Config.Timeout is -1s: give a positive length, or leave it out to wait for ever (the longest is 1000 hours)"},
		"negative steps": {run(fencing.Config{Steps: -1}, idle),
			"Config.Steps is -1: give a positive number, or leave it out for 100000"},
		"no clients": {fencing.NewWorld(fencing.Config{}).Run(),
			`this world has no clients: add one with world.Client("client 1", func(c *fencing.Client) { ... }) before world.Run()`},
		"no name": {func() *fencing.Trace { w := fencing.NewWorld(fencing.Config{}); w.Client("", idle); return w.Run() }(),
			`a client was added with an empty name: give it one, for example "client 1"`},
		"one name twice": {func() *fencing.Trace {
			w := fencing.NewWorld(fencing.Config{})
			w.Client("client 1", idle)
			w.Client("client 1", idle)
			return w.Run()
		}(), `two clients were named "client 1": give each client a name of its own`},
		"a part's name": {func() *fencing.Trace {
			w := fencing.NewWorld(fencing.Config{})
			w.Client("storage", idle)
			return w.Run()
		}(),
			`a client was named "storage", which is the name of a part of the world: choose another, for example "client 1"`},
		"no function": {run(fencing.Config{}, nil),
			`client "client 1" has no function: pass a func(*fencing.Client)`},
		"run twice": {func() *fencing.Trace {
			w := fencing.NewWorld(fencing.Config{})
			w.Client("client 1", idle)
			w.Run()
			return w.Run()
		}(), "this world has already run: make a new one with fencing.NewWorld for every run"},
		"client after the run": {func() *fencing.Trace {
			w := fencing.NewWorld(fencing.Config{})
			w.Client("client 1", func(*fencing.Client) { w.Client("client 2", idle) })
			return w.Run()
		}(), `client "client 2" was added after the run began: add all clients before world.Run()`},
		"fault for a stranger": {run(withFault(fencing.Pause("client 3", fencing.AfterAcquire, s)), idle),
			`the fault "client 3/after acquire/1=pause 1s" is for a client that this world does not have: its clients are "client 1"`},
		"point never reached": {run(withFault(fencing.Pause("client 1", fencing.BeforeWrite, s)), acquire),
			`the fault "client 1/before write/1=pause 1s" never happened, because client 1 never came to "before write"; it came to "before acquire", "on acquire reply", "after acquire", "before release", "on release reply", "after release": choose a point or a time that the client reaches`},
		"second passing never reached": {run(withFault(fencing.Pause("client 1", fencing.AfterAcquire, s).Time(2)), acquire),
			`the fault "client 1/after acquire/2=pause 1s" never happened, because client 1 came to "after acquire" only 1 time: choose a point or a time that the client reaches`},
		"time after the end": {run(withFault(fencing.PauseAt("client 1", 3*s, s)), idle),
			`the fault "client 1/at 3s=pause 1s" never happened, because client 1 had already ended: choose a point or a time that the client reaches`},
		"pause of a message": {run(withFault(fencing.Pause("client 1", fencing.WriteRequest, s)), idle),
			`the fault "client 1/write request/1=pause 1s" stops a client at a message: give a point of the client, for example fencing.BeforeWrite, or use fencing.Delay for the message`},
		"delay of no message": {run(withFault(fencing.Delay("client 1", fencing.BeforeWrite, s)), idle),
			`the fault "client 1/before write/1=delay 1s" needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed, dropped or duplicated`},
		"negative pause": {run(withFault(fencing.Pause("client 1", fencing.BeforeWrite, -s)), idle),
			`the fault "client 1/before write/1=pause -1s" lasts -1s: give a length above 0 s and up to 1000 hours, for example 14 * time.Second`},
		"pause before the beginning": {run(withFault(fencing.PauseAt("client 1", -s, s)), idle),
			`the fault "client 1/at -1s=pause 1s" strikes at -1s: give a time from 0 s to 1000 hours`},
		"negative passing": {run(withFault(fencing.Pause("client 1", fencing.BeforeWrite, s).Time(-1)), idle),
			`the fault "client 1/before write/1=pause 1s" counts passings from 1, and -1 was given: leave Nth out for the first`},
		"empty fault": {run(withFault(fencing.Fault{Actor: "client 1"}), idle),
			`the fault "client 1/at 0s=nothing" does nothing: make it with fencing.Pause, Crash, Delay or Drop, for example`},
		"unknown point": {run(withFault(fencing.Pause("client 1", 200, s)), idle),
			`the fault "client 1/invalid/1=pause 1s" has a point that does not exist: take one of fencing's, for example fencing.AfterAcquire`},
		"two faults at one point": {run(fencing.Config{Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, s), fencing.Crash("client 1", fencing.AfterAcquire)}}, acquire),
			`the faults "client 1/after acquire/1=pause 1s" and "client 1/after acquire/1=crash" strike at the same moment: keep one of them, or aim one with .Time(2) at the second passing`},
		"negative sleep": {run(fencing.Config{}, func(c *fencing.Client) { c.Sleep(-s) }),
			"client 1 made a mistake: it sleeps for -1s: give a length from 0 s to 1000 hours, for example 2 * time.Second"},
		"endless work": {run(fencing.Config{}, func(c *fencing.Client) { c.Work(math.MaxInt64) }),
			"client 1 made a mistake: it works for 2562047h47m16.854775807s: give a length from 0 s to 1000 hours, for example 2 * time.Second"},
		"nameless lock": {run(fencing.Config{}, func(c *fencing.Client) { c.Acquire("") }),
			`client 1 made a mistake: it used "" as the name of a lock, a key or an effect: give the lock a name, for example "report"`},
		"lease from nowhere": {run(fencing.Config{}, func(c *fencing.Client) { c.Release(fencing.Lease{}) }),
			"client 1 made a mistake: it used a lease that no Acquire returned: pass the lease that c.Acquire gave"},
		"kept alive every 0 s": {run(fencing.Config{}, func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), 0) }),
			"client 1 made a mistake: it keeps a lease alive every 0s: give a length above 0 s and up to 1000 hours, for example 3 * time.Second"},
		"endless loop of steps": {run(fencing.Config{Steps: 50}, func(c *fencing.Client) {
			for {
				c.Now()
			}
		}), "the run took more than 50 steps, client 1 last: end the loop in its function, or raise Config.Steps"},
		"lost reply without a time-out": {run(withFault(fencing.Drop("client 1", fencing.AcquireReply)), acquire),
			`client 1 waits for ever for the reply to its acquire of "report": set Config.Timeout, so that a lost message does not block it`},
	} {
		t.Run(name, func(t *testing.T) {
			require.EqualError(t, test.trace.Err(), test.want)
			assert.Contains(t, test.trace.Verdict().String(), test.want, "the verdict shows it")
			assert.Contains(t, test.trace.String(), test.want, "the story shows it")
			for _, f := range test.trace.Verdict().Findings {
				assert.NotEqual(t, fencing.Holds, f.Status, "an error proves nothing")
			}
		})
	}
}

func TestAnotherClientsMethodsAreRefused(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	var first *fencing.Client
	w.Client("client 1", func(c *fencing.Client) { first = c; c.Sleep(5 * s) })
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); first.Sleep(s) })
	assert.EqualError(t, w.Run().Err(), "client 2 made a mistake: it called a method of client 1: a function must use its own *fencing.Client only")
	assert.PanicsWithValue(t, "fencing: client 1’s method Sleep was called while its world did not run: call it in the function that world.Client was given, and not behind go; what is to happen beside it can be c.KeepAlive, or a client of its own",
		func() { first.Sleep(s) }, "after the run")
}

func TestAClientThatPanicsEndsTheRunWithItsNameAndLine(t *testing.T) {
	trace := run(fencing.Config{}, func(c *fencing.Client) {
		c.Sleep(s)
		var leases []fencing.Lease
		_ = leases[3]
	})
	assert.Regexp(t, `^client 1 panicked: runtime error: index out of range \[3\] with length 0 \(world_test.go:\d+\)$`, trace.Err().Error())
	assert.Contains(t, trace.String(), "1 s  client 1      panics: runtime error")
}

func TestAClientThatEndsItsGoroutineEndsTheRunWithItsName(t *testing.T) {
	want := "client 1 ended its goroutine (runtime.Goexit; t.FailNow and require do that too): let its function return instead"
	assert.EqualError(t, run(fencing.Config{}, func(*fencing.Client) { runtime.Goexit() }).Err(), want)
}

func TestARecoverInAClientCannotHoldUpTheEndOfTheRun(t *testing.T) {
	reached := false
	trace := run(withFault(fencing.CrashAt("client 1", s)), func(c *fencing.Client) {
		defer func() { reached = true; recover(); c.Write("report", "from the grave", 33) }()
		c.Sleep(5 * s)
	})
	require.NoError(t, trace.Err())
	assert.True(t, reached, "deferred functions are run")
	assert.Empty(t, trace.Attempts(), "but nothing they do reaches the world")
}

func TestACrashAtAPointKeepsWhatTheClientDefersFromTheWorld(t *testing.T) {
	trace := run(withFault(fencing.Crash("client 1", fencing.AfterAcquire)), func(c *fencing.Client) {
		lease := c.Acquire("report")
		defer c.Release(lease)
		c.Work(s)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Expired, trace.Grants()[0].Ended)
}

// storage is a Checker made of one function.
type storage func() error

func (f storage) Write(string, string, uint64) error { return f() }
func (f storage) Read(string) string                 { return "" }

func TestAStorageOfYourOwnThatPanicsOrExitsEndsTheRun(t *testing.T) {
	write := func(c *fencing.Client) { c.Write("report", "x", 33) }
	panics := storage(func() error { panic("no disk") })
	assert.Regexp(t, `^the storage panicked: no disk \(world_test.go:\d+\)$`, run(fencing.Config{Storage: panics}, write).Err().Error())
	exits := storage(func() error { runtime.Goexit(); return nil })
	assert.EqualError(t, run(fencing.Config{Storage: exits}, write).Err(),
		"the storage ended its goroutine (runtime.Goexit; t.FailNow and require do that too): return an error instead")
}

func TestAMethodCalledBehindGoDoesNothingAndIsAnErrorThatNamesClientAndMethod(t *testing.T) {
	var done sync.WaitGroup
	held := make(chan bool)
	for name, test := range map[string]struct {
		method   string
		function func(*fencing.Client)
	}{
		"and waited for": {"Write", func(c *fencing.Client) {
			done.Go(func() { c.Write("report", "x", 33) })
			done.Wait()
			c.Sleep(s)
		}},
		"while the simulator runs": {"Acquire", func(c *fencing.Client) {
			done.Go(func() { c.Acquire("report") })
			for range 1000 {
				c.Sleep(s)
			}
			done.Wait()
		}},
		"deep down": {"Lost", func(c *fencing.Client) {
			done.Go(func() { deep(100, func() { c.Lost(fencing.Lease{Lock: "report"}) }) })
			done.Wait()
		}},
		"by a goroutine that goes on": {"Now", func(c *fencing.Client) {
			go func() {
				defer close(held)
				c.Now()
			}()
			<-held
		}},
	} {
		trace := run(fencing.Config{}, test.function)
		assert.EqualError(t, trace.Err(), "client 1’s method "+test.method+" was called by a goroutine that is not the client’s: call it in the function that world.Client was given, and not behind go; what is to happen beside it can be c.KeepAlive, or a client of its own", name)
		assert.Empty(t, trace.Attempts(), name)
		assert.Empty(t, trace.Grants(), name)
		assert.Contains(t, trace.String(), trace.Err().Error(), name)
	}
}

// deep calls f from so many kilobytes further down the stack.
func deep(kilobytes int, f func()) byte {
	var room [1024]byte
	if kilobytes == 0 {
		f()
		return room[0]
	}
	room[kilobytes%len(room)] = 1
	return room[0] + deep(kilobytes-1, f)
}

func TestAClientMayCallFromWhateverDepthOfItsStack(t *testing.T) {
	trace := two(fencing.Config{}, func(c *fencing.Client) {
		for kilobytes := range 200 {
			deep(kilobytes, func() { c.Sleep(s) })
			c.Sleep(s)
		}
	}, func(c *fencing.Client) {
		for range 100 {
			runtime.GC() // which gives stacks back
			c.Sleep(3 * s)
		}
	})
	assert.NoError(t, trace.Err())
}

// A function that never comes back leaves a goroutine that nothing can stop, so
// these run in a process of their own.
var neverComesBack = map[string]func(*fencing.Client){
	"blocks on a channel": func(*fencing.Client) { <-make(chan int) },
	"sleeps for real":     func(*fencing.Client) { time.Sleep(time.Hour) },
	"loops for ever": func(*fencing.Client) {
		for {
		}
	},
	"comes back and goes again": func(c *fencing.Client) {
		for {
			time.Sleep(50 * time.Millisecond)
			c.Sleep(s)
		}
	},
	"waits for a goroutine that is not its own": func(c *fencing.Client) {
		written := make(chan error)
		go func() { written <- c.Write("report", "x", 33) }()
		<-written
	},
}

func TestAFunctionThatNeverComesBackIsFoundAndNamed(t *testing.T) {
	if name := os.Getenv("FENCING_NEVER_COMES_BACK"); name != "" {
		fmt.Println(run(fencing.Config{}, func(c *fencing.Client) { c.Sleep(s); neverComesBack[name](c) }).Err())
		os.Exit(0)
	}
	const rest = " or waits for something outside (a channel, a mutex, time.Sleep); use c.Sleep or c.Work to let time pass. Its goroutine cannot be stopped and is lost\n"
	for name := range neverComesBack {
		want := "client 1 did not come back to the simulator for 2s of real time: its function loops for ever" + rest
		switch name {
		case "comes back and goes again":
			want = "the functions of this run were outside the simulator for 10s of real time in all, that of client 1 last: it computes for long" + rest
		case "waits for a goroutine that is not its own":
			want = "client 1’s method Write was called by a goroutine that is not the client’s"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Contains(t, inAProcessOfItsOwn(t, "TestAFunctionThatNeverComesBackIsFoundAndNamed", name), want)
		})
	}
}

func TestAStorageThatNeverComesBackIsFoundAndNamed(t *testing.T) {
	if os.Getenv("FENCING_NEVER_COMES_BACK") != "" {
		blocks := storage(func() error { select {} })
		fmt.Println(run(fencing.Config{Storage: blocks}, func(c *fencing.Client) { c.Write("report", "x", 33) }).Err())
		os.Exit(0)
	}
	t.Parallel()
	assert.Contains(t, inAProcessOfItsOwn(t, "TestAStorageThatNeverComesBackIsFoundAndNamed", "storage"), "storage did not come back to the simulator for 2s of real time")
}

func inAProcessOfItsOwn(t *testing.T, test, name string) string {
	cmd := exec.Command(os.Args[0], "-test.run", "^"+test+"$")
	cmd.Env = append(os.Environ(), "FENCING_NEVER_COMES_BACK="+name)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestNoGoroutineIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		for _, p := range fencing.Presets() {
			p.Run()
		}
		run(fencing.Config{}, func(*fencing.Client) { panic("x") })
		run(fencing.Config{}, func(*fencing.Client) { runtime.Goexit() })
		run(fencing.Config{Steps: 10}, func(c *fencing.Client) {
			for {
				c.Sleep(s)
			}
		})
		run(withFault(fencing.Drop("client 1", fencing.AcquireReply)), func(c *fencing.Client) { c.Acquire("report") })
		run(fencing.Config{Storage: storage(func() error { panic("x") })}, func(c *fencing.Client) { c.Write("report", "x", 33) })
		run(fencing.Config{Storage: storage(func() error { runtime.Goexit(); return nil })}, func(c *fencing.Client) { c.Write("report", "x", 33) })
		run(fencing.Config{Lease: -s}, func(*fencing.Client) {})
		run(withFault(fencing.Crash("client 1", fencing.AfterClaim)), func(c *fencing.Client) { c.Acquire("report") })
		run(fencing.Config{}, func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), s); c.Sleep(-s) })
		run(fencing.Config{}, func(c *fencing.Client) {
			var gone sync.WaitGroup
			gone.Go(func() { c.Acquire("report") })
			gone.Wait()
		})
	}
	// A goroutine that has handed over its result may need a moment to be gone. A
	// leak keeps this test waiting until go test's own time-out shows it.
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

func TestTheStepBudgetNamesTheClientWhateverItWaitsFor(t *testing.T) {
	for _, steps := range []int{1000, 1001, 1002} {
		trace := run(fencing.Config{Steps: steps}, func(c *fencing.Client) {
			for {
				c.Acquire("report")
			}
		})
		assert.ErrorContains(t, trace.Err(), "client 1 last: end the loop in its function")
	}
}

// panicking is a chooser with a mistake in it.
type panicking struct{}

func (panicking) Choose(fencing.Label) fencing.Choice { panic("no choice") }

func TestAMistakeOutsideAClientsFunctionIsStillASentence(t *testing.T) {
	write := func(c *fencing.Client) { c.Write("report", "x", 33) }
	assert.ErrorContains(t, run(fencing.Config{Chooser: panicking{}}, write).Err(), "client 1 panicked: no choice")

	var client *fencing.Client
	calls := storage(func() error { client.Sleep(s); return nil })
	trace := run(fencing.Config{Storage: calls}, func(c *fencing.Client) { client = c; write(c) })
	assert.ErrorContains(t, trace.Err(), "the storage panicked: fencing: a storage called a method of client 1")

	both := run(fencing.Config{}, func(*fencing.Client) {
		defer func() { panic("while it ends") }()
		runtime.Goexit()
	})
	assert.ErrorContains(t, both.Err(), "client 1 panicked: while it ends")
}
