package search

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Random schedules of a read-modify-write program, on all cores, outside CI:
//
//	go test ./fencing/search -run TestRandomSchedulesViolate -v -timeout 0 -schedules 10000000
//
// Schedule n of a seed is the same on every machine and for any number of cores.
// A run that was stopped goes on with -first.
var (
	schedules = flag.Int("schedules", 10_000, "how many random schedules are run")
	seed      = flag.Uint64("seed", 1, "another seed makes other schedules")
	firstOne  = flag.Int("first", 0, "number of the first schedule, to go on from where a run was stopped")
)

const second = time.Second

// random makes schedules: the clients, what the world does to them, and when.
// It is the chooser of their runs.
type random struct {
	source  rand.PCG
	draw    *rand.Rand
	without string // which of the three is taken away
	config  fencing.Config
	plans   []fencing.Policy
}

// The three that belong together.
const (
	atomicFence  = "an atomic fence"
	claimFirst   = "claim first"
	uniqueTokens = "unique tokens"
)

func newRandom(without string) *random {
	r := &random{without: without}
	r.draw = rand.New(&r.source)
	return r
}

func (r *random) yes(in int) bool { return r.draw.IntN(in) == 0 }

// some returns a length, in halves of a second.
func (r *random) some(most int) time.Duration {
	return time.Duration(1+r.draw.IntN(2*most)) * second / 2
}

// make makes schedule n of the seed.
func (r *random) make(n int) {
	r.source.Seed(*seed, uint64(n))
	r.plans = r.plans[:0]
	for i := range 2 + r.draw.IntN(2) {
		r.plans = append(r.plans, r.plan(i))
	}
	r.config = fencing.Config{Fencing: true, Timeout: 3 * second, Chooser: r, Faults: r.config.Faults[:0], Clocks: r.config.Clocks[:0],
		Latency: time.Duration(r.draw.IntN(3)) * second / 10, LockDelay: time.Duration(r.draw.IntN(2)) * 5 * second,
		DeadlineFromReply: r.yes(4), WaiterLease: r.yes(4), ReviveLate: r.yes(4), Generations: r.yes(4)}
	for i := range r.plans {
		if r.yes(4) {
			r.config.Clocks = append(r.config.Clocks, fencing.Clock{Actor: client(i), Offset: r.some(20), PPM: r.draw.Int64N(800_000) - 400_000})
		}
	}
	for range r.draw.IntN(4) {
		r.config.Faults = append(r.config.Faults, r.declared())
	}
	switch {
	case r.without == uniqueTokens:
		r.config.Faults = append(r.config.Faults, fencing.FailOver(r.some(30)).CountingBack(1+r.draw.Uint64N(2)))
	case r.without == atomicFence:
		r.config.Check, r.config.CheckGap = fencing.TwoSteps, r.some(2)
	}
}

func (r *random) plan(i int) fencing.Policy {
	p := fencing.Policy{ReadModifyWrite: true, ClaimFirst: r.without != claimFirst, Start: time.Duration(i)*second + r.some(2),
		WorkBefore: r.some(3), WorkAfter: r.some(3), Rounds: 1 + r.draw.IntN(3), Writes: 1 + r.draw.IntN(2), CheckFirst: r.yes(3), StopWhenLost: r.yes(3)}
	if r.yes(3) {
		p.RenewEvery = r.some(4)
	}
	return p
}

func client(i int) string { return fmt.Sprintf("client %d", i+1) }

// declared returns something that happens at a time.
func (r *random) declared() fencing.Fault {
	who, at, long := client(r.draw.IntN(len(r.plans))), r.some(30), r.some(20)
	clock := []string{who, fencing.ActorLockService}[r.draw.IntN(2)]
	end := []string{fencing.ActorStorage, fencing.ActorLockService}[r.draw.IntN(2)]
	switch r.draw.IntN(12) {
	case 0:
		return fencing.PauseAt(who, at, long)
	case 1:
		return fencing.SuspendAt(who, at, long)
	case 2:
		return fencing.CrashAt(who, at)
	case 3:
		return fencing.RestartAt(who, at)
	case 4:
		return fencing.RestartAt(who, at).Keeping()
	case 5:
		return fencing.Cut(who, end, at, long)
	case 6:
		return fencing.Cut(end, who, at, long)
	case 7:
		return fencing.JumpClock(clock, at, long)
	case 8:
		return fencing.JumpClock(clock, at, -long)
	case 9:
		return fencing.StopClock(clock, at, long)
	case 10:
		return fencing.RestartStorage(at)
	}
	f := fencing.FailOver(at)
	f.Keep = r.yes(2)
	return f
}

// Choose lets something happen at one point or message in twenty.
func (r *random) Choose(l fencing.Label) fencing.Choice {
	if !r.yes(20) {
		return fencing.Choice{}
	}
	c := fencing.Choice{Action: fencing.PauseIt, For: r.some(20)}
	switch {
	case !l.Point.Message() && r.yes(4):
		return fencing.Choice{Action: fencing.CrashIt}
	case !l.Point.Message():
		c.Only = r.yes(4)
	case r.yes(3):
		return fencing.Choice{Action: fencing.DropIt}
	case r.yes(4):
		c.Action = fencing.DuplicateIt
	default:
		c.Action = fencing.DelayIt
	}
	return c
}

func (r *random) program(w *fencing.World) {
	for i, p := range r.plans {
		w.Client(client(i), fencing.Worker(p))
	}
}

// trial is what some schedules have shown.
type trial struct {
	runs     int
	seen     seen
	found    int // number of the schedule that violates a property, if property says so
	property fencing.Property
	err      error
}

const (
	chunk = 1000         // schedules that one core runs before it looks for others
	lap   = 1000 * chunk // schedules after which it is printed how far it is
)

// try runs schedules until one violates a property.
func try(t *testing.T, without string, first, n, cores int) trial {
	var all trial
	began := time.Now()
	for from := first; from < first+n && all.property == "" && all.err == nil; from += lap {
		trials := make([]trial, (min(lap, first+n-from)+chunk-1)/chunk)
		err := inParallel(t.Context(), cores, len(trials), func(runner *fencing.Runner) func(context.Context, int) bool {
			r := newRandom(without)
			return func(_ context.Context, i int) bool {
				begin := from + i*chunk
				trials[i].run(runner, r, begin, min(begin+chunk, first+n))
				return trials[i].property != "" || trials[i].err != nil
			}
		})
		require.NoError(t, err)
		for i := range trials {
			if all.add(&trials[i]); all.property != "" || all.err != nil {
				break
			}
		}
		if n > lap {
			t.Logf("%d schedules after %s", all.runs, time.Since(began).Round(time.Second))
		}
	}
	require.NoError(t, all.err)
	return all
}

func (all *trial) add(some *trial) {
	all.runs += some.runs
	for i := range some.seen {
		all.seen[i] += some.seen[i]
	}
	all.found, all.property, all.err = some.found, some.property, some.err
}

// run runs some schedules until one violates a property.
func (some *trial) run(runner *fencing.Runner, r *random, from, end int) {
	for n := from; n < end && some.property == "" && some.err == nil; n++ {
		play := func(untraced bool) *fencing.Trace {
			r.make(n)
			r.config.Untraced = untraced
			return runner.Run(r.config, r.program)
		}
		trace, kinds := play(true), kinds(runner.Kinds())
		stale, lost := runner.Suspects()
		some.runs++
		some.seen.add(kinds)
		if kinds.has(fencing.Failed) || kinds.has(fencing.Panicked) || kinds == 0 {
			some.err = fmt.Errorf("schedule %d of seed %d: %w", n, *seed, trace.Err())
			return
		}
		some.found = n
		some.property, _ = violated(searched, stale, lost, func() (*fencing.Trace, error) { return play(false), nil })
	}
}

var searched = []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate}

// named returns the schedule with everything declared that happened in it, and
// nothing of that which is not needed to violate the property.
func named(n int, without string, property fencing.Property) *Counterexample {
	r := newRandom(without)
	r.make(n)
	world := fencing.NewWorld(r.config)
	r.program(world)
	faults, err := fencing.ParseFaults(world.Run().ChoiceString())
	if err != nil {
		panic(err)
	}
	config := r.config
	config.Chooser = nil
	run := func(faults []fencing.Fault) *Counterexample {
		config.Faults = faults
		world := fencing.NewWorld(config)
		r.program(world)
		trace := world.Run()
		return &Counterexample{Property: property, Faults: faults, Trace: trace, Finding: trace.Verdict().Finding(property)}
	}
	found := run(faults)
	for i := 0; i < len(found.Faults); i++ {
		if fewer := run(slices.Delete(slices.Clone(found.Faults), i, i+1)); fewer.Finding.Status == fencing.Violated {
			found, i = fewer, -1 // another one may now be superfluous
		}
	}
	return found
}

func TestRandomSchedulesViolateNothingUnlessOneOfTheThreeIsTakenAway(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	began := time.Now()
	all := try(t, "", *firstOne, *schedules, cores)
	took := time.Since(began)
	require.Empty(t, all.property, "schedule %d of seed %d", all.found, *seed)
	assert.Equal(t, *schedules, all.runs)
	t.Logf("%d schedules of seed %d, from schedule %d on, in %s (%.0f a second on %d cores): %s", all.runs, *seed, *firstOne,
		took.Round(time.Second/10), float64(all.runs)/took.Seconds(), cores, strings.Join([]string{string(searched[0]), string(searched[1])}, ", "))
	for _, k := range []fencing.Kind{fencing.Accepted, fencing.Rejected, fencing.Expired, fencing.Queued, fencing.Lost, fencing.Paused, fencing.Crashed,
		fencing.Restarted, fencing.CutOff, fencing.ClockJumped, fencing.ClockStopped, fencing.Rebooted, fencing.FailedOver} {
		t.Logf("%9d had one or more of: %s", all.seen[k], k)
		assert.Positive(t, all.seen[k], k)
	}
	for _, without := range []string{atomicFence, claimFirst, uniqueTokens} {
		found := try(t, without, 0, 100_000, cores)
		require.NotEmpty(t, found.property, "without %s", without)
		c := named(found.found, without, found.property)
		assert.Equal(t, fencing.Violated, c.Finding.Status)
		t.Logf("without %s, schedule %d of seed %d:\n%s", without, found.found, *seed, c)
	}
}

func TestRandomSchedulesAreTheSameForAnyNumberOfCores(t *testing.T) {
	for _, without := range []string{"", claimFirst} {
		want := try(t, without, 0, 5000, 1)
		for _, cores := range []int{2, 5} {
			assert.Equal(t, want, try(t, without, 0, 5000, cores))
		}
	}
}
