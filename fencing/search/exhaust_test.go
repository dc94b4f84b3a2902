package search_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func exhaust(t *testing.T, program func(*fencing.World), config fencing.Config, b search.Bounds) search.Exhaustion {
	t.Helper()
	r := search.Exhaust(t.Context(), program, config, b)
	require.NoError(t, r.Err())
	return r
}

func rounds(n int, p fencing.Policy) fencing.Policy {
	p.Rounds = n
	return p
}

func TestWithAllThreeThereIsNoneInAnyOrder(t *testing.T) {
	failOver := on
	failOver.Faults = []fencing.Fault{fencing.FailOver(5 * s)}
	checking := claiming
	checking.CheckFirst = true
	for name, test := range map[string]struct {
		policy        fencing.Policy
		config        fencing.Config
		bounds        search.Bounds
		states, steps int
	}{
		"one round":        {claiming, on, search.Bounds{TimeOuts: 1}, 2239, 5891},
		"two rounds":       {rounds(2, claiming), on, search.Bounds{}, 1187, 2579},
		"three rounds":     {rounds(3, claiming), on, search.Bounds{Expiries: 1}, 1823, 3779},
		"and a loss":       {rounds(3, claiming), on, search.Bounds{Expiries: 1, Drops: 1}, 25117, 90713},
		"and a crash":      {rounds(3, claiming), on, search.Bounds{Expiries: 1, Drops: 1, Crashes: 1}, 47671, 123803},
		"a fail-over":      {claiming, failOver, search.Bounds{}, 444, 1084},
		"checks its clock": {checking, on, search.Bounds{}, 101, 361},
	} {
		t.Run(name, func(t *testing.T) {
			if underRace && test.steps > 5000 {
				t.Skip(tooLongForRace)
			}
			r := exhaust(t, workers(2, test.policy), test.config, test.bounds)
			require.Nil(t, r.Found, "%s", r.Found)
			assert.True(t, r.Finished)
			assert.Equal(t, []int{test.states, test.steps}, []int{r.States, r.Steps}, "states and steps")
			for _, k := range []fencing.Kind{fencing.Accepted, fencing.Rejected, fencing.Expired, fencing.Queued} {
				assert.True(t, r.Happened(k), k)
			}
		})
	}
}

func TestWithAnyOfTheThreeTakenAwayThereIsAWayToAViolation(t *testing.T) {
	rolledBack, twoSteps := on, on
	rolledBack.Faults = []fencing.Fault{fencing.FailOver(5 * s).CountingBack(1)}
	twoSteps.Check = fencing.TwoSteps
	for name, test := range map[string]struct {
		policy   fencing.Policy
		config   fencing.Config
		property fencing.Property
		choices  int
	}{
		"no fence":      {claiming, off, fencing.NoStaleWrite, 6},
		"no claim":      {appending, on, fencing.NoLostUpdate, 7},
		"tokens repeat": {claiming, rolledBack, fencing.NoLostUpdate, 7},
		"not atomic":    {claiming, twoSteps, fencing.NoStaleWrite, 7},
	} {
		t.Run(name, func(t *testing.T) {
			r := exhaust(t, workers(2, test.policy), test.config, search.Bounds{})
			require.NotNil(t, r.Found)
			assert.Equal(t, test.property, r.Found.Property)
			assert.Len(t, r.Found.Steps, test.choices, "%s", r.Found)
			assert.Equal(t, fencing.Violated, r.Found.Trace.Verdict().Finding(test.property).Status)
		})
	}
}

func TestAnExhaustiveSearchIsTheSameForAnyNumberOfCores(t *testing.T) {
	for _, policy := range []fencing.Policy{appending, claiming} {
		want := exhaust(t, workers(2, policy), on, search.Bounds{TimeOuts: 1, Cores: 1, Limit: 2000})
		for _, cores := range []int{2, 3, 8} {
			assert.Equal(t, want.String(), exhaust(t, workers(2, policy), on, search.Bounds{TimeOuts: 1, Cores: cores, Limit: 2000}).String(), "%d cores", cores)
		}
	}
}

// One step from the first state leads to more states than are asked for, since a
// client whose message is lost goes on at once.
func TestASearchWithWideBoundsEndsAtItsLimitAndWithItsContext(t *testing.T) {
	config := fencing.Config{Fencing: true, Timeout: s}
	wide := search.Bounds{Drops: 100, Crashes: 100, Expiries: 100, Limit: 100}
	r := exhaust(t, workers(2, claiming), config, wide)
	assert.False(t, r.Finished)
	assert.Contains(t, r.String(), "Give smaller bounds, or raise Bounds.Limit.")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = search.Exhaust(ctx, workers(2, claiming), config, wide)
	assert.False(t, r.Finished)
	assert.Zero(t, r.States)
}

func TestASearchThatReachesItsLimitIsNotFinished(t *testing.T) {
	r := exhaust(t, workers(2, fencing.Policy{RenewEvery: 3 * s}), on, search.Bounds{Limit: 2000})
	assert.False(t, r.Finished)
	assert.Equal(t, 2000, r.States)
	assert.Contains(t, r.String(), "Not finished: ")
	assert.Contains(t, r.String(), "Give smaller bounds, or raise Bounds.Limit.")
}

func TestACancelledExhaustiveSearchIsNotFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := search.Exhaust(ctx, workers(2, rounds(3, claiming)), on, search.Bounds{TimeOuts: 3, Progress: func(int) { cancel() }})
	require.NoError(t, r.Err())
	assert.False(t, r.Finished)
}

func TestMistakesInAnExhaustiveSearchGetASentence(t *testing.T) {
	program := workers(2, claiming)
	paused := on
	paused.Faults = []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 14*s)}
	var calls atomic.Int64
	for name, test := range map[string]struct {
		program func(*fencing.World)
		config  fencing.Config
		bounds  search.Bounds
		want    string
	}{
		"no program":     {nil, on, search.Bounds{}, "there is no program: pass a func(*fencing.World) that adds the clients"},
		"negative bound": {program, on, search.Bounds{Expiries: -1}, "Bounds.Expiries is -1: give 0 or more"},
		"endless bound":  {program, on, search.Bounds{Drops: 1_000_000}, "Bounds.Drops is 1000000, and no search of that would end: give at most 100"},
		"no time-out":    {program, fencing.Config{}, search.Bounds{TimeOuts: 1}, "Bounds.TimeOuts lets clients stop waiting, but Config.Timeout is 0, so that nobody ever does: set it, to any length"},
		"no property":    {program, on, search.Bounds{Properties: []fencing.Property{}}, "Bounds.Properties is empty, so everything would hold: leave it out for the two usual ones, or name one"},
		"property of time": {program, on, search.Bounds{Properties: []fencing.Property{fencing.OneBeliever}},
			`Exhaust has no time and cannot tell whether there is "one believer at a time": ask Explore, or take NoStaleWrite, NoLostUpdate`},
		"no such property": {program, on, search.Bounds{Properties: []fencing.Property{"peace"}}, `there is no property "peace": take one of`},
		"lock-delay":       {program, fencing.Config{LockDelay: s}, search.Bounds{}, "Config.LockDelay means nothing in a world without time: leave it out"},
		"a pause": {program, paused, search.Bounds{},
			`the fault "client 1/before write/1=pause 14s" means nothing in a world without time, where every message may be late and every client slow: leave it out; a crash, a restart, a clean-up or a fail-over declared for a time may stay`},
		"a storage": {program, fencing.Config{Storage: once{new(string)}}, search.Bounds{}, "Config.Storage is a storage whose state Exhaust cannot see: leave it out, or ask Explore"},
		"a panic": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) {
				if !c.Holds(c.Acquire("report")) {
					panic("late already?")
				}
			})
		}, on, search.Bounds{}, "the run in which client 1 looks at its clock: a whole lease has passed ended early: client 1 panicked: late already? (exhaust_test.go:"},
		"another program every time": {func(w *fencing.World) {
			n := calls.Add(1)
			for i := range 2 {
				w.Client(fmt.Sprintf("client %d", i), func(c *fencing.Client) { c.Read(fmt.Sprint(n)); c.Read("x"); c.Read("y") })
			}
		}, on, search.Bounds{},
			"the program did something else when it was run again with the same choices: it must add the same clients every time, share nothing between runs, and use no randomness, no real time and no map's order"},
	} {
		t.Run(name, func(t *testing.T) {
			r := search.Exhaust(t.Context(), test.program, test.config, test.bounds)
			require.ErrorContains(t, r.Err(), test.want)
			assert.Contains(t, r.String(), test.want)
			assert.False(t, r.Finished)
		})
	}
}

func TestAnExhaustiveSearchLeavesNoGoroutineBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	exhaust(t, workers(2, claiming), on, search.Bounds{Cores: 3})
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

// Whatever a program does is an error of the search, not the end of the process.
func TestAProgramThatPanicsOrEndsItsGoroutineIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		program          func(*fencing.World)
		exhausted, tried string
	}{
		"a client panics": {bothRun(func(c *fencing.Client) {
			lease := c.Acquire("report")
			if err := c.Write("report", c.Name(), lease.Token); err != nil {
				panic(err)
			}
		}),
			"the run in which client 1’s acquire of \"report\" (operation 1) arrives; client 1’s write of \"report\" (operation 2) is lost ended early: client 1 panicked: write \"report\" with token 33: timed out, outcome unknown (exhaust_test.go:",
			"the run with client 1/on acquire reply/1=pause 11s ended early: client 1 panicked: write \"report\" with token 33: fenced: \"report\" has accepted token 34, and 33 is lower (exhaust_test.go:"},
		"the program panics": {func(*fencing.World) { panic("no clients today") },
			"the program panicked: no clients today (exhaust_test.go:", "the program panicked: no clients today (exhaust_test.go:"},
		"the program ends its goroutine": {func(*fencing.World) { runtime.Goexit() }, "the program ended its goroutine", "the program ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.ErrorContains(t, search.Exhaust(t.Context(), test.program, on, search.Bounds{Drops: 1}).Err(), test.exhausted)
			assert.ErrorContains(t, search.Explore(t.Context(), test.program, on, search.Options{Faults: 1}).Err(), test.tried)
		})
	}
}

func bothRun(function func(*fencing.Client)) func(*fencing.World) {
	return func(w *fencing.World) {
		w.Client("client 1", function)
		w.Client("client 2", function)
	}
}

// What is lost, and who crashes, is chosen by name, and is part of the story.
func TestALossThatIsNeededIsNamed(t *testing.T) {
	// It takes a write whose reply is lost for one that was never made, and tells
	// the others nothing of it.
	program := bothRun(func(c *fencing.Client) {
		lease := c.Acquire("report")
		value, err := c.Claim("report", lease.Token)
		if err == nil && errors.Is(c.Write("report", value+c.Name(), lease.Token), fencing.ErrTimeout) {
			c.Write("report", value+c.Name()+" again", lease.Token)
		}
		c.Release(lease)
	})
	own := []fencing.Property{fencing.NoLostOwnUpdate}
	assert.Nil(t, exhaust(t, program, on, search.Bounds{Properties: own}).Found)
	r := exhaust(t, program, on, search.Bounds{Drops: 1, Properties: own})
	require.NotNil(t, r.Found)
	assert.Contains(t, r.Found.String(), "the reply to client 2’s write of \"report\" (operation 3) is lost\n")
	assert.Contains(t, r.Found.Trace.String(), "write reply is lost on its way")
}

func TestACrashIsAStepOfItsOwn(t *testing.T) {
	r := exhaust(t, workers(2, claiming), on, search.Bounds{Crashes: 1})
	assert.Nil(t, r.Found)
	assert.True(t, r.Happened(fencing.Crashed))
	assert.Contains(t, r.String(), "a client crashed")
	assert.False(t, exhaust(t, workers(2, claiming), on, search.Bounds{}).Happened(fencing.Crashed), "0 is none")
}

// A client that loses a message stops waiting if it knows a time-out, and else
// waits for ever, as it does in a run with time.
func TestWithoutATimeOutAClientThatLosesAMessageIsStuck(t *testing.T) {
	patient := fencing.Config{Fencing: true}
	assert.True(t, exhaust(t, workers(2, claiming), patient, search.Bounds{Drops: 1}).Happened(fencing.Stuck))
	r := exhaust(t, workers(2, claiming), on, search.Bounds{Drops: 1})
	assert.True(t, r.Happened(fencing.Lost))
	assert.False(t, r.Happened(fencing.Stuck))
}

// A client that polls, or keeps a lease alive, may do so for ever: it is stopped
// after some operations, and the result says so.
func TestAnEndlessClientIsStopped(t *testing.T) {
	polling := bothRun(func(c *fencing.Client) {
		for {
			if lease, err := c.TryAcquire("report"); err == nil {
				c.Write("report", c.Name(), lease.Token)
				return
			}
		}
	})
	for name, program := range map[string]func(*fencing.World){
		"polls":                 polling,
		"keeps its lease alive": workers(2, fencing.Policy{RenewEvery: 3 * s}),
	} {
		t.Run(name, func(t *testing.T) {
			r := exhaust(t, program, on, search.Bounds{Operations: 8, Expiries: 1})
			assert.True(t, r.Finished && r.Cut)
			assert.Contains(t, r.String(), "A client would have begun more than 8 operations (Bounds.Operations), and stayed in the next one for ever.")
		})
	}
	assert.True(t, exhaust(t, polling, on, search.Bounds{}).Finished)
	assert.False(t, exhaust(t, workers(2, claiming), on, search.Bounds{}).Cut)
}

// Its renewer may be waiting, or about to wait, when its function goes on, and
// either may have begun first: all of these are told apart.
func TestAClientWhoseLeaseIsKeptAliveDoesTheSameEveryTime(t *testing.T) {
	renewing, checking := claiming, claiming
	renewing.RenewEvery, checking.RenewEvery, checking.CheckFirst = s, s, true
	for name, test := range map[string]struct {
		policy fencing.Policy
		config fencing.Config
		bounds search.Bounds
	}{
		"and a message is lost":   {renewing, on, search.Bounds{Expiries: 1, Drops: 1, Operations: 5}},
		"until it may do no more": {checking, fencing.Config{}, search.Bounds{Expiries: 1, Drops: 1, Operations: 6, Properties: []fencing.Property{fencing.NothingTwice}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := exhaust(t, workers(2, test.policy), test.config, test.bounds)
			assert.Nil(t, r.Found)
			assert.True(t, r.Finished)
		})
	}
}

// What a life knew before its client was restarted is forgotten, but what it has
// sent is still on its way, its client's clock has gone on, and both make a
// difference.
func TestARestartMixesUpNoTwoStates(t *testing.T) {
	config := off
	config.Faults = []fencing.Fault{fencing.RestartAt("client 1", 5*s)}
	lost := search.Bounds{Expiries: 1, Properties: []fencing.Property{fencing.NoLostUpdate}}
	for name, function := range map[string]func(*fencing.Client){
		"what its write is based on": func(c *fencing.Client) {
			lease := c.Acquire("report")
			if lease.Token == 33 {
				c.Write("report", "draft", lease.Token)
				c.Read("other")
				key := "other"
				if !c.Holds(lease) {
					key = "report"
				}
				c.Read(key)
			}
			c.Write("report", "x", lease.Token)
		},
		"what its clock shows": func(c *fencing.Client) {
			lease := c.Acquire("report")
			key := "other"
			if c.Now() > 0 {
				key = "report"
			}
			c.Read(key)
			c.Write("report", "x", lease.Token)
		},
		"what its clock showed when it got its lease": func(c *fencing.Client) {
			lease := c.Acquire("report")
			if c.Now(); lease.Until > 10*s {
				c.Read("report")
			}
			c.Write("report", "x", lease.Token)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := exhaust(t, func(w *fencing.World) { w.Client("client 1", function) }, config, lost)
			assert.NotNil(t, r.Found, "%s", r)
		})
	}
}
