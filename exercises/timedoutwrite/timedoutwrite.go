package timedoutwrite

import (
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Reaction is what a learner hands in.
type Reaction struct {
	// Numbered lets the client number the writes of one grant and the storage
	// check that number too: fencing.Config.NumberedWrites.
	Numbered bool
	// Save stores the value under the lock's name, with the lease's token, and
	// returns what it knows of it: fencing.OK, fencing.Fail or fencing.Unknown.
	Save func(c *fencing.Client, lease fencing.Lease, value string) fencing.Outcome
}

// Check runs the reaction in worlds in which messages are lost and late, and
// reports what it found. A seed repeats a run; without one, the worlds are new
// every time.
func Check(t testing.TB, reaction Reaction, seed ...uint64) {
	t.Helper()
	task.Check(t, reaction, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(reaction Reaction, seed uint64) check.Result { return task.Evaluate(reaction, seed) }

var task = check.Task[Reaction]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(reaction Reaction) bool {
	if reaction.Save == nil {
		return false
	}
	r := newWorld(0, 0).run(reaction, false)
	return len(r.saves) == 0 || r.saves[0].outcome != fencing.None
}

var exercise = check.Exercise{
	Name: "timedoutwrite",
	Todo: "Write what Save does after a time-out and what it returns, run its cell, then run this one again.",
	Call: "timedoutwrite.Check(t, Reaction, %d)",
	Right: "after a time-out it took the outcome for unknown, and sent the same value again while its lease ran. " +
		"A request of its own that came late could not undo a later value. It stopped at a rejection and at its deadline, and then it said what it knew, which may be that it does not know.",
	Hints: []string{
		"A time-out looks the same whether the request was lost, the reply was lost, or the request is still on its way. What can you do next that is right in all three?",
		"Send the same value again until the storage answers. Then think of the first request: it may still arrive, with the same token, after your next value. What could the storage compare to see that it is older?",
		"Numbered: true. In Save, for c.Holds(lease): write; nil is fencing.OK; on fencing.ErrTimeout remember that one timed out, and go round again; on another error return fencing.Fail if none has timed out, else fencing.Unknown. After the loop: fencing.Unknown if one timed out.",
	},
}

func checks(reaction Reaction, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: "without a fault every value is saved once", Judge: undisturbed},
		{Name: "the reply was lost", Judge: lostReply},
		{Name: "the request was lost", Judge: lostRequest},
		{Name: "the request comes after the next write", Judge: lateRequest},
		{Name: "a rejection is a no, and the end", Judge: rejection},
		{Name: "a rejection after a time-out", Judge: rejectionAfter},
		{Name: "the storage is out of reach until the lease has ended", Judge: outOfReach},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		return rule(&session{reaction, newWorld(seed, number)})
	})
}
