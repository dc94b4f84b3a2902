package renewingworker

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what the worker returns at its end in the cell as it is
// handed out.
var ErrNotAttempted = errors.New("not attempted yet: renew on the way, and return nil when all parts are done")

// Job is what the worker has to do, and what it has to do it with.
type Job struct {
	Lease    fencing.Lease // the grant; its Until is counted from the reply, which is too late
	Asked    time.Duration // the client's clock just before the request for the grant was sent
	Length   time.Duration // how long a lease lasts, from when the lock service grants or renews it
	Parts    int           // how many parts the job has
	Part     time.Duration // the work of one part; a write follows it
	Renewals int           // how many renewals it may ask for if nothing goes wrong
}

// Value is what the write of a part stores; parts are counted from 0.
func (j Job) Value(part int) string { return fmt.Sprintf("part %d of %d", part+1, j.Parts) }

// Worker does the job, part by part. It returns nil if all parts are done.
type Worker = func(c *fencing.Client, job Job) error

// Check runs the worker undisturbed and with faults, and reports what it found. A
// seed repeats a run; without one, the jobs are new every time.
func Check(t testing.TB, worker Worker, seed ...uint64) {
	t.Helper()
	task.Check(t, worker, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(worker Worker, seed uint64) check.Result { return task.Evaluate(worker, seed) }

var task = check.Task[Worker]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(worker Worker) bool {
	if worker == nil {
		return false
	}
	w := newWorld(0, 0)
	w.job.Parts = 1
	return !errors.Is(w.run(worker, false).err, ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "renewingworker",
	Todo: "Renew on the way and keep a deadline, return nil at the end, run the cell, then run this one again.",
	Call: "renewingworker.Check(t, Renewing, %d)",
	Right: "it counted its deadline from before each request that was granted, and looked at it right before each write. " +
		"A renewal without an answer moved nothing; a refusal, a fenced write and its own deadline ended the job. What a pause can still do after the last look is the storage’s part.",
	Hints: []string{
		"Keep one variable: your deadline. What is it after the grant, what after a renewal that was granted, and what after one that timed out? And when do you look at it?",
		"Before you renew, note sent := c.Now(). If the renewal is granted the lease lasts at least until sent + job.Length; what counts from the reply comes too late. Renew when about half of the lease is left, so that there is time for another try.",
		"deadline := job.Asked + job.Length. Before each part: if deadline-c.Now() < job.Length/2, renew; nil moves the deadline to sent + job.Length, fencing.ErrLeaseLost ends the job, fencing.ErrTimeout changes nothing. Work. If c.Now() >= deadline, return an error. Write; return its error if it has one.",
	},
}

func checks(worker Worker, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: doneCheck, Judge: jobDone},
		{Name: "within the budget of renewals", Judge: withinBudget},
		{Name: "a renewal without an answer ends nothing", Judge: noAnswer},
		{Name: "no write after a pause past the deadline", Judge: paused},
		{Name: "cut off from the lock service, it stops at its deadline", Judge: cutOff},
		{Name: "the deadline counts from before the request", Judge: slowReply},
		{Name: "a refused renewal ends the job", Judge: refused},
		{Name: "a fenced write ends the job", Judge: fenced},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		return rule(&session{worker, newWorld(seed, number)})
	})
}
