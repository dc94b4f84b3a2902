package checkpoint

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what the worker returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the worker here")

// Job is a batch of items. Its lock, and the key under which its progress is kept,
// have its name.
type Job struct {
	Batch string        // the lock, and the key of the progress
	Items int           // how many there are
	Takes time.Duration // how long one item takes
}

// Do does one item, counted from 0. It takes a while and has an effect on the world
// outside, which cannot be taken back.
func (j Job) Do(c *fencing.Client, item int) {
	c.Work(j.Takes)
	c.Do(j.effect(item))
}

func (j Job) effect(item int) string { return fmt.Sprintf("item %d of %s", item, j.Batch) }

// Progress returns the value to write when so many items are done.
func (j Job) Progress(done int) string { return fmt.Sprintf("%d of %d done", done, j.Items) }

// Done reads a value that Progress made, and returns how many items are done; 0 for
// a key that was never written.
func (j Job) Done(progress string) int {
	var done int
	_, _ = fmt.Sscanf(progress, "%d of", &done) // what is no progress counts as none
	return done
}

// Answer is what a learner hands in. It returns nil if all items are done, and the
// error that stopped it otherwise.
type Answer = func(c *fencing.Client, job Job) error

// Check runs process in several worlds and reports what it found. A seed repeats a
// run; without one, the worlds are new every time.
func Check(t testing.TB, process Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, process, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(process Answer, seed uint64) check.Result { return task.Evaluate(process, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(process Answer) bool {
	return process != nil && !errors.Is(newWorld(1).run(process).returned["client 1"], ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "checkpoint",
	Todo: "Write the worker, run its cell, then run this one again.",
	Call: "checkpoint.Check(t, Process, %d)",
	Right: "whoever holds the lock begins with the first item that is not committed, and commits each with its own token. " +
		"So whatever becomes of a holder, the next one repeats at most the item that was under way. (To make that one harmless too, its effect needs an idempotency key.)",
	Hints: []string{
		"Where does the next holder learn how far the work is? And what has to be true of an item before it is counted?",
		"Claim first: the claim returns the progress, and no older holder can change it any more. Then one item and one checkpoint with your token, again and again. On any error from the storage: return it, and touch nothing.",
		"lease := c.Acquire(job.Batch); progress, err := c.Claim(job.Batch, lease.Token); for done := job.Done(progress); done < job.Items; done++ { job.Do(c, done); err := c.Write(job.Batch, job.Progress(done+1), lease.Token); on an error return it }; return c.Release(lease).",
	},
}

func checks(process Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: healthyCheck, Judge: nothingGoesWrong},
		{Name: "after a crash the next holder goes on where the committed work ends", Judge: crashes},
		{Name: "a holder that was paused stops when it is told", Judge: pauses},
		{Name: "a late checkpoint does not slip in", Judge: lateCheckpoints},
		{Name: "a checkpoint without an answer is neither written nor not written", Judge: noAnswer},
	}
	return check.Each(rules, func(number int, rule func(*attempt) check.Finding) check.Finding {
		return rule(&attempt{process: process, seed: seed + uint64(number)<<32})
	})
}
