package withoutalock_test

import (
	"database/sql"

	"fencingtokens/exercises/withoutalock"
)

// Settlement settles an account's period once, without a lock.
var Settlement = withoutalock.Answer{
	Constraint: "UNIQUE (account, period)",
	Settle:     Settle,
}

// Settle writes a settlement and adds its cents to the balance, unless that is
// done. It returns nil if it is done, by this call or by another.
func Settle(db *sql.DB, job withoutalock.Job) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit

	inserted, err := tx.Exec(`INSERT INTO settlements (account, period, cents) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		job.Account, job.Period, job.Cents)
	if err != nil {
		return err
	}
	if rows, err := inserted.RowsAffected(); err != nil || rows == 0 {
		return err // nil: it is settled
	}
	if _, err := tx.Exec(`UPDATE accounts SET balance = balance + ? WHERE id = ?`, job.Cents, job.Account); err != nil {
		return err
	}
	return tx.Commit()
}
