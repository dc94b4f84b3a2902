package check

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"fencingtokens/charts"
	"fencingtokens/fencing"
)

// Report tells the learner the result on standard output and the test its
// outcome: passed, failed, or skipped if the answer was not attempted, so that
// an untouched notebook runs to its end. If some code of the answer still
// loops, Report ends the process: the cell fails, and the notebook's kernel
// lives on.
func Report(tb testing.TB, r Result) {
	tb.Helper()
	Tell(os.Stdout, r, func(trace *fencing.Trace) { charts.Timeline(trace) })
	switch r.State {
	case NotAttempted:
		tb.SkipNow()
	case Passed:
	default:
		// Fail without a message: a message would come with a line of a file that
		// no cell shows.
		tb.Fail()
	}
	if r.Runaway {
		os.Exit(1)
	}
}

// Tell writes the result for the learner. Draw shows a run; the text goes on
// below it.
func Tell(out io.Writer, r Result, draw func(*fencing.Trace)) {
	p := reporter{out, draw}
	switch r.State {
	case NotAttempted:
		p.printf("%s: not attempted yet. %s\n", r.Exercise.Name, r.Exercise.Todo)
	case Passed:
		p.passed(r)
	default:
		p.failed(r)
	}
	if r.Runaway {
		p.printf("\nA loop in your code still runs, and nothing can stop it. So this test ends here, with all that it had started.\n")
	}
}

// Hint prints one hint of an exercise, counted from 1.
func Hint(e Exercise, n int) { fmt.Print(hint(e, n)) }

type reporter struct {
	out  io.Writer
	draw func(*fencing.Trace)
}

func (p reporter) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

func (p reporter) passed(r Result) {
	p.printf("%s: passed, all %d checks.\n\n", r.Exercise.Name, len(r.Findings))
	for _, f := range r.Findings {
		p.printf("  passed  %s: %s\n", f.Check, f.Got)
	}
	p.printf("\nWhy this is right: %s\n", r.Exercise.Right)
	for _, f := range r.Findings {
		p.timeline(f.Trace)
	}
}

func (p reporter) failed(r Result) {
	first, _ := r.First()
	passed := 0
	for _, f := range r.Findings {
		if f.State == Passed {
			passed++
		}
	}
	p.printf("%s: %s. %d of %d checks passed.\n\n", r.Exercise.Name, r.State, passed, len(r.Findings))
	for _, f := range r.Findings {
		p.printf("  %-9s  %s%s\n", f.State, f.Check, remark(f))
	}
	p.printf("\nThe first that did not pass: %s\n\n", first.Check)
	p.line("tried", first.Tried)
	p.line("expected", first.Expected)
	p.line("got", first.Got)
	p.lines("decided by", first.Events)
	p.timeline(shown(first, r))
	p.printf("\n")
	p.lines("choices", first.Replay)
	p.line("replay", fmt.Sprintf(r.Exercise.Call, r.Seed))
	p.line("think", first.Think)
	p.printf("\n%s", hint(r.Exercise, 1))
}

// remark says in the list of checks what went wrong, or why a check did not run.
func remark(f Finding) string {
	switch {
	case f.State == Passed:
		return ""
	case f.State == NotRun && f.Got != "":
		return " (" + f.Got + ")"
	case f.Mistake != "":
		return " (" + f.Mistake + ")"
	}
	return ""
}

// shown picks the run to draw: the one that failed, else the first run of the
// learner's code that there is.
func shown(first Finding, r Result) *fencing.Trace {
	if first.Trace != nil {
		return first.Trace
	}
	for _, f := range r.Findings {
		if f.Trace != nil {
			return f.Trace
		}
	}
	return nil
}

func (p reporter) line(label, text string) {
	if text != "" {
		p.printf("  %-10s  %s\n", label, text)
	}
}

func (p reporter) lines(label string, lines []string) {
	for _, l := range lines {
		p.line(label, l)
		label = ""
	}
}

func (p reporter) timeline(trace *fencing.Trace) {
	if trace == nil {
		return
	}
	p.printf("\nThe timeline of your own code:\n\n")
	p.draw(trace)
}

func hint(e Exercise, n int) string {
	if n < 1 || n > len(e.Hints) {
		return fmt.Sprintf("%s has %d hints: call %s.Hint(1) for the first.\n", e.Name, len(e.Hints), e.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Hint %d of %d: %s\n", n, len(e.Hints), e.Hints[n-1])
	if n < len(e.Hints) {
		fmt.Fprintf(&b, "For the next hint, run %s.Hint(%d) in a cell.\n", e.Name, n+1)
	}
	return b.String()
}
