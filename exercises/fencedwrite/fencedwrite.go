package fencedwrite

import (
	"errors"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what Write returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the storage’s check here")

// Check runs the exercise on storages that newStorage makes and reports what it
// found. A seed repeats a run; without one, keys and tokens are new every time.
func Check(t testing.TB, newStorage func() fencing.Checker, seed ...uint64) {
	t.Helper()
	task.Check(t, newStorage, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(newStorage func() fencing.Checker, seed uint64) check.Result {
	return task.Evaluate(newStorage, seed)
}

var task = check.Task[func() fencing.Checker]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(newStorage func() fencing.Checker) bool {
	if newStorage == nil {
		return false
	}
	s := newStorage()
	return s == nil || !errors.Is(s.Write("a key", "a value", 1), ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "fencedwrite",
	Todo: "Write the storage’s check in Write, run its cell, then run this one again.",
	Call: "fencedwrite.Check(t, NewStorage, %d)",
	Right: "once the storage has accepted a token for a key, it accepts nothing lower for that key, whatever a client believes about its lease. " +
		"It needs no clock and no word with the lock service: the number that comes with the write is enough.",
	Hints: []string{
		"What must the storage remember about a key, so that it can tell an old holder’s write from a new one’s? It need not know who holds the lock now.",
		"Keep a second map from key to the highest token accepted. Compare before you store anything; ask yourself what the comparison says if the holder writes twice with one token.",
		"In Write: if token is lower than the key’s fence, return fmt.Errorf(\"%w: ...\", fencing.ErrFenced) at once. Else set the fence to token, store the value and return nil. A key that was never written has fence 0, which is what a map gives for it.",
	},
}

func checks(newStorage func() fencing.Checker, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: firstCheck, Judge: firstWrite},
		{Name: holderCheck, Judge: holderWritesAgain},
		{Name: newerCheck, Judge: newerHolder},
		{Name: lowerCheck, Judge: lowerToken},
		{Name: "a write without a token does not get past", Judge: noToken},
		{Name: "a rejection says fencing.ErrFenced", Judge: saysFenced},
		{Name: "a rejection changes nothing", Judge: changesNothing},
		{Name: perKeyCheck, Judge: fencePerKey},
		{Name: "the fence is never forgotten", Judge: neverForgotten},
		{Name: "two storages share nothing", Judge: shareNothing},
		{Name: "the paused client does no harm", Judge: pausedClient},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		return judge(newStorage, seed, number, rule)
	})
}
