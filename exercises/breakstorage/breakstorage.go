package breakstorage

import (
	"testing"

	"fencingtokens/exercises/internal/check"
)

// Answer returns the writes that break a target, at most two.
type Answer = func(Target) []Write

// Check asks answer for three worlds of every storage, runs them and reports what
// it found. A seed repeats a run; without one, the worlds are new every time.
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
	for _, s := range storages {
		if len(answer(Example(s))) > 0 {
			return true
		}
	}
	return false
}

var exercise = check.Exercise{
	Name: "breakstorage",
	Todo: "Return the writes for one of the storages, run the cell, then run this one again.",
	Call: "breakstorage.Check(t, Break, %d)",
	Right: "a check must let in every holder that nobody newer has written after, as often as it likes, and nobody else; and it must compare and store in one step. " +
		"The storage that does so took each of your writes as it should.",
	Hints: []string{
		"There are two ways to be wrong: to let somebody in who is too old, and to shut somebody out who is not. Go through every storage and ask for both.",
		"Equality: who brings another token than the last writer, and is in the right? Higher: who brings the same token again, and is in the right? Two steps: the newer write is checked, and stored target.Gap later. What does the storage still know in between?",
		"Equality: client 1 writes within its lease, client 2 after its own grant, at target.Start+target.Lease. Higher: client 1 writes twice. Two steps: client 2 writes, and client 1's write arrives half a gap later.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	each := func(name string, rule func(*attempt) check.Finding, storages ...Storage) check.Check {
		return check.Check{Name: name, Run: func() check.Finding { return judge(answer, seed, rule, storages) }}
	}
	list := []check.Check{each("every write can be made", everyWriteHappens, storages...)}
	for _, s := range storages {
		list = append(list, each("the storage that "+s.String()+" is broken", broken, s))
	}
	return append(list, each("two writes are enough", withinBudget, storages...))
}
