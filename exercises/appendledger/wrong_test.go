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
	prove.Exercise(t, of, stub.Append, Append, catalogue)
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

var catalogue = []prove.Wrong[appendledger.Answer]{
	{Name: "no commit", Check: "an entry is appended", Mistake: "nothing is appended",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			defer tx.Rollback()
			return errors.Join(raise(right)(tx, e, token), readAndInsert(tx, e, token))
		}},
	{Name: "inserts twice", Check: "an entry is appended", Mistake: "appended more than once",
		Answer: in(raise(right), readAndInsert, readAndInsert)},
	{Name: "adds up all accounts", Check: "an entry is appended", Mistake: "the balance of all accounts",
		Answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			var n int64
			if err := tx.QueryRow(`SELECT sum(cents) FROM entries`).Scan(&n); err != nil {
				return err
			}
			return insert(tx, e, n+e.Cents)
		})},
	{Name: "the balance before the entry", Check: "an entry is appended", Mistake: "another balance",
		Answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			n, err := balance(tx, e)
			return errors.Join(err, insert(tx, e, n))
		})},
	{Name: "the fence is only looked at", Check: "an entry is appended", Mistake: "the fence is not raised",
		Answer: in(look, readAndInsert)},
	{Name: "no fence at all", Check: "an entry is appended", Mistake: "the fence is not raised",
		Answer: in(readAndInsert)},
	{Name: "a table that is not there", Check: "an entry is appended", Mistake: "the first entry is rejected",
		Answer: in(raise(`UPDATE account SET fence = ?1 WHERE id = ?2 AND fence <= ?1`), readAndInsert)},
	{Name: "fence = token", Check: "an entry is appended", Mistake: "only an equal token passes",
		Answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence = ?1`), readAndInsert)},
	{Name: "fence >= token", Check: "an entry is appended", Mistake: "compared the wrong way round",
		Answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence > ?1`), readAndInsert)},
	{Name: "fence < token", Check: "the holder may append again", Mistake: "an equal token rejected",
		Answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence < ?1`), readAndInsert)},
	{Name: "only the first entry of a grant", Check: "the holder may append again", Mistake: "the second entry is not appended",
		Answer: in(raise(right), func(tx *sql.Tx, e entry, token uint64) error {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM entries WHERE account = ?`, e.Account).Scan(&n); err != nil || n > 2 {
				return err
			}
			return readAndInsert(tx, e, token)
		})},
	{Name: "the balance of the second entry of the account and no later one", Check: "the holder may append again", Mistake: "the second balance is not right",
		Answer: in(raise(right), func(tx *sql.Tx, e entry, _ uint64) error {
			var n int64
			err := tx.QueryRow(`SELECT balance FROM entries WHERE account = ? ORDER BY number LIMIT 1 OFFSET 1`, e.Account).Scan(&n)
			return errors.Join(err, insert(tx, e, n+e.Cents))
		})},
	{Name: "the first token owns the account", Check: "a newer holder may append", Mistake: "a higher token rejected",
		Answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence IN (0, ?1)`), readAndInsert)},
	{Name: "the fence stays at the first token", Check: "a newer holder may append", Mistake: "a higher token is not taken over",
		Answer: in(raise(`UPDATE accounts SET fence = CASE fence WHEN 0 THEN ?1 ELSE fence END WHERE id = ?2 AND fence <= ?1`), readAndInsert)},
	{Name: "no rollback", Check: "nothing stays open", Mistake: "a transaction stays open",
		Answer: func(db *sql.DB, e entry, token uint64) error {
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
	{Name: "no condition", Check: "the paused client appends nothing", Mistake: "every token gets past",
		Answer: in(set, readAndInsert)},
	{Name: "RowsAffected is not asked", Check: "the paused client appends nothing", Mistake: "no row is not noticed",
		Answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			_, err := tx.Exec(right, token, e.Account)
			return err
		}, readAndInsert)},
	{Name: "inserts, then raises the fence, each on its own", Check: "the paused client appends nothing", Mistake: "rejected, and it stays",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(readAndInsert)(db, e, token); err != nil {
				return err
			}
			return in(raise(right))(db, e, token)
		}},
	{Name: "commits what it has when no row was changed", Check: "the paused client appends nothing", Mistake: "rejected, and it stays",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			defer tx.Commit()
			return errors.Join(readAndInsert(tx, e, token), raise(right)(tx, e, token))
		}},
	{Name: "no row, no entry, no error", Check: "the paused client appends nothing", Mistake: "a rejection that nobody hears of",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			err := Append(db, e, token)
			if errors.Is(err, fencing.ErrFenced) {
				return nil
			}
			return err
		}},
	{Name: "writes down every token that it sees", Check: "the paused client appends nothing", Mistake: "a rejection moves the fence",
		Answer: func(db *sql.DB, e entry, token uint64) error {
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
	{Name: "an error of its own", Check: "a rejection says fencing.ErrFenced", Mistake: "another error",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			if err := Append(db, e, token); err != nil {
				return errors.New("the fence is higher")
			}
			return nil
		}},
	{Name: "a missing row is taken for the first entry", Check: "an account that is not there gets no entry", Mistake: "a missing row taken for success",
		Answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM accounts WHERE id = ?`, e.Account).Scan(&n); err != nil || n == 0 {
				return err
			}
			return raise(right)(tx, e, token)
		}, readAndInsert)},
	{Name: "a missing row is made", Check: "an account that is not there gets no entry", Mistake: "a missing row taken for success",
		Answer: in(raise(`INSERT INTO accounts (fence, id) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET fence = ?1 WHERE fence <= ?1`), readAndInsert)},
	{Name: "one fence for all accounts", Check: "every account has a fence of its own", Mistake: "one fence for all accounts",
		Answer: in(raise(`UPDATE accounts SET fence = ?1 WHERE fence <= ?1 AND EXISTS (SELECT 1 FROM accounts WHERE id = ?2)`), readAndInsert)},
	{Name: "SELECT, then UPDATE", Check: "a newer holder may come in at any step", Mistake: "checked first, and written later",
		Answer: in(look, set, readAndInsert)},
	{Name: "SELECT before the transaction, then UPDATE", Check: "a newer holder may come in at any step", Mistake: "checked first, and written later",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(look)(db, e, token); err != nil {
				return err
			}
			return in(set, readAndInsert)(db, e, token)
		}},
	{Name: "the fence in a transaction of its own", Check: "a newer holder may come in at any step", Mistake: "the entry in another transaction",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			if err := in(raise(right))(db, e, token); err != nil {
				return err
			}
			return in(readAndInsert)(db, e, token)
		}},
	{Name: "inserts over another connection", Check: "an entry is appended", Mistake: "the first entry is rejected",
		Answer: func(db *sql.DB, e entry, token uint64) error {
			return in(raise(right), func(*sql.Tx, entry, uint64) error {
				return in(readAndInsert)(db, e, token)
			})(db, e, token)
		}},
	{Name: "takes the commit of the newer holder for its own", Check: "a newer holder may come in at any step", Mistake: "what is returned is not what is there",
		Answer: func(db *sql.DB, e entry, token uint64) error {
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
	{Name: "reads the balance, then raises the fence", Check: "an older holder may come in at any step", Mistake: "read before the fence was raised",
		Answer: in(readFirst(func(tx *sql.Tx, e entry, token uint64) error { return raise(right)(tx, e, token) }))},
	{Name: "inserts, then raises the fence, and rolls back", Check: "an older holder may come in at any step", Mistake: "read before the fence was raised",
		Answer: in(readAndInsert, raise(right))},
	{Name: "compares the fence with the one that it read", Check: "an older holder may come in at any step", Mistake: "the newest holder rejected",
		Answer: in(func(tx *sql.Tx, e entry, token uint64) error {
			var fence uint64
			if err := tx.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, e.Account).Scan(&fence); err != nil {
				return err
			}
			if fence > token {
				return fencing.ErrFenced
			}
			return raise(fmt.Sprintf(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence = %d`, fence))(tx, e, token)
		}, readAndInsert)},
	{Name: "panics", Check: "an entry is appended", Mistake: "nil pointer", State: check.Panicked,
		Answer: func(*sql.DB, entry, uint64) error { return in(readAndInsert)(nil, entry{}, 0) }},
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
