package sample_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
)

const s = time.Second

// busy is a study in which everything is drawn.
func busy() sample.Study {
	return sample.Study{
		Runs: 500, Seed: 7,
		Leases: sample.Uniform(3*s, 20*s), Jobs: sample.Uniform(s, 8*s), Clocks: sample.SpannerDrift(),
		Pauses: sample.TypicalStalls(), PausePPM: 100_000, CrashPPM: 20_000,
		Delays: sample.TypicalDelays(), DelayPPM: 100_000,
		Config: fencing.Config{Timeout: 2 * s},
		Policy: fencing.Policy{RenewEvery: 2 * s, ReadModifyWrite: true, Effect: "mail"},
	}
}

// stall pauses client 1 right after its grant, for a drawn length.
func stall(lengths sample.Distribution) func(sample.Draws) []fencing.Fault {
	return func(d sample.Draws) []fencing.Fault {
		return []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, d.Length("stall", lengths))}
	}
}

func run(t *testing.T, study sample.Study) sample.Result {
	t.Helper()
	r, err := sample.Run(context.Background(), study)
	require.NoError(t, err)
	require.Equal(t, study.Runs, r.Runs)
	return r
}

func TestTheResultDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	study := busy()
	study.Workers = 1
	one := run(t, study)
	for _, rate := range []sample.Rate{one.Overlapped, one.StaleAccepted, one.LateAccepted, one.DataLost, one.DoneTwice, one.LostWhileWanted} {
		assert.NotZero(t, rate.Runs, "the study should exercise everything")
	}
	assert.NotZero(t, one.TakeOver.Count())
	for _, workers := range []int{2, 8} {
		study.Workers = workers
		assert.Equal(t, one, run(t, study), "%d workers", workers)
	}
	study.Seed++
	assert.NotEqual(t, one.Overlapped, run(t, study).Overlapped)
}

func TestPausesLongerThanTheLeaseAreAlwaysStale(t *testing.T) {
	study := sample.Study{Runs: 200, Faults: stall(sample.Uniform(20*s, 60*s))}
	r := run(t, study)
	assert.Equal(t, sample.Rate{Runs: 200, Of: 200, Times: 200, First: 1}, r.StaleAttempted)
	assert.Equal(t, r.StaleAttempted, r.StaleAccepted)
	assert.Equal(t, r.StaleAttempted, r.DataLost)
	assert.Equal(t, r.StaleAttempted, r.Overlapped)
	assert.Equal(t, r.StaleAttempted, r.LostWhileWanted)
	assert.Equal(t, 400, r.Jobs)
	share, low, high := r.PerJob(r.Overlapped)
	assert.Equal(t, 0.5, share, "one overlap in two jobs")
	assert.True(t, low < share && share < high)

	study.Config.Fencing = true
	fenced := run(t, study)
	assert.Equal(t, r.StaleAttempted, fenced.StaleAttempted, "the same pauses")
	assert.Zero(t, fenced.StaleAccepted.Runs)
	assert.Zero(t, fenced.DataLost.Runs)
}

func TestWithoutPausesNothingGoesWrong(t *testing.T) {
	r := run(t, sample.Study{Runs: 200, Jobs: sample.Uniform(0, 4*s)})
	for _, rate := range []sample.Rate{r.Overlapped, r.StaleAttempted, r.StaleAccepted, r.LateAccepted, r.DataLost, r.DoneTwice, r.LostWhileWanted} {
		assert.Equal(t, sample.Rate{Of: 200}, rate)
	}
	assert.Zero(t, r.TakeOver.Count())
	assert.Equal(t, 400, r.Jobs)
}

func TestTakeOverAfterACrashIsTheRestOfTheLease(t *testing.T) {
	r := run(t, sample.Study{Runs: 500, Config: fencing.Config{Faults: []fencing.Fault{fencing.Crash("client 1", fencing.AfterAcquire)}}})
	assert.Equal(t, 500, r.TakeOver.Count())
	assert.Equal(t, sample.Length{Value: 10 * s, Low: 10 * s, High: 10 * s}, r.TakeOver.Median())
	assert.Equal(t, sample.Length{Value: 10 * s, Low: 10 * s, High: 10 * s}, r.TakeOver.P99())
	assert.Zero(t, r.LostWhileWanted.Runs, "a dead holder wants nothing")
}

func TestFalseExpiryIsForHoldersThatStillWantTheLease(t *testing.T) {
	study := sample.Study{Runs: 50, Policy: fencing.Policy{WorkBefore: 15 * s}}
	assert.Equal(t, 100, run(t, study).LostWhileWanted.Times)
	study.Policy.RenewEvery = 3 * s
	assert.Zero(t, run(t, study).LostWhileWanted.Times)
	// A worker that gives up because of its own clock has returned.
	study.Policy = fencing.Policy{WorkBefore: 9 * s, WorkAfter: time.Millisecond, CheckFirst: true}
	study.Config.Clocks = []fencing.Clock{{Actor: "client 1", PPM: 200_000}}
	assert.Zero(t, run(t, study).LostWhileWanted.Times)
}

func TestAnEffectOfOneNameTwiceIsWorkDoneTwice(t *testing.T) {
	study := sample.Study{Runs: 50, Policy: fencing.Policy{Effect: "mail"}}
	assert.Equal(t, sample.Rate{Runs: 50, Of: 50, Times: 50, First: 1}, run(t, study).DoneTwice)
	study.Config.Idempotent = true
	assert.Zero(t, run(t, study).DoneTwice.Runs)
}

func TestADrawnFaultThatItsRunNeverComesToDoesNothingAndADeclaredOneIsAMistake(t *testing.T) {
	late := fencing.FailOver(1000 * s)
	study := sample.Study{Runs: 50, Faults: func(sample.Draws) []fencing.Fault {
		return []fencing.Fault{late, fencing.CrashAt("client 1", 900*s), fencing.Pause("client 1", fencing.AfterClaim, s)}
	}}
	assert.NotZero(t, run(t, study).Jobs)
	study.Config.Faults = []fencing.Fault{late}
	_, err := sample.Run(context.Background(), study)
	assert.ErrorIs(t, err, fencing.ErrUnreached)

	study.Config = fencing.Config{}
	study.Faults = func(sample.Draws) []fencing.Fault {
		return []fencing.Fault{late, fencing.Drop("client 1", fencing.AcquireReply)}
	}
	_, err = sample.Run(context.Background(), study)
	assert.Error(t, err, "client 1 is stuck")
}

func TestPointsAndMessagesSayWhereChanceStrikes(t *testing.T) {
	study := sample.Study{
		Runs: 50, Config: fencing.Config{Timeout: s},
		Delays: sample.Always(30 * s), Messages: []fencing.Point{fencing.WriteRequest},
	}
	r := run(t, study)
	assert.Equal(t, 50, r.LateAccepted.Runs, "every write arrives long after its grant")
	study.Messages = []fencing.Point{fencing.ReadRequest}
	assert.Zero(t, run(t, study).LateAccepted.Runs)

	study = sample.Study{Runs: 50, CrashPPM: 1_000_000, Points: []fencing.Point{fencing.BeforeRelease}}
	assert.Equal(t, 50, run(t, study).TakeOver.Count())
}

func TestLockNodesAreCountedByTheirMajority(t *testing.T) {
	redlock := fencing.Config{Nodes: 5, Timeout: s / 2, Faults: []fencing.Fault{fencing.Cut("client 1", "node E", 0, time.Hour)}}
	crash := sample.Study{Runs: 20, Config: redlock, Faults: func(sample.Draws) []fencing.Fault {
		return []fencing.Fault{fencing.Crash("client 1", fencing.BeforeWrite)}
	}}
	takeOver := run(t, crash).TakeOver
	require.Equal(t, 20, takeOver.Count())
	// Client 1 is granted at 0 s, waits for node E until 0.5 s and crashes at 1.5 s.
	// Client 2 asks again every second, and at 10 s the leases are over.
	assert.Equal(t, 8*s+s/2, takeOver.Median().Value)

	long := sample.Study{Runs: 20, Config: redlock, Policy: fencing.Policy{WorkAfter: 30 * s}, Clients: 1}
	assert.Equal(t, sample.Rate{Runs: 20, Of: 20, Times: 20, First: 1}, run(t, long).LostWhileWanted, "once, and not once a node")
	long.Policy.RenewEvery = 3 * s
	assert.Zero(t, run(t, long).LostWhileWanted.Times)
	long.Policy = fencing.Policy{}
	assert.Zero(t, run(t, long).LostWhileWanted.Times)
}

func TestAProgramDrawsForItself(t *testing.T) {
	study := sample.Study{Runs: 100, Program: func(w *fencing.World, d sample.Draws) {
		w.Client("client 1", func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Work(d.Length("work", sample.Uniform(5*s, 15*s)))
			c.Release(lease)
		})
	}}
	rate := run(t, study).LostWhileWanted
	low, high := rate.Interval()
	assert.True(t, low < 0.5 && 0.5 < high, "%v: half of the jobs outlive the lease", rate)
}

func TestACancelledStudyIsAShorterOne(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	study := busy()
	study.Runs = 100_000
	study.Progress = func(done, of int) {
		assert.Equal(t, 100_000, of)
		if done > 300 {
			cancel()
		}
	}
	r, err := sample.Run(ctx, study)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "of 100000 runs")
	assert.Contains(t, r.String(), "stopped early: 100,000 runs were asked for")
	require.Greater(t, r.Runs, 300)
	require.Less(t, r.Runs, 100_000)

	study.Runs, study.Progress = r.Runs, nil
	shorter := run(t, study)
	r.Asked = r.Runs
	assert.Equal(t, shorter, r)
}

func TestARunThatGoesWrongEndsTheStudyWithAName(t *testing.T) {
	bad := func(do func()) func(*fencing.World, sample.Draws) {
		return func(w *fencing.World, d sample.Draws) {
			if d.Below("bad", 100) == 0 {
				do()
			}
			w.Client("client 1", func(c *fencing.Client) { c.Acquire("report") })
		}
	}
	for name, program := range map[string]func(*fencing.World, sample.Draws){
		"panicked: oh":        bad(func() { panic("oh") }),
		"ended its goroutine": bad(runtime.Goexit),
	} {
		study := sample.Study{Runs: 2000, Program: program, Workers: 1}
		one, err := sample.Run(context.Background(), study)
		assert.ErrorContains(t, err, name)
		assert.ErrorContains(t, err, "look at it with study.Trace(")
		study.Workers = 4
		four, again := sample.Run(context.Background(), study)
		assert.Equal(t, one, four)
		assert.EqualError(t, again, err.Error())
	}

	study := sample.Study{Runs: 50, Config: fencing.Config{Faults: []fencing.Fault{fencing.Pause("client 3", fencing.AfterAcquire, s)}}}
	_, err := sample.Run(context.Background(), study)
	assert.ErrorContains(t, err, "run 1 has an error")
	assert.ErrorContains(t, err, "client 3")
}

// The lost goroutine would trouble other tests, so this runs in a process of its
// own.
func TestAClientThatNeverComesBackEndsTheStudyWithItsName(t *testing.T) {
	const inside = "SAMPLE_NEVER_COMES_BACK"
	if os.Getenv(inside) == "" {
		t.Parallel()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestAClientThatNeverComesBackEndsTheStudyWithItsName$")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.Regexp(t, `^client 1 did not come back to the simulator for 2s of real time: `, string(out))
		return
	}
	r, err := sample.Run(context.Background(), sample.Study{Runs: 10_000, Program: func(w *fencing.World, d sample.Draws) {
		w.Client("client 1", func(c *fencing.Client) {
			if d.Chance("blocks", 1000) {
				select {}
			}
		})
	}})
	if r.Runs < 10_000 {
		fmt.Println(err)
	}
	os.Exit(0)
}

func TestTraceShowsTheRunThatWasCounted(t *testing.T) {
	study := busy()
	study.Name = "busy"
	r := run(t, study)
	trace, err := study.Trace(r.StaleAccepted.First)
	require.NoError(t, err)
	assert.Equal(t, fencing.Violated, trace.Verdict().Finding(fencing.NoStaleWrite).Status)
	assert.Contains(t, trace.String(), "busy, run ")
	for n := 1; n < r.StaleAccepted.First; n++ {
		before, _ := study.Trace(n)
		assert.Equal(t, fencing.Holds, before.Verdict().Finding(fencing.NoStaleWrite).Status)
	}
	_, err = study.Trace(0)
	assert.ErrorContains(t, err, "runs are counted from 1")
	_, err = study.Trace(501)
	assert.EqualError(t, err, "there is no run 501: the study has 500 runs, counted from 1")
	study.Runs = 0
	trace, err = study.Trace(501)
	require.NoError(t, err)
	assert.NotEmpty(t, trace.Events)
}

// What chance has brought is declared in the trace's Config, so that a run can be
// pasted into a cell.
func TestARunOfAStudyCanBePasted(t *testing.T) {
	study := busy()
	study.Program = func(w *fencing.World, _ sample.Draws) {
		w.Client("client 1", fencing.Worker(fencing.Policy{RenewEvery: s}))
		w.Client("client 2", fencing.Worker(fencing.Policy{Start: s}))
	}
	study.Policy, study.Jobs = fencing.Policy{}, nil
	faults := 0
	for n := 1; n <= 200; n++ {
		trace, err := study.Trace(n)
		require.NoError(t, err)
		require.NoError(t, trace.Err())
		assert.Equal(t, trace.ChoiceString(), fencing.ChoiceString(trace.Config.Faults))
		pasted := trace.Config
		pasted.Faults, err = fencing.ParseFaults(trace.ChoiceString())
		require.NoError(t, err)
		faults += len(pasted.Faults)
		w := fencing.NewWorld(pasted)
		study.Program(w, sample.Draws{})
		require.Equal(t, trace.Events, w.Run().Events, "run %d: %s", n, trace.ChoiceString())
	}
	assert.Greater(t, faults, 200)
}

// A fault shorter than a microsecond is refused, and no distribution draws one.
func TestALengthIsDrawnInWholeMicroseconds(t *testing.T) {
	short := sample.Uniform(0, 3*time.Microsecond)
	result, err := sample.Run(context.Background(), sample.Study{Runs: 100, Pauses: short, Delays: short})
	require.NoError(t, err)
	assert.Equal(t, 100, result.Runs)
	c := sample.Ledger()
	c.Stalls, c.Delays = short, short
	_, err = sample.Compare(context.Background(), c, 100, 1)
	require.NoError(t, err)
}

func TestLeasesAndClocksAreThoseThatWereDrawn(t *testing.T) {
	study := sample.Study{Runs: 20, Leases: sample.Uniform(5*s, 9*s), Clocks: sample.Uniform(40*time.Microsecond, 60*time.Microsecond)}
	leases := map[time.Duration]bool{}
	for n := 1; n <= study.Runs; n++ {
		trace, err := study.Trace(n)
		require.NoError(t, err)
		leases[trace.Config.Lease] = true
		for _, g := range trace.Grants() {
			assert.InDelta(t, trace.Config.Lease, g.Promised-g.From, float64(time.Millisecond), "the service's clock gains hardly anything")
		}
		assert.GreaterOrEqual(t, trace.Config.Lease, 5*s)
		require.Len(t, trace.Config.Clocks, 3, "two clients and the lock service")
		for _, c := range trace.Config.Clocks {
			assert.GreaterOrEqual(t, c.PPM, int64(40), c.Actor)
			assert.LessOrEqual(t, c.PPM, int64(60), c.Actor)
		}
	}
	assert.Greater(t, len(leases), 10)
}

func TestSweepSetsTakeOverAgainstOverlap(t *testing.T) {
	study := sample.Study{
		Runs: 300, Seed: 3, Pauses: sample.Uniform(0, 30*s), PausePPM: 200_000, CrashPPM: 50_000,
		Points: []fencing.Point{fencing.BeforeWrite},
	}
	var told int
	study.Progress = func(done, of int) {
		assert.GreaterOrEqual(t, done, told)
		assert.Equal(t, 900, of)
		told = done
	}
	points, err := sample.Sweep(context.Background(), study, 5*s, 15*s, 40*s)
	require.NoError(t, err)
	require.Len(t, points, 3)
	assert.Equal(t, 900, told)
	for i, p := range points[1:] {
		assert.Less(t, p.Result.Overlapped.Runs, points[i].Result.Overlapped.Runs)
		assert.Greater(t, p.Result.TakeOver.Median().Value, points[i].Result.TakeOver.Median().Value)
	}
	assert.Zero(t, points[2].Result.Overlapped.Runs)

	ctx, cancel := context.WithCancel(context.Background())
	study.Progress = func(done, of int) {
		if done > 400 {
			cancel()
		}
	}
	some, err := sample.Sweep(ctx, study, 5*s, 15*s, 40*s)
	assert.ErrorIs(t, err, context.Canceled)
	// The second point is whole if all its runs were done when the first of them were told.
	assert.Contains(t, []int{1, 2}, len(some))
	assert.Equal(t, points[:len(some)], some)
}

func TestMistakesAreSentences(t *testing.T) {
	program := func(*fencing.World, sample.Draws) {}
	for want, study := range map[string]sample.Study{
		"say how many runs you want":              {},
		"Study.Runs is -5":                        {Runs: -5},
		"Study.Clients is -1":                     {Runs: 1, Clients: -1},
		"Study.Workers is -1":                     {Runs: 1, Workers: -1},
		"both a Program and a Policy":             {Runs: 1, Program: program, Policy: fencing.Policy{Key: "a"}},
		"let your Program draw its own":           {Runs: 1, Program: program, Jobs: sample.Always(s)},
		"has no clients":                          {Runs: 1, Program: program},
		"which the study sets itself":             {Runs: 1, Config: fencing.Config{Chooser: quiet{}}},
		"which many runs would share":             {Runs: 1, Config: fencing.Config{Storage: empty{}}},
		"Config.Lease is -1s":                     {Runs: 1, Config: fencing.Config{Lease: -s}},
		"Study.Pauses is a table of 0 rows":       {Runs: 1, Pauses: sample.Distribution{}},
		"Study.Delays goes from PPM 0 to PPM 100": {Runs: 1, Delays: sample.Distribution{{0, 0}, {100, s}}},
		"Study.Jobs has the value -1s":            {Runs: 1, Jobs: sample.Uniform(-s, s)},
		"Study.Leases has the value 0s: give values from 1µs to 1000h0m0s": {Runs: 1, Leases: sample.Uniform(0, s)},
		"Study.PausePPM is 7, and there are no Pauses":                     {Runs: 1, PausePPM: 7, CrashPPM: 7},
		"Study.DelayPPM is 7, and there are no Delays":                     {Runs: 1, DelayPPM: 7},
		"Study.Points says where pauses and crashes strike":                {Runs: 1, Points: []fencing.Point{fencing.BeforeWrite}},
		"Study.Messages says which messages are late":                      {Runs: 1, Messages: []fencing.Point{fencing.WriteRequest}},
		"Study.Clocks has the value 2s":                                    {Runs: 1, Clocks: sample.Uniform(0, 2*s)},
		"let PPM and Value rise":                                           {Runs: 1, Pauses: sample.Distribution{{0, 0}, {700_000, 3 * s}, {600_000, 4 * s}, {1_000_000, 5 * s}}},
		"falls from row 1 to row 2":                                        {Runs: 1, Pauses: sample.Uniform(2*s, s)},
		"Study.Leases draws it":                                            {Runs: 1, Leases: sample.Always(s), Config: fencing.Config{Lease: s}},
		"Study.Policy works for 2s":                                        {Runs: 1, Jobs: sample.Always(s), Policy: fencing.Policy{WorkBefore: 2 * s}},
		"leave Untraced out":                                               {Runs: 1, Config: fencing.Config{Untraced: true}},
		"Study.PausePPM is 2000000":                                        {Runs: 1, PausePPM: 2_000_000},
		"Study.CrashPPM is -1":                                             {Runs: 1, CrashPPM: -1},
		"which is no point of a client":                                    {Runs: 1, Points: []fencing.Point{fencing.WriteRequest}},
		"which is no message":                                              {Runs: 1, Messages: []fencing.Point{fencing.BeforeWrite}},
		"its clients are \"client 1\", \"client 2\"":                       {Runs: 1, Faults: func(sample.Draws) []fencing.Fault { return []fencing.Fault{fencing.Crash("x", fencing.BeforeWrite)} }},
		"for \"client 2\", which nobody looks at":                          {Runs: 1, Clocks: sample.SpannerDrift(), Program: alone},
	} {
		_, err := sample.Run(context.Background(), study)
		assert.ErrorContains(t, err, want)
	}
	_, err := sample.Sweep(context.Background(), sample.Study{Runs: 1})
	assert.ErrorContains(t, err, "the sweep has no lengths")
	_, err = sample.Sweep(context.Background(), sample.Study{Runs: 1}, s, 0)
	assert.ErrorContains(t, err, "a lease of 0s: give lengths from 1µs")
	_, err = sample.Sweep(context.Background(), sample.Study{Runs: 1, Leases: sample.Always(s)}, s)
	assert.ErrorContains(t, err, "leave it out")
	_, err = sample.Study{Points: []fencing.Point{0}}.Trace(1)
	assert.ErrorContains(t, err, "no point of a client")
}

func alone(w *fencing.World, _ sample.Draws) {
	w.Client("client 1", func(c *fencing.Client) { c.Acquire("report") })
}

type quiet struct{}

func (quiet) Choose(fencing.Label) fencing.Choice { return fencing.Choice{} }

type empty struct{}

func (empty) Write(_, _ string, _ uint64) error { return nil }
func (empty) Read(string) string                { return "" }

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	run(t, busy())
	ctx, cancel := context.WithCancel(context.Background())
	study := busy()
	study.Progress = func(int, int) { cancel() }
	_, err := sample.Run(ctx, study)
	require.Error(t, err)
	// Some are about to end.
	for tries := 0; runtime.NumGoroutine() > before && tries < 1000; tries++ {
		time.Sleep(time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestResultsPrintWhatIsBehindThem(t *testing.T) {
	text := run(t, busy()).String()
	for _, want := range []string{"500 runs", "seed 7", "leases 3 s to 20 s", "jobs 1 s to 8 s", "100000 ppm at every point paused",
		"20000 ppm at every point crashed", "100000 ppm of every message late by", "clocks gain -200 to 200 ppm", "95 % interval"} {
		assert.Contains(t, text, want)
	}
}

func BenchmarkRun(b *testing.B) {
	study := sample.Study{Runs: 10_000, Jobs: sample.Uniform(s, 8*s), Pauses: sample.TypicalStalls(), PausePPM: 20_000, Clocks: sample.SpannerDrift()}
	runs := 0
	for b.Loop() {
		study.Seed++
		r, err := sample.Run(context.Background(), study)
		require.NoError(b, err)
		runs += r.Runs
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
}
