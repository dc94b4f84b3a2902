package check

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

var exercise = Exercise{
	Name:  "sample",
	Todo:  "Write something.",
	Right: "it is so.",
	Call:  "sample.Check(t, Answer, %d)",
	Hints: []string{"look", "look closer", "this is it"},
}

func yes() bool { return true }

func pass() Finding { return Pass("it holds") }

func states(r Result) []State {
	var s []State
	for _, f := range r.Findings {
		s = append(s, f.State)
	}
	return s
}

func TestAPanicAnExitAndAFailureDoNotHideTheOthers(t *testing.T) {
	var none map[string]int
	r := Evaluate(exercise, 7, yes, []Check{
		{Name: "passes", Run: pass},
		{Name: "panics", Run: func() Finding { none["x"] = 1; return pass() }},
		{Name: "exits", Run: func() Finding { runtime.Goexit(); return pass() }},
		{Name: "panics with nil", Run: func() Finding { panic(nil) }},
		{Name: "fails", Run: func() Finding { return Finding{State: Failed, Got: "less"} }},
		{Name: "passes too", Run: pass},
	})
	assert.Equal(t, []State{Passed, Panicked, Failed, Panicked, Failed, Passed}, states(r))
	assert.Equal(t, Panicked, r.State)
	assert.Equal(t, uint64(7), r.Seed)
	assert.False(t, r.Runaway)
	first, ok := r.First()
	assert.True(t, ok)
	assert.Equal(t, "panics", first.Check)
	assert.Equal(t, "nil map", first.Mistake)
	assert.Contains(t, first.Think, "must be made")
	assert.Contains(t, first.Got, "panicked: assignment to entry in nil map")
	assert.Equal(t, "ends its goroutine", r.Finding("exits").Mistake)
	assert.Equal(t, NotRun, r.Finding("no such").State)
}

type learner struct{ values map[string]string }

func (l *learner) Write(key string) { l.values[key] = "x" }

func TestAPanicNamesTheLearnersFunction(t *testing.T) {
	r := Evaluate(exercise, 0, yes, []Check{{Name: "write", Run: func() Finding { (&learner{}).Write("k"); return pass() }}})
	assert.Equal(t, "learner.Write panicked: assignment to entry in nil map", r.Findings[0].Got)
}

func TestAnUntouchedAnswerIsNotAttempted(t *testing.T) {
	ran := false
	r := Evaluate(exercise, 0, func() bool { return false }, []Check{{Name: "one", Run: func() Finding { ran = true; return pass() }}})
	assert.Equal(t, NotAttempted, r.State)
	assert.Equal(t, []Finding{{Check: "one"}}, r.Findings)
	assert.False(t, ran)
}

func TestAnAnswerThatPanicsAtOnceIsAttempted(t *testing.T) {
	r := Evaluate(exercise, 0, func() bool { panic("x") }, []Check{{Name: "one", Run: pass}})
	assert.Equal(t, Passed, r.State)
}

// In a bubble of synctest time passes when everything waits, and not before.
func TestACheckThatWaitsTimesOutAtItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		start := time.Now()
		r := Evaluate(exercise, 0, yes, []Check{
			{Name: "waits", Run: func() Finding { <-never; return pass() }},
			{Name: "waits less", Limit: time.Second, Run: func() Finding { <-never; return pass() }},
			{Name: "passes", Run: pass},
		})
		assert.Equal(t, []State{TimedOut, TimedOut, Passed}, states(r))
		assert.Equal(t, defaultLimit+time.Second, time.Since(start))
		assert.Equal(t, TimedOut, r.State)
		assert.Equal(t, "waits for ever", r.Findings[0].Mistake)
		assert.Equal(t, "your code was called, and given 1 s", r.Findings[1].Tried)
		assert.False(t, r.Runaway)
	})
}

func TestAllChecksTogetherHaveALimitToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		waits := Check{Name: "waits", Run: func() Finding { <-never; return pass() }}
		start := time.Now()
		r := Evaluate(exercise, 0, func() bool { <-never; return true }, []Check{waits, waits, waits, waits, waits, {Name: "last", Run: pass}})
		assert.Equal(t, []State{TimedOut, TimedOut, TimedOut, TimedOut, TimedOut, NotRun}, states(r))
		assert.Equal(t, total, time.Since(start))
		assert.Equal(t, "the checks before it took 8 s together", r.Findings[5].Got)
	})
}

// fakeTB notes what a test would be told.
type fakeTB struct {
	testing.TB
	failed, skipped bool
}

func (f *fakeTB) Helper()  {}
func (f *fakeTB) Fail()    { f.failed = true }
func (f *fakeTB) SkipNow() { f.skipped = true; runtime.Goexit() }

// told returns what a learner reads, with the story in place of the chart.
func told(r Result) string {
	var out strings.Builder
	r.Exercise = exercise
	Tell(&out, r, func(trace *fencing.Trace) { out.WriteString(trace.String() + "\n") })
	return out.String()
}

func TestReportTellsTheTest(t *testing.T) {
	for state, want := range map[State]fakeTB{
		NotAttempted: {skipped: true}, Passed: {}, Failed: {failed: true}, TimedOut: {failed: true}, Panicked: {failed: true},
	} {
		var got fakeTB
		done := make(chan struct{})
		go func() { // skipping ends the goroutine
			defer close(done)
			Report(&got, Result{Exercise: exercise, State: state, Findings: []Finding{{Check: "one", State: state}}})
		}()
		<-done
		assert.Equal(t, want, got, state)
	}
}

func TestShortFeedback(t *testing.T) {
	assert.Equal(t, "sample: not attempted yet. Write something. For a hint, the hint line in the test cell must\nread sample.Hint(1), without slashes.\n", told(Result{Findings: []Finding{{Check: "one"}}}))
	assert.Equal(t, "sample: passed, all 1 checks.\n\n  passed  one: it holds\n\nWhy this is right: it is so.\n",
		told(Result{State: Passed, Findings: []Finding{{Check: "one", State: Passed, Got: "it holds"}}}))
	out := told(Result{State: TimedOut, Runaway: true, Findings: []Finding{{Check: "one", State: TimedOut}}})
	assert.True(t, strings.HasSuffix(out, "it had started.\n"), "the end is announced last")
}

// The feedback's parts come in one order, whatever the exercise.
func TestFeedbackOrder(t *testing.T) {
	trace := fencing.GCPause().Run()
	out := told(Result{State: Failed, Seed: 5, Findings: []Finding{
		{Check: "one", State: Passed},
		{Check: "two", State: Failed, Mistake: "slip", Tried: "T", Expected: "E", Got: "G", Events: []string{"event 1", "event 2"}, Trace: trace, Replay: []string{"choice"}, Think: "H"},
		{Check: "three", State: NotRun, Got: "it waits for two"},
	}})
	at := 0
	for _, part := range []string{"sample: failed. 1 of 3 checks passed.", "passed     one\n", "failed     two (slip)\n", "not run    three (it waits for two)\n",
		"tried       T\n", "expected    E\n", "got         G\n", "decided by  event 1\n", "            event 2\n", "timeline of your own code", trace.String(),
		"choices     choice\n", "replay      sample.Check(t, Answer, 5)\n", "in place of the Check line in the test cell)\n", "think       H\n", "Hint 1 of 3: look\n", "sample.Hint(2)"} {
		i := strings.Index(out[at:], part)
		require.GreaterOrEqual(t, i, 0, "%q is missing or out of place in:\n%s", part, out)
		at += i + len(part)
	}
}

func TestALoopWithoutAnEndIsNamedAndNotDrawn(t *testing.T) {
	world := fencing.NewWorld(fencing.Config{})
	world.Client("client 1", func(c *fencing.Client) {
		for {
			c.Write("report", "again", 33)
		}
	})
	f, bad := RunFailed(world.Run())
	require.True(t, bad)
	assert.Equal(t, "a loop without an end", f.Mistake)
	assert.Equal(t, "the run took more than 100000 steps, client 1 last, and was stopped", f.Got)
	assert.NotContains(t, f.Think, "sentence above")
	reporter{io.Discard, func(*fencing.Trace) { assert.Fail(t, "it is drawn") }}.timeline(f)
}

// A run of a later check would be drawn for a mistake that it does not show.
func TestOnlyTheRunOfTheFailedCheckIsShown(t *testing.T) {
	r := Result{State: Failed, Findings: []Finding{
		{Check: "one", State: Failed},
		{Check: "two", State: Passed, Trace: fencing.GCPause().Run(), Run: "The second run:"},
	}}
	assert.NotContains(t, told(r), "timeline")
	assert.NotContains(t, told(r), "grants token")
	r.State, r.Findings[0].State = Passed, Passed
	assert.Contains(t, told(r), "\n\nThe second run:\n\n")
}

func TestACheckThatDependsOnWhatPassedHasFailed(t *testing.T) {
	notRun := Check{Name: "depends", Run: func() Finding { return Finding{State: NotRun, Mistake: "m", On: "one", Got: "g"} }}
	assert.Equal(t, " (depends on “one”)", remark(notRun.Run()))
	assert.Equal(t, []State{Passed, Failed, NotRun}, states(Evaluate(exercise, 0, yes, []Check{{Name: "one", Run: pass}, notRun, notRun})))
}

func TestWrap(t *testing.T) {
	word := strings.Repeat("é", 40)
	assert.Equal(t, "  label  "+word+" "+word, wrap("  label  "+word+" "+word, 9), "90 columns of 95")
	assert.Equal(t, "  label  "+word+" "+word+"\n         "+word, wrap("  label  "+word+" "+word+" "+word, 9))
	assert.Equal(t, "  label  "+word+word+word+"\n         next", wrap("  label  "+word+word+word+" next", 9), "a word that does not fit stays whole")
	assert.Equal(t, "", wrap("", 4))
}

func TestTheNumberOfAnEventStaysInFront(t *testing.T) {
	word := strings.Repeat("é", 40)
	for number, indent := range map[string]string{" 9. ": "    ", "10. ": "    ", "    1 s  ": "       "} {
		var out strings.Builder
		reporter{out: &out}.hanging("  label  ", number+word+" "+word+" "+word)
		assert.Contains(t, out.String(), "\n         "+indent+word, number)
	}
}

func TestHints(t *testing.T) {
	assert.Equal(t, "Hint 1 of 3: look\nFor the next hint, the hint line in the test cell must read sample.Hint(2), without slashes.\n", hint(exercise, 1))
	assert.Equal(t, "Hint 3 of 3: this is it\n", hint(exercise, 3))
	for _, n := range []int{-1, 0, 4} {
		assert.Equal(t, "sample has 3 hints. For the first, the hint line in the test cell must read sample.Hint(1),\nwithout slashes.\n", hint(exercise, n))
	}
}

// A learner who has asked for a hint has it above the report already.
func TestTheReportRepeatsNoHint(t *testing.T) {
	t.Cleanup(func() { hinted = false })
	failed := Result{State: Failed, Findings: []Finding{{Check: "one", State: Failed}}}
	assert.Contains(t, told(failed), "Hint 1 of 3")
	Hint(exercise, 2)
	assert.NotContains(t, told(failed), "Hint 1 of 3")
	assert.NotContains(t, told(Result{Findings: []Finding{{Check: "one"}}}), "For a hint")
}

func TestSeedIsTheGivenOneOrANewOne(t *testing.T) {
	assert.Equal(t, uint64(3), Seed([]uint64{3}))
	assert.NotEqual(t, Seed(nil)<<32|Seed(nil), Seed(nil)<<32|Seed(nil))
}

func TestLinesAndChoices(t *testing.T) {
	trace := fencing.GCPause().Run()
	assert.Equal(t, []string{`    1 s  client 1      asks for the lock "report"`}, Lines(trace, 0, called(trace), len(trace.Events)+1))
	assert.Equal(t, []string{"client 1/after acquire/1=pause 14s"}, Choices(trace.Config.Faults))
	assert.Equal(t, "0.25 s", fencing.Seconds(time.Second/4))
}

func called(trace *fencing.Trace) int {
	for _, e := range trace.Events {
		if e.Kind == fencing.Called {
			return e.Seq
		}
	}
	return 0
}

// spins are answers that nothing can stop, so each runs in a process of its own,
// which must end by itself.
var spins = map[string]func() Finding{
	"a loop": func() Finding {
		for {
		}
	},
	"a loop in a storage": func() Finding {
		preset := fencing.GCPause()
		preset.Storage = spinning{}
		preset.Run()
		return pass()
	},
}

type spinning struct{}

func (spinning) Write(string, string, uint64) error {
	for {
	}
}
func (spinning) Read(string) string { return "" }

func TestALoopEndsTheProcessAfterTheReport(t *testing.T) {
	if name := os.Getenv("CHECK_SPIN"); name != "" {
		Report(t, Evaluate(exercise, 0, yes, []Check{
			{Name: "first", Run: pass},
			{Name: name, Limit: time.Second, Run: spins[name]},
			{Name: "last", Run: pass},
		}))
		t.Log("still here")
		return
	}
	for name := range spins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()[:strings.Index(t.Name(), "/")]+"$", "-test.v", "-test.timeout=60s")
			cmd.Env = append(os.Environ(), "CHECK_SPIN="+name)
			var out, errors strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errors
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Run(), &exit)
			assert.Equal(t, 1, exit.ExitCode())
			assert.Contains(t, out.String(), "timed out  "+name+" (endless loop)\n")
			assert.Contains(t, out.String(), "passed     last\n", "the checks after it still run")
			assert.True(t, strings.HasSuffix(out.String(), "it had started.\n"), out.String())
			assert.Empty(t, errors.String(), "nothing on standard error")
		})
	}
}
