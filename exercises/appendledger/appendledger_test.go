package appendledger_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/appendledger"
	"fencingtokens/exercises/appendledger/stub"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Append)(1))
	prove.Golden(t, "passed", of(Append)(1))
	for _, w := range catalogue {
		if w.Name == "RowsAffected is not asked" || w.Name == "SELECT, then UPDATE" || w.Name == "reads the balance, then raises the fence" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestAppend(t *testing.T) {
	prove.Cell(t, appendledger.Check, stub.Append, Append)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 10, map[string]appendledger.Answer{
		"UPDATE with RETURNING, and the last balance": in(func(tx *sql.Tx, e entry, token uint64) error {
			var fence uint64
			err := tx.QueryRow(right+` RETURNING fence`, token, e.Account).Scan(&fence)
			if err == sql.ErrNoRows {
				return fencing.ErrFenced
			}
			return err
		}, func(tx *sql.Tx, e entry, _ uint64) error {
			_, err := tx.Exec(`INSERT INTO entries (account, cents, balance)
				SELECT ?1, ?2, balance + ?2 FROM entries WHERE account = ?1 ORDER BY number DESC LIMIT 1`, e.Account, e.Cents)
			return err
		}),
		"looks first, and asks again in the UPDATE": in(look, raise(right), readAndInsert),
		"SELECT, then UPDATE, serializable": func(db *sql.DB, e entry, token uint64) error {
			tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelSerializable})
			if err != nil {
				return err
			}
			defer tx.Rollback()
			for _, s := range []step{look, set, readAndInsert} {
				if err := s(tx, e, token); err != nil {
					return err
				}
			}
			return tx.Commit()
		},
		"prepared statements, over one connection": func(db *sql.DB, e entry, token uint64) error {
			conn, err := db.Conn(context.Background())
			if err != nil {
				return err
			}
			defer conn.Close()
			tx, err := conn.BeginTx(context.Background(), nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			statement, err := tx.Prepare(right)
			if err != nil {
				return err
			}
			defer statement.Close()
			result, err := statement.Exec(token, e.Account)
			if err != nil {
				return err
			}
			if n, _ := result.RowsAffected(); n != 1 {
				return fencing.ErrFenced
			}
			if err := readAndInsert(tx, e, token); err != nil {
				return err
			}
			return tx.Commit()
		},
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(catalogue[0].Answer)
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
