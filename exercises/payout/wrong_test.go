package payout_test

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/payout"
	"fencingtokens/exercises/payout/stub"
	"fencingtokens/fencing"
)

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong[payout.Answer]
	for _, w := range catalogue {
		wrong = append(wrong, prove.Wrong[payout.Answer]{Name: w.name, Check: w.check, Mistake: w.mistake, State: w.state, Answer: payout.Answer{Settle: w.settle, Send: w.send}})
	}
	prove.Exercise(t, of, stub.Payouts, Payouts, wrong)
}

type (
	settleFunc = func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error
	sendFunc   = func(db *sql.DB, bank payout.Bank) error
)

// of fills in what is right where a function is left out.
func of(answer payout.Answer) prove.Answer {
	if answer.Settle == nil {
		answer.Settle = SettlePayout
	}
	if answer.Send == nil {
		answer.Send = SendPayouts
	}
	return func(seed uint64) check.Result { return payout.Evaluate(answer, seed) }
}

// call is one call of SettlePayout, for the steps of its transaction.
type call struct {
	payout.Payout
	bank  payout.Bank
	token uint64
}

type step = func(tx *sql.Tx, c call) error

// errSettled ends the steps with success.
var errSettled = errors.New("settled already")

// in makes a settlement of steps in one transaction.
func in(steps ...step) settleFunc {
	return func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, s := range steps {
			if err := s(tx, call{p, bank, token}); errors.Is(err, errSettled) {
				return nil
			} else if err != nil {
				return err
			}
		}
		return tx.Commit()
	}
}

const right = `UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence <= ?1`

func raise(statement string) step {
	return func(tx *sql.Tx, c call) error {
		result, err := tx.Exec(statement, c.token, c.Account)
		if err != nil {
			return err
		}
		if n, _ := result.RowsAffected(); n == 0 {
			return fencing.ErrFenced
		}
		return nil
	}
}

// put writes the payout's row with a key that is made by name.
func put(name func(c call) string) step {
	return func(tx *sql.Tx, c call) error {
		result, err := tx.Exec(`INSERT INTO outbox (payout, key, account, cents) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, c.ID, name(c), c.Account, c.Cents)
		if err != nil {
			return err
		}
		if n, _ := result.RowsAffected(); n == 0 {
			return errSettled
		}
		return nil
	}
}

func id(c call) string { return c.ID }

func take(tx *sql.Tx, c call) error {
	_, err := tx.Exec(`UPDATE accounts SET balance = balance - ? WHERE id = ?`, c.Cents, c.Account)
	return err
}

func pay(_ *sql.Tx, c call) error { return c.bank.Pay(c.ID, c.Account, c.Cents) }

func nothingToSend(*sql.DB, payout.Bank) error { return nil }

// row is one of the outbox that is not sent.
type row struct {
	key, account string
	cents        int64
}

// each sends every row that is not sent as do does.
func each(do func(db *sql.DB, bank payout.Bank, r row) error) sendFunc {
	return func(db *sql.DB, bank payout.Bank) error {
		rows, err := db.Query(`SELECT key, account, cents FROM outbox WHERE sent = 0`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r row
			if err := rows.Scan(&r.key, &r.account, &r.cents); err != nil {
				return err
			}
			if err := do(db, bank, r); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

func mark(db *sql.DB, key string) error {
	_, err := db.Exec(`UPDATE outbox SET sent = 1 WHERE key = ?`, key)
	return err
}

const (
	first  = "a payout is settled and paid"
	again  = "what was sent is not sent again"
	twice  = "settled twice is paid once"
	every  = "every payout is paid"
	old    = "an old holder pays nothing"
	newer  = "a newer holder may come in at any step"
	older  = "an older holder may come in at any step"
	settle = "whatever breaks while it is settled, it is paid once"
	send   = "whatever breaks while it is sent, it is paid once"
	next   = "the next holder does not pay again"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	settle               settleFunc  // left out: the right one
	send                 sendFunc
}{
	{name: "a table that is not there", check: first, mistake: "the settlement fails",
		settle: in(raise(`UPDATE account SET fence = ?1 WHERE id = ?2`))},
	{name: "sends nothing, and says so", check: first, mistake: "sending fails",
		send: each(func(*sql.DB, payout.Bank, row) error { return errors.New("not today") })},
	{name: "no rollback, no commit", check: first, mistake: "a transaction stays open",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			return raise(right)(tx, call{p, bank, token})
		}},
	{name: "nobody sends", check: first, mistake: "nothing is paid", send: nothingToSend},
	{name: "nothing in the outbox", check: first, mistake: "nothing is paid", settle: in(raise(right), take)},
	{name: "the balance is forgotten", check: first, mistake: "another payout", settle: in(raise(right), put(id))},
	{name: "no fence", check: first, mistake: "the fence is not raised", settle: in(put(id), take)},
	{name: "never marked", check: again, mistake: "never marked as sent",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error { return bank.Pay(r.key, r.account, r.cents) })},
	{name: "a payout's name made anew for each try", check: twice, mistake: "paid twice",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			p.ID = rand.Text()
			return SettlePayout(db, bank, p, token)
		}},
	{name: "the row that is there is not noticed", check: twice, mistake: "the balance goes down twice",
		settle: in(raise(right), func(tx *sql.Tx, c call) error {
			if err := put(id)(tx, c); !errors.Is(err, errSettled) {
				return err
			}
			return nil
		}, take)},
	{name: "the row that is there is an error", check: twice, mistake: "done, and reported as failed",
		settle: in(raise(right), func(tx *sql.Tx, c call) error {
			_, err := tx.Exec(`INSERT INTO outbox (payout, key, account, cents) VALUES (?1, ?1, ?2, ?3)`, c.ID, c.Account, c.Cents)
			return err
		}, take)},
	{name: "the token as the key", check: every, mistake: "one key for several payouts",
		settle: in(raise(right), put(func(c call) string { return fmt.Sprint(c.token) }), take)},
	{name: "the account as the key", check: every, mistake: "one key for several payouts",
		settle: in(raise(right), put(func(c call) string { return c.Account }), take)},
	{name: "fence < token", check: every, mistake: "a payout in order is rejected",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			return in(func(tx *sql.Tx, c call) error {
				var n int
				if err := tx.QueryRow(`SELECT count(*) FROM outbox WHERE payout = ?`, c.ID).Scan(&n); err == nil && n > 0 {
					return errSettled
				}
				return raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence < ?1`)(tx, c)
			}, put(id), take)(db, bank, p, token)
		}},
	{name: "takes from every account", check: every, mistake: "another balance",
		settle: in(raise(right), put(id), func(tx *sql.Tx, c call) error {
			_, err := tx.Exec(`UPDATE accounts SET balance = balance - ?`, c.Cents)
			return err
		})},
	{name: "RowsAffected is not asked", check: old, mistake: "an old holder is let in",
		settle: in(func(tx *sql.Tx, c call) error {
			_, err := tx.Exec(right, c.token, c.Account)
			return err
		}, put(id), take)},
	{name: "pays first of all", check: old, mistake: "paid, and then rejected",
		settle: in(pay, raise(right), put(id), take), send: nothingToSend},
	{name: "the outbox in a transaction before the fence", check: old, mistake: "paid, and then rejected",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			settled := true
			err := in(put(id), func(*sql.Tx, call) error { settled = false; return nil })(db, bank, p, token)
			if err != nil || settled {
				return err
			}
			return in(raise(right), take)(db, bank, p, token)
		}},
	{name: "an error of its own", check: old, mistake: "another error",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			if err := SettlePayout(db, bank, p, token); err != nil {
				return errors.New("the fence is higher")
			}
			return nil
		}},
	{name: "SELECT, then UPDATE", check: newer, mistake: "checked first, and written later",
		settle: in(func(tx *sql.Tx, c call) error {
			var fence uint64
			if err := tx.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, c.Account).Scan(&fence); err != nil || fence > c.token {
				return errors.Join(err, fencing.ErrFenced)
			}
			return nil
		}, raise(`UPDATE accounts SET fence = ?1 WHERE id = ?2`), put(id), take)},
	{name: "raises the fence in a transaction of its own", check: newer, mistake: "the payout in another transaction",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			if err := in(raise(right))(db, bank, p, token); err != nil {
				return err
			}
			return in(put(id), take)(db, bank, p, token)
		}},
	{name: "reads the balance, then raises the fence", check: older, mistake: "the balance was read before the fence was raised",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			var balance int64
			if err := db.QueryRow(`SELECT balance FROM accounts WHERE id = ?`, p.Account).Scan(&balance); err != nil {
				return err
			}
			return in(raise(right), put(id), func(tx *sql.Tx, c call) error {
				_, err := tx.Exec(`UPDATE accounts SET balance = ? WHERE id = ?`, balance-c.Cents, c.Account)
				return err
			})(db, bank, p, token)
		}},
	{name: "compares the fence with the one that it read", check: older, mistake: "the newest holder rejected",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			var fence uint64
			if err := db.QueryRow(`SELECT fence FROM accounts WHERE id = ?`, p.Account).Scan(&fence); err != nil || fence > token {
				return errors.Join(err, fencing.ErrFenced)
			}
			return in(raise(fmt.Sprintf(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence = %d`, fence)), put(id), take)(db, bank, p, token)
		}},
	{name: "pays inside the transaction", check: settle, mistake: "paid, and the books know nothing of it",
		settle: in(raise(right), put(id), take, pay), send: nothingToSend},
	{name: "pays after the commit, without an outbox", check: settle, mistake: "a payout is lost",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			settled := true
			err := in(raise(right), put(id), take, func(*sql.Tx, call) error { settled = false; return nil })(db, bank, p, token)
			if err != nil || settled {
				return err
			}
			return bank.Pay(p.ID, p.Account, p.Cents)
		}, send: nothingToSend},
	{name: "the balance and the outbox in two transactions", check: settle, mistake: "half of it is done",
		settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			settled := true
			err := in(raise(right), put(id), func(*sql.Tx, call) error { settled = false; return nil })(db, bank, p, token)
			if err != nil || settled {
				return err
			}
			return in(take)(db, bank, p, token)
		}},
	{name: "marks, and then sends", check: send, mistake: "marked before it was sent",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error {
			if err := mark(db, r.key); err != nil {
				return err
			}
			return bank.Pay(r.key, r.account, r.cents)
		})},
	{name: "deletes the row, and then sends", check: send, mistake: "marked before it was sent",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error {
			if _, err := db.Exec(`DELETE FROM outbox WHERE key = ?`, r.key); err != nil {
				return err
			}
			return bank.Pay(r.key, r.account, r.cents)
		}),
		// Without its row a payout that is settled must be known by something else.
		settle: in(func(tx *sql.Tx, c call) error {
			_, err := tx.Exec(`CREATE TABLE IF NOT EXISTS settled (payout TEXT PRIMARY KEY)`)
			return err
		}, raise(right), func(tx *sql.Tx, c call) error {
			result, err := tx.Exec(`INSERT INTO settled VALUES (?) ON CONFLICT DO NOTHING`, c.ID)
			if err != nil {
				return err
			}
			if n, _ := result.RowsAffected(); n == 0 {
				return errSettled
			}
			return nil
		}, put(id), take)},
	{name: "an error of the bank is not looked at", check: send, mistake: "marked in spite of an error",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error {
			bank.Pay(r.key, r.account, r.cents)
			return mark(db, r.key)
		})},
	{name: "a key made anew for every try", check: send, mistake: "a new key with every try",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error {
			if err := bank.Pay(rand.Text(), r.account, r.cents); err != nil {
				return err
			}
			return mark(db, r.key)
		})},
	{name: "a key for every sender", check: send, mistake: "a new key with every try",
		send: each(func(db *sql.DB, bank payout.Bank, r row) error {
			if err := bank.Pay(fmt.Sprintf("%s by sender %p", r.key, db), r.account, r.cents); err != nil {
				return err
			}
			return mark(db, r.key)
		})},
	{name: "a row that is being sent, for ever", check: send, mistake: "it never comes to an end",
		send: func(db *sql.DB, bank payout.Bank) error {
			var busy int
			if err := db.QueryRow(`SELECT count(*) FROM outbox WHERE sent = 2`).Scan(&busy); err != nil || busy > 0 {
				return errors.Join(err, errors.New("somebody is sending"))
			}
			return each(func(db *sql.DB, bank payout.Bank, r row) error {
				if _, err := db.Exec(`UPDATE outbox SET sent = 2 WHERE key = ?`, r.key); err != nil {
					return err
				}
				if err := bank.Pay(r.key, r.account, r.cents); err != nil {
					return err
				}
				return mark(db, r.key)
			})(db, bank)
		}},
	{name: "every holder puts a key of its own", check: next, mistake: "a key for every holder",
		settle: in(raise(right), func(tx *sql.Tx, c call) error {
			key := fmt.Sprintf("%s, token %d", c.ID, c.token)
			err := put(func(call) string { return key })(tx, c)
			if errors.Is(err, errSettled) {
				_, err := tx.Exec(`UPDATE outbox SET key = ? WHERE payout = ?`, key, c.ID)
				return errors.Join(err, tx.Commit(), errSettled)
			}
			return err
		}, take)},
	{name: "panics", check: first, mistake: "nil pointer", state: check.Panicked,
		settle: func(_ *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
			return SettlePayout(nil, bank, p, token)
		}},
}
