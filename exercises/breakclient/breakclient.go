package breakclient

import (
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Answer returns what the world does to a target: one fault.
type Answer = func(Target) []fencing.Fault

// Check asks answer for three worlds of every precaution, runs them and reports
// what it found. A seed repeats a run; without one, the worlds are new every time.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(answer Answer) bool {
	if answer == nil {
		return false
	}
	for p := range precautions {
		if len(answer(Example(p))) > 0 {
			return true
		}
	}
	return false
}

var exercise = check.Exercise{
	Name: "breakclient",
	Todo: "Return a fault for one of the clients, run the cell, then run this one again.",
	Call: "breakclient.Check(t, Break, %d)",
	Right: "whatever a client learns before its write, from its clock, from the lock service or with a margin, was true a moment ago. " +
		"A pause, a message or a clock makes that moment longer than the lease. The storage’s check has no such moment, and none of your faults got past it.",
	Hints: []string{
		"For each client, say what it knows when it writes, and since when it may have been wrong. Your fault has to make that time longer than what is left of the lease, and 1 s longer still: client 2 works 1 s before it writes.",
		"A pause must come after the look. A message: the write itself can be late. Of the messages to and from the lock service: which one brings the good news? Of the clocks: which one ends the lease?",
		"fencing.Pause(\"client 1\", fencing.AfterCheck, ...); fencing.Delay(\"client 1\", fencing.WriteRequest, ...); fencing.Delay(\"client 1\", fencing.RenewReply, ...); fencing.JumpClock(fencing.ActorLockService, target.Start+time.Second, ...). With target.Lease + 2*time.Second each is long enough.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	each := func(name string, rule func(*attempt) check.Finding, precautions ...Precaution) check.Check {
		return check.Check{Name: name, Run: func() check.Finding { return judge(answer, seed, rule, precautions) }}
	}
	all := []Precaution{ChecksFirst, ChecksTwice, RenewsFirst, KeepsMargin}
	list := []check.Check{each("every fault happens", everyFaultHappens, all...)}
	for _, p := range all {
		list = append(list, each("the client that "+p.String()+" loses data", losesData, p))
	}
	return append(list,
		each("the correct twins, the same clients with fencing on, survive", twinSurvives, all...),
		each("one fault each, of the kind allowed and within the budget", withinMeans, all...))
}
