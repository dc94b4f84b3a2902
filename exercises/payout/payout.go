package payout

import (
	"database/sql"
	"errors"
	"testing"

	"fencingtokens/exercises/internal/check"
)

// ErrNotAttempted is what the functions return in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: settle and send the payout here")

// Payout is money that leaves an account.
type Payout struct {
	ID      string // the same with every try, for example "account 7/2026-05"
	Account string
	Cents   int64
}

// Bank pays. It cannot be asked what it has paid.
type Bank interface {
	// Pay pays once for every key: a call with a key that it has paid for pays
	// nothing and returns nil. It returns an error if the key was used for another
	// payout, and if no reply came: then nobody knows whether it has paid.
	Pay(key, account string, cents int64) error
}

// Schema is how the tables of the exercise are made.
const Schema = `
CREATE TABLE accounts (
	id      TEXT PRIMARY KEY,
	balance INTEGER NOT NULL,
	fence   INTEGER NOT NULL DEFAULT 0);
CREATE TABLE outbox (
	payout  TEXT PRIMARY KEY, -- the payout's ID
	key     TEXT NOT NULL,
	account TEXT NOT NULL,
	cents   INTEGER NOT NULL,
	sent    INTEGER NOT NULL DEFAULT 0);`

// Answer is what a learner hands in.
type Answer struct {
	Settle func(db *sql.DB, bank Bank, p Payout, token uint64) error
	Send   func(db *sql.DB, bank Bank) error
}

// Check runs the answer with new databases and banks and reports what it found. A
// seed repeats a run; without one, accounts and amounts are new every time.
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
	if answer.Settle == nil || answer.Send == nil {
		return false
	}
	s := newSession(answer, 1, 0)
	defer s.db.Close()
	p := s.payout()
	return !errors.Is(s.settle(s.worker("worker 1"), p, 1), ErrNotAttempted) ||
		!errors.Is(s.send(s.worker("sender 1")), ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "payout",
	Todo: "Write both functions, run their cell, then run this one again.",
	Call: "payout.Check(t, Payouts, %d)",
	Right: "what is to be paid is committed together with the fenced write, so an old holder leaves nothing to pay, and a crash loses nothing. " +
		"From there on the only question is whether the bank has been asked already, and the key answers it: asked again is not paid again.",
	Hints: []string{
		"Who knows, after a crash at any moment, that something is to be paid? Whoever pays while it settles takes that knowledge along.",
		"SettlePayout writes to the database only: fence, balance, and a row in outbox, in one transaction. SendPayouts asks the bank for every row that is not marked as sent, and marks it when the bank has said nil. What may the key be made of, so that the next try has the same one?",
		"SettlePayout: begin; raise the fence, no row means fencing.ErrFenced; INSERT INTO outbox (payout, key, account, cents) VALUES (?1, ?1, ?2, ?3) ON CONFLICT DO NOTHING, and if that changed no row return nil; UPDATE accounts SET balance = balance - ...; commit. SendPayouts: read all rows with sent = 0; for each bank.Pay(key, account, cents), on an error return it, then UPDATE outbox SET sent = 1 WHERE key = ?.",
	},
}

// firstCheck is what the other checks depend on.
const firstCheck = "a payout is settled and paid"

func checks(answer Answer, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: firstCheck, Judge: firstPayout},
		{Name: "what was sent is not sent again", Judge: notSentAgain},
		{Name: "settled twice is paid once", Judge: settledTwice},
		{Name: "every payout is paid", Judge: severalPayouts},
		{Name: "an old holder pays nothing", Judge: oldHolder},
		{Name: "whatever breaks while it is settled, it is paid once", Judge: brokenSettlement},
		{Name: "whatever breaks while it is sent, it is paid once", Judge: brokenSender},
		{Name: "the next holder does not pay again", Judge: nextHolder},
		{Name: "a newer holder may come in at any step", Judge: newerInBetween},
		{Name: "an older holder may come in at any step", Judge: olderInBetween},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		s := newSession(answer, seed, number)
		defer func() { s.db.Close() }()
		f := rule(s)
		if f.State != check.Passed && f.Events == nil {
			f.Events = s.db.Events()
		}
		return f
	})
}
