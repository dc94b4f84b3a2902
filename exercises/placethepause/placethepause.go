package placethepause

import (
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Answer is what a learner hands in for one world.
type Answer struct {
	Faults      []fencing.Fault // what the world does to the clients: one pause
	StaleWriter string          // prediction: whose write is stale, "client 1" or "client 2"
	ArrivesAt   time.Duration   // prediction: when it arrives at the storage
}

// Check asks answer for three worlds, runs them and reports what it found. A
// seed repeats a run; without one, the worlds are new every time.
func Check(t testing.TB, answer func(World) Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer func(World) Answer, seed uint64) check.Result {
	return task.Evaluate(answer, seed)
}

var task = check.Task[func(World) Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(answer func(World) Answer) bool {
	return answer != nil && len(answer(Example).Faults) > 0
}

var exercise = check.Exercise{
	Name: "placethepause",
	Todo: "Put a fault and your prediction into the answer, run its cell, then run this one again.",
	Call: "placethepause.Check(t, PlaceThePause, %d)",
	Right: "client 1 got a lease, was stopped between its grant and its write for longer than the lease, and had no way to notice. " +
		"By the time its write arrived, client 2 had been granted the lock and had written. The lock service did nothing wrong in any of it, and a storage that checks tokens rejects that same write.",
	Hints: []string{
		"Put the times on one line: client 1’s grant, the end of its lease, client 2’s grant, client 2’s write. Where on that line must client 1’s write arrive to be stale?",
		"Client 2 is granted the lock when client 1’s lease ends, and works before it writes. Client 1 must be stopped after its grant and before its write, until client 2 has written. fencing.AfterAcquire and fencing.BeforeWrite are both in between.",
		"Client 2’s write arrives at world.Start + world.Lease + world.Work. Client 1’s write arrives at world.Start + world.Work, later by exactly the pause. Compare the two, and take a pause that is a little longer than it must be, within world.Lease + placethepause.Room.",
	},
}

func checks(answer func(World) Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: "every fault happens", Judge: everyFaultHappens},
		{Name: "the write of client 1 is stale", Judge: writeIsStale},
		{Name: "it is the write that you named", Judge: predictionHolds},
		{Name: "the correct twin, the same run with fencing on, survives", Judge: twinSurvives},
		{Name: "one pause, within the budget", Judge: withinBudget},
	}
	return check.Each(rules, func(_ int, rule func(*attempt) check.Finding) check.Finding {
		return judge(answer, seed, rule)
	})
}
