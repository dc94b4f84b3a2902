package appendledger_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"fencingtokens/exercises/appendledger"
	"fencingtokens/exercises/appendledger/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Append), of(Append), wrong)
}

func of(answer appendledger.Answer) prove.Answer {
	return func(seed uint64) check.Result { return appendledger.Evaluate(answer, seed) }
}

type (
	entry = appendledger.Entry
	step  = func(tx *sql.Tx, e entry, token uint64) error
)

// in makes an answer of steps in one transaction.
func in(steps ...step) appendledger.Answer {
	return func(db *sql.DB, e entry, token uint64) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, s := range steps {
			if err := s(tx, e, token); err != nil {
				return err
			}
		}
		return tx.Commit()
	}
}

// raise changes rows with a statement on ?1, the token, and ?2, the account, and
// rejects if it changes none.
func raise(statement string) step {
	return func(tx *sql.Tx, e entry, token uint64) error {
		result, err := tx.Exec(statement, token, e.Account)
		if err != nil {
			return err
		}
		if n, _ := result.RowsAffected(); n == 0 {
			return fmt.Errorf("%w: the fence is above %d", fencing.ErrFenced, token)
		}
		return nil
	}
}

const right = `UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence <= ?1`

func insert(tx *sql.Tx, e entry, balance int64) error {
	_, err := tx.Exec(`INSERT INTO entries (account, cents, balance) VALUES (?, ?, ?)`, e.Account, e.Cents, balance)
	return err
}

const sum = `SELECT coalesce(sum(cents), 0) FROM entries WHERE account = ?`

func balance(tx *sql.Tx, e entry) (n int64, err error) {
	err = tx.QueryRow(sum, e.Account).Scan(&n)
	return n, err
}

func readAndInsert(tx *sql.Tx, e entry, _ uint64) error {
	before, err := balance(tx, e)
	if err != nil {
		return err
	}
	return insert(tx, e, before+e.Cents)
}

// look rejects by a fence that it has read; the UPDATE asks for nothing.
func look(tx *sql.Tx, e entry, token uint64) error {
	var fence uint64
	err := tx.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, e.Account).Scan(&fence)
	if err == nil && fence > token {
		return fencing.ErrFenced
	}
	return err
}

func set(tx *sql.Tx, e entry, token uint64) error {
	_, err := tx.Exec(`UPDATE accounts SET fence = ?1 WHERE id = ?2`, token, e.Account)
	return err
}

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               appendledger.Answer
}{
	{name: "no commit", check: "an entry is appended", mistake: "nothing is appended",
		answer: func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			defer tx.Rollback()
			return errors.Join(raise(right)(tx, e, token), readAndInsert(tx, e, token))
		}},
	{name: "inserts twice", check: "an entry is appended", mistake: "appended more than once",
		answer: in(raise(right), readAndInsert, readAndInsert)},
	{name: "adds up all accounts", check: "an entry is appended", mistake: "the balance of all accounts",
		answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			var n int64
			if err := tx.QueryRow(`SELECT sum(cents) FROM entries`).Scan(&n); err != nil {
				return err
			}
			return insert(tx, e, n+e.Cents)
		})},
	{name: "the balance before the entry", check: "an entry is appended", mistake: "another balance",
		answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			n, err := balance(tx, e)
			return errors.Join(err, insert(tx, e, n))
		})},
	{name: "the fence is only looked at", check: "an entry is appended", mistake: "the fence is not raised",
		answer: in(look, readAndInsert)},
	{name: "no fence at all", check: "an entry is appended", mistake: "the fence is not raised",
		answer: in(readAndInsert)},
	{name: "a table that is not there", check: "an entry is appended", mistake: "the first entry is rejected",
		answer: in(raise(`UPDATE account SET fence = ?1 WHERE id = ?2 AND fence <= ?1`), readAndInsert)},
	{name: "fence = token", check: "an entry is appended", mistake: "only an equal token passes",
		answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence = ?1`), readAndInsert)},
	{name: "fence >= token", check: "an entry is appended", mistake: "compared the wrong way round",
		answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence > ?1`), readAndInsert)},
	{name: "fence < token", check: "the holder may append again", mistake: "an equal token rejected",
		answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence < ?1`), readAndInsert)},
	{name: "only the first entry of a grant", check: "the holder may append again", mistake: "the second entry is not appended",
		answer: in(raise(right), func(tx *sql.Tx, e entry, token uint64) error {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM entries WHERE account = ?`, e.Account).Scan(&n); err != nil || n > 2 {
				return err
			}
			return readAndInsert(tx, e, token)
		})},
	{name: "the balance of the second entry of the account and no later one", check: "the holder may append again", mistake: "the second balance is not right",
		answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			var n int64
			err := tx.QueryRow(`SELECT balance FROM entries WHERE account = ? ORDER BY number LIMIT 1 OFFSET 1`, e.Account).Scan(&n)
			return errors.Join(err, insert(tx, e, n+e.Cents))
		})},
	{name: "the first token owns the account", check: "a newer holder may append", mistake: "a higher token rejected",
		answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence IN (0, ?1)`), readAndInsert)},
	{name: "the fence stays at the first token", check: "a newer holder may append", mistake: "a higher token is not taken over",
		answer: in(raise(`UPDATE accounts SET fence = CASE fence WHEN 0 THEN ?1 ELSE fence END WHERE id = ?2 AND fence <= ?1`), readAndInsert)},
	{name: "no rollback", check: "nothing stays open", mistake: "a transaction stays open",
		answer: func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			if err := raise(right)(tx, e, token); err != nil {
				return err
			}
			if err := readAndInsert(tx, e, token); err != nil {
				return err
			}
			return tx.Commit()
		}},
	{name: "no condition", check: "the paused client appends nothing", mistake: "every token gets past",
		answer: in(set, readAndInsert)},
	{name: "RowsAffected is not asked", check: "the paused client appends nothing", mistake: "no row is not noticed",
		answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			_, err := tx.Exec(right, token, e.Account)
			return err
		}, readAndInsert)},
	{name: "inserts, then raises the fence, each on its own", check: "the paused client appends nothing", mistake: "rejected, and it stays",
		answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(readAndInsert)(db, e, token); err != nil {
				return err
			}
			return in(raise(right))(db, e, token)
		}},
	{name: "commits what it has when no row was changed", check: "the paused client appends nothing", mistake: "rejected, and it stays",
		answer: func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			defer tx.Commit()
			return errors.Join(readAndInsert(tx, e, token), raise(right)(tx, e, token))
		}},
	{name: "no row, no entry, no error", check: "the paused client appends nothing", mistake: "a rejection that nobody hears of",
		answer: func(db *sql.DB, e entry, token uint64) error {
			err := Append(db, e, token)
			if errors.Is(err, fencing.ErrFenced) {
				return nil
			}
			return err
		}},
	{name: "writes down every token that it sees", check: "the paused client appends nothing", mistake: "a rejection moves the fence",
		answer: func(db *sql.DB, e entry, token uint64) error {
			var fence uint64
			if err := db.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, e.Account).Scan(&fence); err != nil {
				return err
			}
			if _, err := db.Exec(`UPDATE accounts SET fence = ? WHERE id = ?`, token, e.Account); err != nil {
				return err
			}
			if fence > token {
				return fencing.ErrFenced
			}
			return Append(db, e, token)
		}},
	{name: "an error of its own", check: "a rejection says fencing.ErrFenced", mistake: "another error",
		answer: func(db *sql.DB, e entry, token uint64) error {
			if err := Append(db, e, token); err != nil {
				return errors.New("the fence is higher")
			}
			return nil
		}},
	{name: "a missing row is taken for the first entry", check: "an account that is not there gets no entry", mistake: "a missing row taken for success",
		answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM accounts WHERE id = ?`, e.Account).Scan(&n); err != nil || n == 0 {
				return err
			}
			return raise(right)(tx, e, token)
		}, readAndInsert)},
	{name: "a missing row is made", check: "an account that is not there gets no entry", mistake: "a missing row taken for success",
		answer: in(raise(`INSERT INTO accounts (fence, id) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET fence = ?1 WHERE fence <= ?1`), readAndInsert)},
	{name: "one fence for all accounts", check: "every account has a fence of its own", mistake: "one fence for all accounts",
		answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE fence <= ?1 AND EXISTS (SELECT 1 FROM accounts WHERE id = ?2)`), readAndInsert)},
	{name: "SELECT, then UPDATE", check: "a newer holder may come in at any step", mistake: "checked first, and written later",
		answer: in(look, set, readAndInsert)},
	{name: "SELECT before the transaction, then UPDATE", check: "a newer holder may come in at any step", mistake: "checked first, and written later",
		answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(look)(db, e, token); err != nil {
				return err
			}
			return in(set, readAndInsert)(db, e, token)
		}},
	{name: "the fence in a transaction of its own", check: "a newer holder may come in at any step", mistake: "the entry in another transaction",
		answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(raise(right))(db, e, token); err != nil {
				return err
			}
			return in(readAndInsert)(db, e, token)
		}},
	{name: "inserts over another connection", check: "an entry is appended", mistake: "the first entry is rejected",
		answer: func(db *sql.DB, e entry, token uint64) error {
			return in(raise(right), func(*sql.Tx, entry, uint64) error {
				return in(readAndInsert)(db, e, token)
			})(db, e, token)
		}},
	{name: "takes the commit of the newer holder for its own", check: "a newer holder may come in at any step", mistake: "what is returned is not what is there",
		answer: func(db *sql.DB, e entry, token uint64) error {
			var before, after uint64
			const fence = `SELECT fence FROM accounts WHERE id = ?`
			if err := db.QueryRow(fence, e.Account).Scan(&before); err != nil {
				return err
			}
			err := Append(db, e, token)
			if db.QueryRow(fence, e.Account).Scan(&after); after != before {
				return nil
			}
			return err
		}},
	{name: "reads the balance, then raises the fence", check: "an older holder may come in at any step", mistake: "read before the fence was raised",
		answer: in(readFirst(func(tx *sql.Tx, e entry, token uint64) error { return raise(right)(tx, e, token) }))},
	{name: "inserts, then raises the fence, and rolls back", check: "an older holder may come in at any step", mistake: "read before the fence was raised",
		answer: in(readAndInsert, raise(right))},
	{name: "compares the fence with the one that it read", check: "an older holder may come in at any step", mistake: "the newest holder rejected",
		answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			var fence uint64
			if err := tx.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, e.Account).Scan(&fence); err != nil {
				return err
			}
			if fence > token {
				return fencing.ErrFenced
			}
			return raise(fmt.Sprintf(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence = %d`, fence))(tx, e, token)
		}, readAndInsert)},
	{name: "panics", check: "an entry is appended", mistake: "nil pointer", state: check.Panicked,
		answer: func(*sql.DB, entry, uint64) error { return in(readAndInsert)(nil, entry{}, 0) }},
}

// readFirst reads the balance before another step, and inserts after it.
func readFirst(between step) step {
	return func(tx *sql.Tx, e entry, token uint64) error {
		before, err := balance(tx, e)
		if err != nil {
			return err
		}
		if err := between(tx, e, token); err != nil {
			return err
		}
		return insert(tx, e, before+e.Cents)
	}
}
