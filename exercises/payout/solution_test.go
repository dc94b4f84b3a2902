package payout_test

import (
	"database/sql"

	"fencingtokens/exercises/payout"
	"fencingtokens/fencing"
)

// Payouts settles payouts and sends them to the bank.
var Payouts = payout.Answer{Settle: SettlePayout, Send: SendPayouts}

// SettlePayout is called by the holder of the account's lock, and again when
// nobody knows what became of the call.
func SettlePayout(db *sql.DB, bank payout.Bank, p payout.Payout, token uint64) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit

	raised, err := tx.Exec(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence <= ?1`, token, p.Account)
	if err != nil {
		return err
	}
	if rows, err := raised.RowsAffected(); err != nil || rows != 1 {
		return fencing.ErrFenced
	}
	written, err := tx.Exec(`INSERT INTO outbox (payout, key, account, cents) VALUES (?1, ?1, ?2, ?3) ON CONFLICT DO NOTHING`,
		p.ID, p.Account, p.Cents)
	if err != nil {
		return err
	}
	if rows, err := written.RowsAffected(); err != nil || rows == 0 {
		return err // nil: it is settled
	}
	if _, err := tx.Exec(`UPDATE accounts SET balance = balance - ? WHERE id = ?`, p.Cents, p.Account); err != nil {
		return err
	}
	return tx.Commit()
}

// SendPayouts is called again and again, by one worker or another.
func SendPayouts(db *sql.DB, bank payout.Bank) error {
	rows, err := db.Query(`SELECT key, account, cents FROM outbox WHERE sent = 0`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key, account string
		var cents int64
		if err := rows.Scan(&key, &account, &cents); err != nil {
			return err
		}
		if err := bank.Pay(key, account, cents); err != nil {
			return err // unknown, so it is sent again
		}
		if _, err := db.Exec(`UPDATE outbox SET sent = 1 WHERE key = ?`, key); err != nil {
			return err
		}
	}
	return rows.Err()
}
