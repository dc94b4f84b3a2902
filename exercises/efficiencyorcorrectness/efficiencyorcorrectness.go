package efficiencyorcorrectness

import (
	"testing"

	"fencingtokens/exercises/internal/check"
)

// Purpose is what keeping two workers apart is for.
type Purpose string

// The purposes, after Martin Kleppmann, How to do distributed locking (2016).
const (
	Efficiency  Purpose = "efficiency"  // if two are at work at once, work is done twice, and nothing is wrong afterwards
	Correctness Purpose = "correctness" // something is wrong then, and doing the job once more does not put it right
)

// Choice is what a learner says of a job. Its guards can be combined.
type Choice struct {
	For   Purpose
	Lock  bool // a lock with a lease
	Fence bool // the storage checks the lock's token, and each worker claims the record first
	Key   bool // an idempotency key: whoever carries out the effect does so once for each key
}

// Answer chooses for a job.
type Answer = func(Job) Choice

// Check runs what answer chooses for jobs of every kind and reports what it found.
// A seed repeats a run; without one, the jobs are new every time.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(answer Answer) bool { return answer != nil && answer(Examples[0]) != Choice{} }

var exercise = check.Exercise{
	Name: "efficiencyorcorrectness",
	Todo: "Return a choice for every job in Choose, run its cell, then run this one again.",
	Call: "efficiencyorcorrectness.Check(t, Choose, %d)",
	Right: "the job decides, not the lock. What is made anew may be made twice, so there a lock has to save more than it costs. " +
		"What is added to needs a fence, because a lease can end while its holder stands still. And a payment needs a key at whoever pays, because no storage can take it back.",
	Hints: []string{
		"Ask of each job: two workers do it at once. What is in the record afterwards, and what has happened outside? Would doing the job once more put that right?",
		"A lease ends while its holder stands still, so it never keeps data. A fence rejects the late write, but an effect outside has happened by then. A key lets an effect happen once, and knows nothing of records. Without a lock there are no tokens, so a fence needs one.",
		"Fence: job.AddsTo. Key: job.Effect is a Payment. Lock: there is a fence, or job.RunsPerYear*job.TwiceCents is more than LockCentsPerYear. For: Correctness if a fence or a key is needed.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: "what the lock is for", Judge: purpose},
		{Name: "no data is lost", Judge: dataKept},
		{Name: "no payment is made twice", Judge: paidOnce},
		{Name: "the work that is saved is worth it", Judge: workSaved},
		{Name: "nothing is there for nothing", Judge: nothingSpare},
	}
	return check.Each(rules, func(_ int, rule func(*attempt) check.Finding) check.Finding { return judge(answer, seed, rule) })
}
