package withoutalock_test

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/withoutalock"
	"fencingtokens/exercises/withoutalock/stub"
	"fencingtokens/fencing/live/sqlite"
)

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong[withoutalock.Answer]
	for _, w := range catalogue {
		wrong = append(wrong, prove.Wrong[withoutalock.Answer]{Name: w.name, Check: w.check, Mistake: w.mistake, State: w.state, Answer: withoutalock.Answer{Constraint: w.constraint, Settle: w.settle}})
	}
	prove.Exercise(t, of, stub.Settlement, Settlement, wrong)
}

func of(answer withoutalock.Answer) prove.Answer {
	return func(seed uint64) check.Result { return withoutalock.Evaluate(answer, seed) }
}

type (
	job  = withoutalock.Job
	step = func(tx *sql.Tx, j job) error
)

// errSettled ends the steps with success.
var errSettled = errors.New("settled already")

// in makes a function of steps in one transaction.
func in(steps ...step) func(*sql.DB, job) error {
	return func(db *sql.DB, j job) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, s := range steps {
			if err := s(tx, j); errors.Is(err, errSettled) {
				return nil
			} else if err != nil {
				return err
			}
		}
		return tx.Commit()
	}
}

// look ends with success if the settlement is there.
func look(tx *sql.Tx, j job) error {
	var n int
	err := tx.QueryRow(`SELECT count(*) FROM settlements WHERE account = ? AND period = ?`, j.Account, j.Period).Scan(&n)
	if err == nil && n > 0 {
		return errSettled
	}
	return err
}

const columns = `settlements (account, period, cents) VALUES (?, ?, ?)`

func insert(tx *sql.Tx, j job) error {
	_, err := tx.Exec(`INSERT INTO `+columns, j.Account, j.Period, j.Cents)
	return err
}

func insertOrNothing(tx *sql.Tx, j job) error {
	result, err := tx.Exec(`INSERT INTO `+columns+` ON CONFLICT DO NOTHING`, j.Account, j.Period, j.Cents)
	if err != nil {
		return err
	}
	if n, _ := result.RowsAffected(); n == 0 {
		return errSettled
	}
	return nil
}

func replace(tx *sql.Tx, j job) error {
	_, err := tx.Exec(`INSERT OR REPLACE INTO `+columns, j.Account, j.Period, j.Cents)
	return err
}

func add(tx *sql.Tx, j job) error {
	_, err := tx.Exec(`UPDATE accounts SET balance = balance + ? WHERE id = ?`, j.Cents, j.Account)
	return err
}

var errConflict = errors.New("somebody else was quicker")

// compared runs steps between the reading of the version and the write.
func compared(between ...step) step {
	return func(tx *sql.Tx, j job) error {
		var version, balance int64
		if err := tx.QueryRow(`SELECT version, balance FROM accounts WHERE id = ?`, j.Account).Scan(&version, &balance); err != nil {
			return err
		}
		for _, s := range between {
			if err := s(tx, j); err != nil {
				return err
			}
		}
		result, err := tx.Exec(`UPDATE accounts SET balance = ?, version = version + 1 WHERE id = ? AND version = ?`, balance+j.Cents, j.Account, version)
		if err != nil {
			return err
		}
		if n, _ := result.RowsAffected(); n == 0 {
			return errConflict
		}
		return nil
	}
}

// under inserts with an id that is made by name.
func under(name func(j job) string) step {
	return func(tx *sql.Tx, j job) error {
		_, err := tx.Exec(`INSERT INTO settlements (id, account, period, cents) VALUES (?, ?, ?, ?)`, name(j), j.Account, j.Period, j.Cents)
		if sqlite.IsDuplicate(err) {
			return errSettled
		}
		return err
	}
}

const unique = "UNIQUE (account, period)"

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	constraint           string
	settle               func(*sql.DB, job) error
}{
	{name: "a constraint with a slip", check: "a period is settled", mistake: "the table cannot be made",
		constraint: "UNIQUE (acount, period)", settle: Settle},
	{name: "a constraint that the job does not keep", check: "a period is settled", mistake: "the job fails",
		constraint: "CHECK (cents > 1000000)", settle: Settle},
	{name: "no balance", check: "a period is settled", mistake: "the job is not done",
		constraint: unique, settle: in(insertOrNothing)},
	{name: "no commit", check: "a period is settled", mistake: "the job is not done",
		constraint: unique, settle: in(insertOrNothing, add, func(tx *sql.Tx, _ job) error { return errSettled })},
	{name: "one settlement for each account", check: "other periods and other accounts are settled too", mistake: "two jobs taken for one",
		constraint: "UNIQUE (account)", settle: Settle},
	{name: "one settlement for each period", check: "other periods and other accounts are settled too", mistake: "two jobs taken for one",
		constraint: "UNIQUE (account), UNIQUE (period)", settle: Settle},
	{name: "adds to every balance", check: "other periods and other accounts are settled too", mistake: "another balance",
		constraint: unique, settle: in(insertOrNothing, func(tx *sql.Tx, j job) error {
			_, err := tx.Exec(`UPDATE accounts SET balance = balance + ?`, j.Cents)
			return err
		})},
	{name: "nothing keeps the second out", check: "a second call changes nothing, and is told that it is done", mistake: "settled twice",
		settle: in(insert, add)},
	{name: "the constraint is not there", check: "a second call changes nothing, and is told that it is done", mistake: "settled twice",
		settle: Settle},
	{name: "a version, and no look", check: "a second call changes nothing, and is told that it is done", mistake: "settled twice",
		settle: in(compared(), insert)},
	{name: "INSERT OR REPLACE", check: "a second call changes nothing, and is told that it is done", mistake: "the row is replaced",
		constraint: unique, settle: in(replace, add)},
	{name: "a new id for every try", check: "a second call changes nothing, and is told that it is done", mistake: "a new name for every try",
		constraint: "UNIQUE (id)", settle: in(under(func(job) string { return rand.Text() }), add)},
	{name: "the constraint's refusal is a failure", check: "a second call changes nothing, and is told that it is done", mistake: "done, and reported as failed",
		constraint: unique, settle: in(insert, add)},
	{name: "no rollback", check: "nothing stays open", mistake: "a transaction stays open",
		constraint: unique, settle: func(db *sql.DB, j job) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			if err := insertOrNothing(tx, j); errors.Is(err, errSettled) {
				return nil
			} else if err != nil {
				return err
			}
			if err := add(tx, j); err != nil {
				return err
			}
			return tx.Commit()
		}},
	{name: "looks, then inserts", check: "two workers at once settle once", mistake: "looked first, and written later",
		settle: in(look, insert, add)},
	{name: "looks, then compares a version", check: "two workers at once settle once", mistake: "the version is read too late",
		settle: in(look, compared(), insert)},
	{name: "reads the version twice", check: "two workers at once settle once", mistake: "the version is read too late",
		settle: in(func(tx *sql.Tx, j job) error {
			var version int
			return tx.QueryRow(`SELECT version FROM accounts WHERE id = ?`, j.Account).Scan(&version)
		}, look, compared(), insert)},
	{name: "looks, adds, and then inserts what may be there", check: "two workers at once settle once", mistake: "half of it twice",
		constraint: unique, settle: func(db *sql.DB, j job) error {
			return in(look, add, func(tx *sql.Tx, j job) error {
				_, err := tx.Exec(`INSERT INTO `+columns+` ON CONFLICT DO NOTHING`, j.Account, j.Period, j.Cents)
				return err
			})(db, j)
		}},
	{name: "asks for the version of the first call", check: "two workers at once settle once", mistake: "the job never comes to an end",
		constraint: unique, settle: in(func(tx *sql.Tx, j job) error {
			var version, n int
			if err := tx.QueryRow(`SELECT version FROM accounts WHERE id = ?`, j.Account).Scan(&version); err != nil {
				return err
			}
			if err := tx.QueryRow(`SELECT count(*) FROM settlements WHERE account = ? AND period = ? AND id = ?`, j.Account, j.Period, version).Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				return errSettled
			}
			result, err := tx.Exec(`INSERT INTO settlements (id, account, period, cents) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, version+1, j.Account, j.Period, j.Cents)
			if err != nil {
				return err
			}
			if n, _ := result.RowsAffected(); n == 0 {
				_, err := tx.Exec(`UPDATE accounts SET version = version + 2 WHERE id = ?`, j.Account)
				return errors.Join(err, tx.Commit(), errConflict)
			}
			_, err = tx.Exec(`UPDATE accounts SET balance = balance + ?, version = version + 1 WHERE id = ?`, j.Cents, j.Account)
			return err
		})},
	{name: "reads the balance, and writes what it has added", check: "two periods of one account at once are both settled", mistake: "an update is lost",
		constraint: unique, settle: in(func(tx *sql.Tx, j job) error {
			var balance int64
			if err := tx.QueryRow(`SELECT balance FROM accounts WHERE id = ?`, j.Account).Scan(&balance); err != nil {
				return err
			}
			if err := insertOrNothing(tx, j); err != nil {
				return err
			}
			_, err := tx.Exec(`UPDATE accounts SET balance = ? WHERE id = ?`, balance+j.Cents, j.Account)
			return err
		})},
	{name: "the settlement and the balance in two transactions", check: "a retry after anything that breaks settles once", mistake: "half of it is done",
		constraint: unique, settle: func(db *sql.DB, j job) error {
			inserted := false
			err := in(func(tx *sql.Tx, j job) error {
				err := insertOrNothing(tx, j)
				inserted = err == nil
				return err
			})(db, j)
			if err != nil || !inserted {
				return err
			}
			return in(add)(db, j)
		}},
	{name: "every error is taken for a duplicate", check: "a retry after anything that breaks settles once", mistake: "said to be done, and is not",
		constraint: unique, settle: func(db *sql.DB, j job) error {
			Settle(db, j)
			return nil
		}},
	{name: "tries again inside, and does not look again", check: "a retry after anything that breaks settles once", mistake: "settled twice by a retry",
		settle: func(db *sql.DB, j job) error {
			err := in(compared(look), insert)(db, j)
			if err != nil && !errors.Is(err, errConflict) {
				return in(compared(), insert)(db, j)
			}
			return err
		}},
	{name: "a row that says that somebody is at it", check: "a retry after anything that breaks settles once", mistake: "the job never comes to an end",
		constraint: unique, settle: func(db *sql.DB, j job) error {
			result, err := db.Exec(`INSERT INTO settlements (id, account, period, cents) VALUES ('open', ?, ?, ?) ON CONFLICT DO NOTHING`, j.Account, j.Period, j.Cents)
			if err != nil {
				return err
			}
			if n, _ := result.RowsAffected(); n == 0 {
				var state string
				err := db.QueryRow(`SELECT id FROM settlements WHERE account = ? AND period = ?`, j.Account, j.Period).Scan(&state)
				if err == nil && state == "open" {
					return fmt.Errorf("somebody is at it")
				}
				return err
			}
			return in(add, func(tx *sql.Tx, j job) error {
				_, err := tx.Exec(`UPDATE settlements SET id = 'done' WHERE account = ? AND period = ?`, j.Account, j.Period)
				return err
			})(db, j)
		}},
	{name: "panics", check: "a period is settled", mistake: "nil pointer", state: check.Panicked,
		settle: func(*sql.DB, job) error { return Settle(nil, job{}) }},
}
