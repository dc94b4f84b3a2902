package readtimeline

import (
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
)

// Reading is what a learner has read from one timeline.
type Reading struct {
	Late     int           // how many writes came when their writer's lease had ended
	Stale    int           // how many of all came after the storage had accepted a higher token, whatever became of them
	AtTheEnd string        // whose data the storage holds at the end: "client 1" or "client 2"
	Overlap  time.Duration // how long both clients believed at once that they held the lock
}

// Readings are those of the three runs of a number that the learner has chosen.
type Readings struct {
	Number uint64 // not 0; Show draws its runs
	Runs   [3]Reading
}

// Answer returns a learner's readings.
type Answer = func() Readings

// Check compares the readings with the runs of their number and reports what it
// found. The runs depend on the number and not on the seed.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(answer Answer) bool { return answer != nil && answer() != Readings{} }

var exercise = check.Exercise{
	Name: "readtimeline",
	Todo: "Choose a number, look at its three runs with readtimeline.Show, write down what you read, run the cell, then run this one again.",
	Call: "readtimeline.Check(t, Read, %d)",
	Right: "late asks for the writer’s lease, stale for what the storage had accepted before. What is rejected changes nothing. " +
		"And belief ends when a client learns better, not when its lease ends.",
	Hints: []string{
		"Read each lane for itself: the lock service’s for when a lease ends, the storage’s for what was accepted and with which token, the clients’ for what they believe.",
		"Late: does the write arrive after the end of its writer’s lease? Stale: had a higher token been accepted before it? A write can be late without being stale. At the end the storage holds what was accepted last.",
		"The overlap begins when the second client is granted the lock while the first one still believes, also if that one stands still. It ends when the first of the two learns better or releases: the band above the lanes says how long it is, and hovering over it shows from when until when.",
	},
}

func checks(answer Answer, _ uint64) []check.Check {
	rules := []check.Rule[*look]{
		{Name: "late writes", Judge: late},
		{Name: "stale writes", Judge: stale},
		{Name: "whose data is there at the end", Judge: atTheEnd},
		{Name: "how long both believed", Judge: overlap},
	}
	return check.Each(rules, func(_ int, rule func(*look) check.Finding) check.Finding { return judge(answer(), rule) })
}
