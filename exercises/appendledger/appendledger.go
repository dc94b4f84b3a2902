package appendledger

import (
	"database/sql"
	"errors"
	"testing"

	"fencingtokens/exercises/internal/check"
)

// ErrNotAttempted is what Append returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: append the entry here")

// Entry is what Append adds to a ledger.
type Entry struct {
	Account string // whose ledger it goes into
	Cents   int64  // what it adds to the balance; less than 0 takes away
}

// Schema is how the tables of the exercise are made. The balance of an entry is
// the account's after it: all the account's cents up to this entry, added up.
const Schema = `
CREATE TABLE accounts (
	id    TEXT PRIMARY KEY,
	fence INTEGER NOT NULL DEFAULT 0);
CREATE TABLE entries (
	number  INTEGER PRIMARY KEY, -- counts up by itself
	account TEXT NOT NULL,
	cents   INTEGER NOT NULL,
	balance INTEGER NOT NULL);`

// Answer is what a learner hands in.
type Answer = func(db *sql.DB, entry Entry, token uint64) error

// Check runs appendEntry on new databases and reports what it found. A seed
// repeats a run; without one, accounts and tokens are new every time.
func Check(t testing.TB, appendEntry Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, appendEntry, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(appendEntry Answer, seed uint64) check.Result { return task.Evaluate(appendEntry, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(appendEntry Answer) bool {
	if appendEntry == nil {
		return false
	}
	s := newSession(appendEntry, 1, 0)
	defer s.db.Close()
	return !errors.Is(s.append(s.worker, Entry{Account: s.account(), Cents: 1}, 1), ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "appendledger",
	Todo: "Append the entry in Append, run its cell, then run this one again.",
	Call: "appendledger.Check(t, Append, %d)",
	Right: "the condition on the account’s row and the new entry are one transaction, so either both are there or neither is. " +
		"From the moment the fence is raised the row is locked, and nobody else’s entry comes between what you read and what you insert.",
	Hints: []string{
		"An entry that is appended overwrites nothing, so it cannot be refused by its own row. Which row can refuse it, and how do you learn that it did?",
		"Begin a transaction. First raise the account’s fence with the conditional UPDATE of lesson 06, and ask RowsAffected: no row means roll back and return fencing.ErrFenced. Only then read the balance, insert the entry, and commit.",
		"tx, err := db.Begin(), then defer tx.Rollback(), which does nothing after a commit. raised, err := tx.Exec(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence <= ?1`, token, entry.Account). If raised.RowsAffected() says 0, return fencing.ErrFenced. Read with tx.QueryRow(`SELECT coalesce(sum(cents), 0) FROM entries WHERE account = ?`, ...), insert with tx.Exec, and return tx.Commit().",
	},
}

// The checks that others depend on, by their names.
const firstCheck = "an entry is appended"

func checks(appendEntry Answer, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: firstCheck, Judge: firstEntry},
		{Name: "the holder may append again", Judge: holderAgain},
		{Name: "a newer holder may append", Judge: newerHolder},
		{Name: "nothing stays open", Judge: nothingOpen},
		{Name: "the paused client appends nothing", Judge: pausedClient},
		{Name: "a rejection says fencing.ErrFenced", Judge: saysFenced},
		{Name: "an account that is not there gets no entry", Judge: noAccount},
		{Name: "every account has a fence of its own", Judge: fencePerAccount},
		{Name: "a newer holder may come in at any step", Judge: newerInBetween},
		{Name: "an older holder may come in at any step", Judge: olderInBetween},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		s := newSession(appendEntry, seed, number)
		defer func() { s.db.Close() }()
		f := rule(s)
		if f.State != check.Passed && f.Events == nil {
			f.Events = s.db.Events()
		}
		return f
	})
}
