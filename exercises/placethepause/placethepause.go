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
	check.Report(t, Evaluate(answer, check.Seed(seed)))
}

// Hint prints one of the three hints.
func Hint(n int) { check.Hint(exercise, n) }

// Evaluate judges without reporting.
func Evaluate(answer func(World) Answer, seed uint64) check.Result {
	attempted := func() bool { return answer != nil && len(answer(Example).Faults) > 0 }
	return check.Evaluate(exercise, seed, attempted, checks(answer, seed))
}

// limit leaves a learner's function, called for three worlds, more than enough.
const limit = 1500 * time.Millisecond

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
	rules := []struct {
		name  string
		judge func(*attempt) check.Finding
	}{
		{"every fault happens", everyFaultHappens},
		{"the write of client 1 is stale", writeIsStale},
		{"it is the write that you named", predictionHolds},
		{"the correct twin, the same run with fencing on, survives", twinSurvives},
		{"one pause, within the budget", withinBudget},
	}
	list := make([]check.Check, len(rules))
	for i, rule := range rules {
		list[i] = check.Check{Name: rule.name, Limit: limit, Run: func() check.Finding {
			return judge(answer, seed, rule.judge)
		}}
	}
	return list
}
