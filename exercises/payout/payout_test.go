package payout_test

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/payout"
	"fencingtokens/exercises/payout/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Payouts)(1))
	prove.Golden(t, "passed", of(Payouts)(1))
	for _, w := range catalogue {
		if w.name == "pays inside the transaction" || w.name == "marks, and then sends" || w.name == "raises the fence in a transaction of its own" {
			prove.Golden(t, w.name, of(payout.Answer{Settle: w.settle, Send: w.send})(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestPayouts(t *testing.T) {
	prove.Cell(t, payout.Check, stub.Payouts, Payouts)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 10, map[string]payout.Answer{
		"a key made of the first try's token, and kept": {
			Settle: in(raise(right), put(func(c call) string { return fmt.Sprint(c.ID, "/", c.token) }), take), Send: SendPayouts},
		"marks and pays in one transaction": {Settle: SettlePayout,
			Send: each(func(db *sql.DB, bank payout.Bank, r row) error {
				tx, err := db.Begin()
				if err != nil {
					return err
				}
				defer tx.Rollback()
				if _, err := tx.Exec(`UPDATE outbox SET sent = 1 WHERE key = ?`, r.key); err != nil {
					return err
				}
				if err := bank.Pay(r.key, r.account, r.cents); err != nil {
					return err
				}
				return tx.Commit()
			})},
		"settles, and sends at once as well": {
			Settle: func(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
				if err := SettlePayout(db, bank, p, token); err != nil {
					return err
				}
				return SendPayouts(db, bank)
			}, Send: SendPayouts},
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(payout.Answer{Settle: in(take)})
	one, _ := wrong(3).First()
	same, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, one.Events, same.Events)
	assert.NotEqual(t, one.Events, other.Events)
}
