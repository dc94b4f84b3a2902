package search_test

import (
	"context"
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
		"one round":        {claiming, on, search.Bounds{TimeOuts: 1}, 4955, 11961},
		"two rounds":       {rounds(2, claiming), on, search.Bounds{}, 3195, 6897},
		"three rounds":     {rounds(3, claiming), on, search.Bounds{Expiries: 1}, 9019, 18565},
		"a fail-over":      {claiming, failOver, search.Bounds{}, 612, 1510},
		"checks its clock": {checking, on, search.Bounds{}, 197, 427},
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

// A client that keeps its lease alive may renew for ever.
func TestAnEndlessProgramIsNotFinished(t *testing.T) {
	r := exhaust(t, workers(2, fencing.Policy{RenewEvery: 3 * s}), on, search.Bounds{Limit: 2000})
	assert.False(t, r.Finished)
	assert.Equal(t, 2000, r.States)
	assert.Contains(t, r.String(), "Not finished: ")
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
		"no time-out":    {program, fencing.Config{}, search.Bounds{TimeOuts: 1}, "Bounds.TimeOuts lets clients stop waiting, but Config.Timeout is 0, so that nobody ever does: set it, to any length"},
		"property of time": {program, on, search.Bounds{Properties: []fencing.Property{fencing.OneBeliever}},
			`Exhaust has no time and cannot tell whether there is "one believer at a time": ask Explore, or take one of`},
		"lock-delay": {program, fencing.Config{LockDelay: s}, search.Bounds{}, "Config.LockDelay means nothing in a world without time: leave it out"},
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
