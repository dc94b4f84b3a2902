package fencedwrite

import (
	"errors"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what Write returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the storage’s check here")

// Check runs the exercise on storages that newStorage makes and reports what it
// found. A seed repeats a run; without one, keys and tokens are new every time.
func Check(t testing.TB, newStorage func() fencing.Checker, seed ...uint64) {
	t.Helper()
	check.Report(t, Evaluate(newStorage, check.Seed(seed)))
}

// Hint prints one of the three hints.
func Hint(n int) { check.Hint(exercise, n) }

// Evaluate judges without reporting.
func Evaluate(newStorage func() fencing.Checker, seed uint64) check.Result {
	attempted := func() bool {
		if newStorage == nil {
			return false
		}
		s := newStorage()
		return s == nil || !errors.Is(s.Write("a key", "a value", 1), ErrNotAttempted)
	}
	return check.Evaluate(exercise, seed, attempted, checks(newStorage, seed))
}

// limit is shorter than the simulator's own patience with a storage that does
// not come back, so that every check says it in the same words.
const limit = 1500 * time.Millisecond

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
	rules := []struct {
		name  string
		judge func(*session) check.Finding
	}{
		{firstCheck, firstWrite},
		{holderCheck, holderWritesAgain},
		{newerCheck, newerHolder},
		{lowerCheck, lowerToken},
		{"a write without a token does not get past", noToken},
		{"a rejection says fencing.ErrFenced", saysFenced},
		{"a rejection changes nothing", changesNothing},
		{perKeyCheck, fencePerKey},
		{"the fence is never forgotten", neverForgotten},
		{"two storages share nothing", shareNothing},
		{"the paused client does no harm", pausedClient},
	}
	list := make([]check.Check, len(rules))
	for i, rule := range rules {
		list[i] = check.Check{Name: rule.name, Limit: limit, Run: func() check.Finding {
			return judge(newStorage, seed, i, rule.judge)
		}}
	}
	return list
}
