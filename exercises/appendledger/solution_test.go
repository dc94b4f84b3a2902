package appendledger_test

import (
	"database/sql"
	"fmt"

	"fencingtokens/exercises/appendledger"
	"fencingtokens/fencing"
)

// Append adds the entry to its account's ledger, with the balance after it. It
// returns an error, and changes nothing, if a newer holder has been there.
func Append(db *sql.DB, entry appendledger.Entry, token uint64) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit

	raised, err := tx.Exec(`UPDATE accounts SET fence = ?1 WHERE id = ?2 AND fence <= ?1`, token, entry.Account)
	if err != nil {
		return err
	}
	if rows, err := raised.RowsAffected(); err != nil || rows != 1 {
		return fmt.Errorf("%w: token %d raised the fence of %d accounts %q (%v)", fencing.ErrFenced, token, rows, entry.Account, err)
	}
	var balance int64
	err = tx.QueryRow(`SELECT coalesce(sum(cents), 0) FROM entries WHERE account = ?`, entry.Account).Scan(&balance)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO entries (account, cents, balance) VALUES (?, ?, ?)`,
		entry.Account, entry.Cents, balance+entry.Cents)
	if err != nil {
		return err
	}
	return tx.Commit()
}
