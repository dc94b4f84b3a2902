package withoutalock

import (
	"database/sql"
	"errors"
	"testing"

	"fencingtokens/exercises/internal/check"
)

// ErrNotAttempted is what Settle returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: settle the period here")

// Job is one account's settlement for one period.
type Job struct {
	Account string
	Period  string // for example "2026-05"
	Cents   int64  // what it adds to the account's balance
}

// Answer is what a learner hands in.
type Answer struct {
	Constraint string // what the table of settlements refuses, in SQL; "" is nothing
	Settle     func(db *sql.DB, job Job) error
}

// Check runs the answer on new databases and reports what it found. A seed
// repeats a run; without one, accounts and amounts are new every time.
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
	if answer.Settle == nil {
		return false
	}
	s := newSession(answer, 1, 0)
	defer s.close()
	return !errors.Is(s.settle(s.worker("worker 1"), s.job()), ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "withoutalock",
	Todo: "Write the constraint, if you need one, and Settle, run the cell, then run this one again.",
	Call: "withoutalock.Check(t, Settlement, %d)",
	Right: "the database decides in one step which call is the first, by the name of the job or by the version that the call has read. " +
		"Whoever comes later, or again, finds it done, and the mark and the money were committed together. No worker has to know of another.",
	Hints: []string{
		"What is the same for two workers that do the same job, and for one worker that does it twice? Let the database compare that, at the moment at which it writes.",
		"With a constraint: UNIQUE over the columns that name the job; insert first, in a transaction; if the row is there already, there is nothing left to do, and that is success. With a version: read it before everything else, and change the account only WHERE version is still that. Either way the settlement and the balance are one transaction.",
		"Constraint: \"UNIQUE (account, period)\". In Settle: begin; defer a rollback; INSERT INTO settlements (account, period, cents) VALUES (?, ?, ?) ON CONFLICT DO NOTHING; if RowsAffected is 0, return nil; UPDATE accounts SET balance = balance + ? WHERE id = ?; return tx.Commit().",
	},
}

// firstCheck is what the other checks depend on.
const firstCheck = "a period is settled"

func checks(answer Answer, seed uint64) []check.Check {
	rules := []check.Rule[*session]{
		{Name: firstCheck, Judge: firstPeriod},
		{Name: "other periods and other accounts are settled too", Judge: otherJobs},
		{Name: "a second call changes nothing, and is told that it is done", Judge: secondCall},
		{Name: "nothing stays open", Judge: nothingOpen},
		{Name: "two workers at once settle once", Judge: sameJobAtOnce},
		{Name: "two periods of one account at once are both settled", Judge: twoPeriodsAtOnce},
		{Name: "a retry after anything that breaks settles once", Judge: retry},
	}
	return check.Each(rules, func(number int, rule func(*session) check.Finding) check.Finding {
		s := newSession(answer, seed, number)
		defer s.close()
		if s.bad != nil {
			return check.Fail("the table cannot be made", "the table of settlements was made with your constraint, "+answer.Constraint, "SQLite takes it", s.bad.Error(),
				"Constraint stands behind the columns in CREATE TABLE, for example UNIQUE (column) or CHECK (cents > 0).")
		}
		f := rule(s)
		if f.State != check.Passed && f.Events == nil {
			f.Events = s.db.Events()
		}
		return f
	})
}
