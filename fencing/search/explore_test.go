package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const s = time.Second

// workers is a program of n workers of one policy that ask one second apart.
func workers(n int, p fencing.Policy) func(*fencing.World) {
	return func(w *fencing.World) {
		for i := range n {
			policy := p
			policy.Start = time.Duration(i+1) * s
			w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(policy))
		}
	}
}

var (
	blind     = fencing.Policy{}
	appending = fencing.Policy{ReadModifyWrite: true}
	claiming  = fencing.Policy{ReadModifyWrite: true, ClaimFirst: true}

	off = fencing.Config{Timeout: 3 * s}
	on  = fencing.Config{Timeout: 3 * s, Fencing: true}

	everything = []fencing.Action{fencing.PauseIt, fencing.CrashIt, fencing.DelayIt, fencing.DropIt, fencing.DuplicateIt}
)

const tooLongForRace = "with -race a search takes about twenty times as long: the largest are left out, and the smaller ones run the same code"

func explore(t *testing.T, program func(*fencing.World), config fencing.Config, o search.Options) search.Result {
	t.Helper()
	r := search.Explore(t.Context(), program, config, o)
	require.NoError(t, r.Err())
	return r
}

func TestHowManySchedulesThereAre(t *testing.T) {
	if underRace {
		t.Skip(tooLongForRace)
	}
	r := explore(t, workers(2, blind), on, search.Options{Faults: 3})
	assert.True(t, r.Finished)
	assert.Equal(t, []int{1, 74, 2236, 41118}, r.Schedules)
	r = explore(t, workers(2, claiming), on, search.Options{Faults: 2, Actions: everything, ThreadOnly: true})
	assert.True(t, r.Finished)
	assert.Equal(t, []int{1, 141, 8358}, r.Schedules)
}

// Each of the three protections is needed, and the three are enough.
func TestWithAnyOfTheThreeTakenAwayThereIsACounterexample(t *testing.T) {
	rolledBack := on
	rolledBack.Faults = []fencing.Fault{fencing.FailOver(5 * s).CountingBack(1)}
	for name, test := range map[string]struct {
		policy   fencing.Policy
		config   fencing.Config
		property fencing.Property
		choices  string
	}{
		"no fence":      {claiming, off, fencing.NoStaleWrite, "client 1/on acquire reply/1=pause 11s"},
		"no claim":      {appending, on, fencing.NoLostUpdate, "client 1/on acquire reply/1=pause 11s; client 2/acquire reply/2=delay 11s"},
		"tokens repeat": {claiming, rolledBack, fencing.NoLostUpdate, "client 1/on claim reply/1=pause 11s"},
	} {
		t.Run(name, func(t *testing.T) {
			r := explore(t, workers(2, test.policy), test.config, search.Options{Faults: 2})
			require.NotNil(t, r.Found)
			assert.Equal(t, test.property, r.Found.Property)
			assert.Equal(t, test.choices, r.Found.ChoiceString())
		})
	}
}

func TestWithAllThreeThereIsNone(t *testing.T) {
	rounds := claiming
	rounds.Rounds = 2
	lengths := []time.Duration{4 * s, 9500 * time.Millisecond, 11 * s, 25 * s}
	for name, test := range map[string]struct {
		program func(*fencing.World)
		options search.Options
	}{
		"three faults":     {workers(2, claiming), search.Options{Faults: 3}},
		"every action":     {workers(2, claiming), search.Options{Faults: 2, Actions: everything, ThreadOnly: true}},
		"several lengths":  {workers(2, claiming), search.Options{Faults: 2, Pauses: lengths, Delays: lengths}},
		"three clients":    {workers(3, claiming), search.Options{Faults: 2}},
		"two rounds":       {workers(2, rounds), search.Options{Faults: 2}},
		"a fail-over":      {workers(2, claiming), search.Options{Faults: 2}},
		"renewing as well": {workers(2, fencing.Policy{ReadModifyWrite: true, ClaimFirst: true, RenewEvery: 3 * s}), search.Options{Faults: 2, ThreadOnly: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if underRace && name != "renewing as well" {
				t.Skip(tooLongForRace)
			}
			config := on
			if name == "a fail-over" {
				config.Faults = []fencing.Fault{fencing.FailOver(5 * s)}
			}
			r := explore(t, test.program, config, test.options)
			require.Nil(t, r.Found, "%s", r.Found)
			assert.True(t, r.Finished)
			for _, happened := range r.Sometimes()[:5] {
				assert.Positive(t, happened.Runs, happened.What)
			}
		})
	}
}

func TestASearchWithoutFaultsSaysThatItTriedNone(t *testing.T) {
	r := explore(t, workers(2, claiming), on, search.Options{})
	assert.Equal(t, 1, r.Runs)
	assert.NotContains(t, r.String(), "Tried")
}

func TestACounterexampleIsAnOrdinaryRun(t *testing.T) {
	found := explore(t, workers(2, appending), on, search.Options{Faults: 2}).Found
	printed := strings.Split(found.String(), "\n")
	faults, err := fencing.ParseFaults(strings.Join(printed[1:len(printed)-1], "\n"))
	require.NoError(t, err)
	assert.Equal(t, found.ChoiceString(), fencing.ChoiceString(faults), "what is printed can be pasted")
	faults, err = fencing.ParseFaults(found.ChoiceString())
	require.NoError(t, err)
	config := on
	config.Faults = faults
	w := fencing.NewWorld(config)
	workers(2, appending)(w)
	trace := w.Run()
	require.NoError(t, trace.Err())
	assert.Equal(t, trace.Events, found.Trace.Events)
	assert.Equal(t, fencing.Violated, trace.Verdict().Finding(found.Property).Status)
	assert.Equal(t, fencing.ChoiceString(faults), found.ChoiceString())
}

func TestTheResultIsTheSameForAnyNumberOfCores(t *testing.T) {
	for _, policy := range []fencing.Policy{appending, claiming} {
		want := explore(t, workers(2, policy), on, search.Options{Faults: 2, Cores: 1, Limit: 3000})
		for _, cores := range []int{2, 3, 8} {
			got := explore(t, workers(2, policy), on, search.Options{Faults: 2, Cores: cores, Limit: 3000})
			assert.Equal(t, want.String(), got.String(), "%d cores", cores)
		}
	}
}

func TestALimitEndsASearchThatIsNotFinished(t *testing.T) {
	var progress []int
	r := explore(t, workers(2, claiming), on, search.Options{Faults: 6, Limit: 20_000, Progress: func(runs int) { progress = append(progress, runs) }})
	assert.False(t, r.Finished)
	assert.Equal(t, 20_003, r.Runs, "the limit, and what was begun")
	assert.Contains(t, r.String(), "Not finished: ")
	assert.Equal(t, r.Runs, progress[len(progress)-1])
}

func TestACancelledSearchIsNotFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := search.Explore(ctx, workers(2, claiming), on, search.Options{Faults: 6, Progress: func(int) { cancel() }})
	require.NoError(t, r.Err())
	assert.False(t, r.Finished)
	assert.Nil(t, r.Found)
}

func TestAnyPropertyCanBeAskedFor(t *testing.T) {
	r := explore(t, workers(2, blind), on, search.Options{Faults: 1, Properties: []fencing.Property{fencing.OneBeliever}})
	assert.Equal(t, fencing.OneBeliever, r.Found.Property)
	r = explore(t, workers(2, blind), fencing.Config{}, search.Options{Faults: 1, Properties: []fencing.Property{fencing.NobodyStuck}})
	assert.Equal(t, "client 1/acquire request/1=drop", r.Found.ChoiceString())
}

func TestAClientThatWaitsForEverIsCountedAndNoError(t *testing.T) {
	r := explore(t, workers(2, claiming), fencing.Config{Fencing: true}, search.Options{Faults: 1})
	assert.True(t, r.Finished)
	assert.Equal(t, search.Times{What: "a client waited for ever", Runs: 18}, r.Sometimes()[5])
}

func TestADeclaredFaultThatDoesNotComeAboutLeavesAScheduleOut(t *testing.T) {
	config := on
	config.Faults = []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 14*s)}
	r := explore(t, workers(2, claiming), config, search.Options{Faults: 1})
	assert.True(t, r.Finished)
	assert.Positive(t, r.LeftOut)
}

// once takes one write only, and is no storage for two runs.
type once struct{ value *string }

func (o once) Write(_, value string, _ uint64) error {
	if *o.value != "" {
		return fencing.ErrFenced
	}
	*o.value = value
	return nil
}

func (o once) Read(string) string { return *o.value }

func TestEveryRunHasAStorageOfItsOwn(t *testing.T) {
	r := explore(t, workers(2, blind), fencing.Config{}, search.Options{Faults: 1, Storage: func() fencing.Checker { return once{new(string)} }})
	assert.True(t, r.Finished)
	assert.Equal(t, r.Runs, r.Sometimes()[0].Runs, "a write was accepted in every run")
}

func TestMistakesGetASentence(t *testing.T) {
	program := workers(2, blind)
	var calls atomic.Int64
	for name, test := range map[string]struct {
		program func(*fencing.World)
		config  fencing.Config
		options search.Options
		want    string
	}{
		"no program":       {nil, on, search.Options{}, "there is no program: pass a func(*fencing.World) that adds the clients"},
		"negative bound":   {program, on, search.Options{Faults: -1}, "Options.Faults is -1: give 0 or more"},
		"negative limit":   {program, on, search.Options{Limit: -1}, "Options.Limit is -1: give a number of runs, or leave it out for a million"},
		"negative cores":   {program, on, search.Options{Cores: -2}, "Options.Cores is -2: give a number, or leave it out for all"},
		"unknown property": {program, on, search.Options{Properties: []fencing.Property{"peace"}}, `there is no property "peace": take one of fencing's, for example fencing.NoStaleWrite`},
		"action at no point": {program, on, search.Options{Actions: []fencing.Action{fencing.FailOverIt}},
			`Options.Actions has "fail over", which has no point where it could fall: take PauseIt, CrashIt, DelayIt, DropIt or DuplicateIt, and declare the rest in Config.Faults`},
		"pause of no time":        {program, on, search.Options{Pauses: []time.Duration{0}}, "Options has a pause or a delay of 0s: give lengths from 1µs to 1000h0m0s, for example 11 * time.Second"},
		"delay without its unit":  {program, on, search.Options{Delays: []time.Duration{11}}, "Options has a pause or a delay of 11ns: give lengths from 1µs"},
		"pause longer than a run": {program, on, search.Options{Pauses: []time.Duration{5000 * time.Hour}}, "Options has a pause or a delay of 5000h0m0s: give lengths from 1µs"},
		"a chooser":               {program, fencing.Config{Chooser: never{}}, search.Options{}, "Config.Chooser is set, but the search is the chooser: leave it out"},
		"one storage for all": {program, fencing.Config{Storage: once{new(string)}}, search.Options{},
			"Config.Storage is one storage for all runs, which would remember the run before: give Options.Storage, a function that makes one"},
		"untraced": {program, fencing.Config{Untraced: true}, search.Options{}, "Config.Untraced is set, but the search judges traces: leave it out"},
		"no clients": {func(*fencing.World) {}, on, search.Options{},
			`the run without a fault ended early: this world has no clients: add one with world.Client("client 1", func(c *fencing.Client) { ... }) before world.Run()`},
		"bad configuration": {program, fencing.Config{Lease: -s}, search.Options{},
			"the run without a fault ended early: Config.Lease is -1s: give a positive length, for example 10 * time.Second, or leave it out for 10 s (the longest is 1000 hours)"},
		"panic under a fault": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) {
				lease := c.Acquire("report")
				if c.Write("report", "x", lease.Token) != nil {
					panic("I did not expect this")
				}
			})
		}, on, search.Options{Faults: 1}, "the run with client 1/write request/1=delay 11s ended early: client 1 panicked: I did not expect this (explore_test.go:"},
		"another program every time": {func(w *fencing.World) {
			n := calls.Add(1)
			w.Client("client 1", func(c *fencing.Client) {
				for range n % 5 {
					c.Acquire("report")
				}
			})
		}, on, search.Options{Faults: 1},
			"the program did something else when it was run again with the same choices: it must add the same clients every time, share nothing between runs, and use no randomness, no real time and no map's order"},
	} {
		t.Run(name, func(t *testing.T) {
			r := search.Explore(t.Context(), test.program, test.config, test.options)
			require.ErrorContains(t, r.Err(), test.want)
			assert.Contains(t, r.String(), test.want)
			assert.False(t, r.Finished)
		})
	}
}

type never struct{}

func (never) Choose(fencing.Label) fencing.Choice { return fencing.Choice{} }

// The lost goroutine would trouble other tests, so this runs in a process of
// its own.
func TestAClientThatLoopsForEverInsideASearchIsFoundAndNamed(t *testing.T) {
	const inside = "SEARCH_NEVER_COMES_BACK"
	if os.Getenv(inside) == "" {
		t.Parallel()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestAClientThatLoopsForEverInsideASearchIsFoundAndNamed$")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Contains(t, string(out), "client 1 did not come back to the simulator for 2s of real time: ")
		return
	}
	r := search.Explore(context.Background(), func(w *fencing.World) {
		w.Client("client 1", func(c *fencing.Client) {
			lease := c.Acquire("report")
			for errors.Is(c.Write("report", "x", lease.Token), fencing.ErrTimeout) {
				for {
				}
			}
		})
	}, on, search.Options{Faults: 1})
	fmt.Println(r.Err())
	os.Exit(0)
}

func TestASearchLeavesNoGoroutineBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	explore(t, workers(2, blind), off, search.Options{Faults: 2})
	explore(t, workers(2, claiming), on, search.Options{Faults: 1, Cores: 5})
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

func TestASearchThatCouldShowNothingIsRefused(t *testing.T) {
	for _, o := range []search.Options{
		{Faults: 1, Actions: []fencing.Action{}},
		{Faults: 1, Properties: []fencing.Property{}},
		{Faults: 1, Actions: []fencing.Action{fencing.DropIt, fencing.DropIt}},
		{Faults: 1, Pauses: []time.Duration{time.Second, time.Second}},
	} {
		r := search.Explore(t.Context(), workers(2, claiming), on, o)
		assert.Error(t, r.Err())
		assert.False(t, r.Finished)
	}
}
