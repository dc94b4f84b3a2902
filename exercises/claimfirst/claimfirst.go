package claimfirst

import (
	"errors"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what the worker returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the worker here")

// Job is one line to add to one record. The record's lock has the record's name.
type Job struct {
	Record string        // the key at the storage, and the name of its lock
	Line   string        // what to add
	Work   time.Duration // how long it takes to make the new text
}

// Add works for a while and returns the text with the job's line below it.
func (j Job) Add(c *fencing.Client, text string) string {
	c.Work(j.Work)
	return text + j.Line + "\n"
}

// Answer is what a learner hands in. It returns nil if the line is in the record,
// and the error that stopped it otherwise.
type Answer = func(c *fencing.Client, job Job) error

// Check runs addLine in several worlds and reports what it found. A seed repeats a
// run; without one, the worlds are new every time.
func Check(t testing.TB, addLine Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, addLine, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(addLine Answer, seed uint64) check.Result { return task.Evaluate(addLine, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(addLine Answer) bool {
	if addLine == nil {
		return false
	}
	r := newWorld(1).run(addLine)
	return !errors.Is(r.returned["client 1"], ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "claimfirst",
	Todo: "Write the worker, run its cell, then run this one again.",
	Call: "claimfirst.Check(t, AddLine, %d)",
	Right: "from the claim on, the fence stands at the token of the new holder, so what it has read cannot be changed by any holder before it, however late their writes arrive. " +
		"A claim after the read, or a read after the claim that is not used, would leave a gap; one step leaves none.",
	Hints: []string{
		"When does the storage learn that there is a new holder? Until then it takes the old one’s writes. Which of your calls is the first that tells it?",
		"c.Claim raises the fence to your token and returns the value, in one step. Use what it returns, and nothing that you read before. What does its error mean, and what is left to do then?",
		"lease := c.Acquire(job.Record); text, err := c.Claim(job.Record, lease.Token), and on an error return it; text = job.Add(c, text); err = c.Write(job.Record, text, lease.Token), and on an error return it; return c.Release(lease).",
	},
}

func checks(addLine Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: healthyCheck, Judge: nothingGoesWrong},
		{Name: "a paused holder’s write loses no line", Judge: pausedWrite},
		{Name: "a delayed write loses no line", Judge: delayedWrite},
		{Name: "whoever is refused stops", Judge: refused},
		{Name: "two records, and two jobs each", Judge: twoRecords},
	}
	return check.Each(rules, func(number int, rule func(*attempt) check.Finding) check.Finding {
		return rule(&attempt{addLine: addLine, seed: seed + uint64(number)<<32})
	})
}
