package check

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

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
		text := fmt.Sprintf("%s: not attempted yet. %s", r.Exercise.Name, r.Exercise.Todo)
		if !hinted {
			text += " " + howToHint("a hint", r.Exercise, 1)
		}
		p.paragraph(text)
	case Passed:
		p.passed(r)
	default:
		p.failed(r)
	}
	if r.Runaway {
		p.printf("\n")
		p.paragraph("A loop in your code still runs, and nothing can stop it. So this test ends here, with all that it had started.")
	}
}

// hinted is set when the cell that runs has asked for a hint.
var hinted bool

// Hint prints one hint of an exercise, counted from 1.
func Hint(e Exercise, n int) {
	hinted = true
	fmt.Print(hint(e, n))
}

type reporter struct {
	out  io.Writer
	draw func(*fencing.Trace)
}

func (p reporter) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

func (p reporter) passed(r Result) {
	p.printf("%s: passed, all %d checks.\n\n", r.Exercise.Name, len(r.Findings))
	for _, f := range r.Findings {
		p.hanging("  passed  ", f.Check+": "+f.Got)
	}
	p.printf("\n")
	p.paragraph("Why this is right: " + r.Exercise.Right)
	for _, f := range r.Findings {
		p.timeline(f)
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
		p.hanging(fmt.Sprintf("  %-9s  ", f.State), f.Check+remark(f))
	}
	p.printf("\nThe first that did not pass: %s\n\n", first.Check)
	p.line("tried", first.Tried)
	p.line("expected", first.Expected)
	p.line("got", first.Got)
	p.lines("decided by", first.Events)
	// Only the run of this very check: another one would not show what went wrong.
	p.timeline(first)
	p.printf("\n")
	p.lines("choices", first.Replay)
	p.lines("replay", []string{fmt.Sprintf(r.Exercise.Call, r.Seed), "(it goes in place of the Check line in the test cell)"})
	p.line("think", first.Think)
	if !hinted {
		p.printf("\n%s", hint(r.Exercise, 1))
	}
}

// remark says in the list of checks what went wrong, or why a check did not run.
func remark(f Finding) string {
	switch {
	case f.State == Passed:
		return ""
	case f.State == NotRun && f.On != "":
		return " (depends on “" + f.On + "”)"
	case f.State == NotRun && f.Got != "":
		return " (" + f.Got + ")"
	case f.Mistake != "":
		return " (" + f.Mistake + ")"
	}
	return ""
}

// width is how many columns of text fit into a notebook's output. It breaks
// longer lines wherever they are, inside words too.
const width = 95

// wrap breaks a line at spaces, and begins all but the first with the indent.
func wrap(line string, indent int) string {
	var b strings.Builder
	for rest := []rune(line); ; {
		at := breakAt(rest, indent)
		if at < 0 {
			b.WriteString(string(rest))
			return b.String()
		}
		b.WriteString(strings.TrimRight(string(rest[:at]), " ") + "\n")
		rest = []rune(strings.Repeat(" ", indent) + strings.TrimLeft(string(rest[at:]), " "))
	}
}

// breakAt returns the last space at which a line may be broken so that it fits,
// the first one if a word is too long for that, -1 if there is nothing to break.
func breakAt(line []rune, indent int) int {
	if len(line) <= width {
		return -1
	}
	at := -1
	for i, r := range line {
		if i > width && at >= 0 {
			break
		}
		if r == ' ' && i > indent && strings.TrimSpace(string(line[:i])) != "" {
			at = i
		}
	}
	return at
}

func (p reporter) paragraph(text string) { p.printf("%s\n", wrap(text, 0)) }

// numbered is how the events of an exercise without a simulated time begin.
var numbered = regexp.MustCompile(`^ *\d+\. `)

// hanging writes text behind a label, which stays alone in its column. The time
// or number that an event begins with stays in front of the rest of the event.
func (p reporter) hanging(label, text string) {
	indent := utf8.RuneCountInString(label)
	if number := numbered.FindString(text); number != "" {
		indent += len(number)
	} else if event := len(text) - len(strings.TrimLeft(text, " ")); event > 0 {
		indent += event + len("1. ")
	}
	p.printf("%s\n", wrap(label+text, indent))
}

func (p reporter) line(label, text string) {
	if text != "" {
		p.hanging(fmt.Sprintf("  %-10s  ", label), text)
	}
}

func (p reporter) lines(label string, lines []string) {
	for _, l := range lines {
		p.line(label, l)
		label = ""
	}
}

// drawable is how many events a run may have. An endless loop has 100,000, and
// its chart would be a page of 36 MB.
const drawable = 2000

func (p reporter) timeline(f Finding) {
	if f.Trace == nil || len(f.Trace.Events) > drawable {
		return
	}
	title := f.Run
	if title == "" {
		title = "The timeline of your own code:"
	}
	p.printf("\n")
	p.paragraph(title)
	p.printf("\n")
	p.draw(f.Trace)
}

func hint(e Exercise, n int) string {
	if n < 1 || n > len(e.Hints) {
		return wrap(fmt.Sprintf("%s has %d hints. %s", e.Name, len(e.Hints), howToHint("the first", e, 1)), 0) + "\n"
	}
	text := wrap(fmt.Sprintf("Hint %d of %d: %s", n, len(e.Hints), e.Hints[n-1]), 0) + "\n"
	if n < len(e.Hints) {
		text += wrap(howToHint("the next hint", e, n+1), 0) + "\n"
	}
	return text
}

// howToHint says how a cell of a notebook calls Hint: the test cell has the line
// for the first hint, behind two slashes.
func howToHint(which string, e Exercise, n int) string {
	return fmt.Sprintf("For %s, the hint line in the test cell must read %s.Hint(%d), without slashes.", which, e.Name, n)
}
