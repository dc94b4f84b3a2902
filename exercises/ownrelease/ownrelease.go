package ownrelease

import (
	"errors"
	"testing"

	"fencingtokens/exercises/internal/check"
)

// ErrNotAttempted is what Release returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the release here")

// Release gives a lock back: the grant is the caller's own.
type Release = func(store *Store, mine Grant) error

// Check runs the exercise on release and reports what it found. A seed repeats a
// run; without one, names, tokens and times are new every time.
func Check(t testing.TB, release Release, seed ...uint64) {
	t.Helper()
	task.Check(t, release, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(release Release, seed uint64) check.Result {
	return task.Evaluate(release, seed)
}

var task = check.Task[Release]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(release Release) bool {
	if release == nil {
		return false
	}
	mine := Grant{Lock: "a lock", Client: "a client", Token: 1}
	return !errors.Is(release(&Store{locks: map[string]Grant{mine.Lock: mine}}, mine), ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "ownrelease",
	Todo: "Write the release in Release, run its cell, then run this one again.",
	Call: "ownrelease.Check(t, Release, %d)",
	Right: "a release frees the grant that it was made for, and no other. However late it comes and however often it is repeated, " +
		"it compares the token and deletes in one step, so that no hand-over fits in between; and it tells a caller whose lease had ended.",
	Hints: []string{
		"When your request arrives, the lock may be yours, somebody else’s or nobody’s. What tells your grant from every other one, even from a later one of your own?",
		"Whatever you learned with one request may be out of date when the next one arrives. Which of the store’s requests compares and deletes in one step?",
		"DeleteIf(mine.Lock, ...) with a condition that compares held.Token with mine.Token. If it reports true, return nil; otherwise return fencing.ErrLeaseLost, or an error that wraps it.",
	},
}

func checks(release Release, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: ownCheck, Judge: ownLock},
		{Name: "a renewed lock is your own as well", Judge: renewedLock},
		{Name: nextCheck, Judge: nextHolder},
		{Name: "a later grant of the same client stays", Judge: sameClient},
		{Name: "nothing comes between look and delete", Judge: nothingBetween},
		{Name: "a release that freed nothing says so", Judge: saysSo},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		return rule(newSession(release, seed, number))
	})
}
