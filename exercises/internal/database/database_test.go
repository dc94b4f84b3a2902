package database

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func counters(t *testing.T) (d *Database, a, b *Worker) {
	d = New(`CREATE TABLE counters (id TEXT PRIMARY KEY, n INTEGER NOT NULL)`, `INSERT INTO counters VALUES ('x', 1)`)
	t.Cleanup(d.Close)
	return d, d.Worker("worker 1"), d.Worker("worker 2")
}

const value = `SELECT n FROM counters WHERE id = 'x'`

// readThenWrite adds to what it has read, in a transaction of that level.
func readThenWrite(db *sql.DB, add int, level sql.IsolationLevel) error {
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: level})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRow(value).Scan(&n); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE counters SET n = ? WHERE id = 'x'`, n+add); err != nil {
		return err
	}
	return tx.Commit()
}

// The steps of readThenWrite.
const (
	read = iota
	write
	commit
)

func TestATransactionSeesWhatOthersHaveCommittedUnlessItAsksForMore(t *testing.T) {
	for level, want := range map[sql.IsolationLevel]int64{
		sql.LevelDefault:       11,  // worker 2's 100 is lost
		sql.LevelReadCommitted: 11,  //
		sql.LevelSerializable:  111, // worker 2 had to wait
	} {
		d, a, b := counters(t)
		var first, second error
		d.Interleave(a, write,
			func() { first = readThenWrite(a.DB, 10, level) },
			func() { second = readThenWrite(b.DB, 100, level) })
		assert.NoError(t, first)
		assert.NoError(t, second)
		assert.Equal(t, want, d.Number(value), level)
	}
}

func TestTheOtherWorkerWaitsForALock(t *testing.T) {
	d, a, b := counters(t)
	d.Interleave(a, commit,
		func() { require.NoError(t, readThenWrite(a.DB, 10, sql.LevelDefault)) },
		func() {
			assert.Equal(t, int64(11), d.Number(value), "worker 1 has committed")
			require.NoError(t, readThenWrite(b.DB, 100, sql.LevelDefault))
		})
	assert.Equal(t, int64(111), d.Number(value))
	assert.Equal(t, 3, a.Steps())
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		step  int
		want  int64
	}{
		{"a crash before the commit", Crash, commit, 1},
		{"a crash before the first step", Crash, read, 1},
		{"a connection that breaks before the commit", CutBefore, commit, 1},
		{"a connection that breaks after a write in a transaction", CutAfter, write, 1},
		{"a reply to the commit that is lost", CutAfter, commit, 11},
		{"no such step", Crash, 100, 11},
	} {
		d, a, b := counters(t)
		a.Strike(c.step, c.fault)
		err := a.Call("readThenWrite", func() error { return readThenWrite(a.DB, 10, sql.LevelDefault) })
		assert.Equal(t, c.step <= commit, err != nil, c.name)
		assert.Equal(t, c.want, d.Number(value), c.name)
		assert.False(t, d.Locked(), c.name)
		assert.False(t, a.Leaked, c.name)

		// A crashed worker is gone, one whose connection broke gets a new one.
		err = readThenWrite(a.DB, 1000, sql.LevelDefault)
		assert.Equal(t, c.fault == Crash && c.step <= commit, err != nil, c.name)
		assert.Equal(t, err != nil, a.Crashed(), c.name)
		assert.NoError(t, readThenWrite(b.DB, 1000, sql.LevelDefault), c.name)
	}
}

func TestACallThatLeavesATransactionOpenIsFoundAndEnded(t *testing.T) {
	d, a, _ := counters(t)
	err := a.Call("forget", func() error {
		tx, err := a.DB.Begin()
		require.NoError(t, err)
		_, err = tx.Exec(`UPDATE counters SET n = 2`)
		return err
	})
	assert.NoError(t, err)
	assert.True(t, a.Leaked)
	assert.Equal(t, int64(1), d.Number(value))
	assert.False(t, d.Locked())
}

func TestAWorkersOwnSecondConnectionIsLockedOutAtOnce(t *testing.T) {
	_, a, _ := counters(t)
	tx, err := a.DB.Begin()
	require.NoError(t, err)
	defer tx.Rollback()
	_, err = tx.Exec(`UPDATE counters SET n = 2`)
	require.NoError(t, err)
	_, err = a.DB.Exec(`UPDATE counters SET n = 3`)
	assert.ErrorContains(t, err, "locked")
}

func TestEventsTellEveryStepWithWhatCameOfIt(t *testing.T) {
	d, a, b := counters(t)
	a.Strike(5, CutAfter)
	d.Interleave(a, write,
		func() {
			a.Call("add", func() error { return readThenWrite(a.DB, 10, sql.LevelDefault) })
		},
		func() {
			statement, err := b.DB.Prepare(`INSERT INTO counters
				VALUES (?, ?)`)
			require.NoError(t, err)
			statement.Exec("y", nil)
			statement.Exec("y", 5)
		})
	a.Call("add", func() error { return readThenWrite(a.DB, 10, sql.LevelDefault) })
	assert.Equal(t, []string{
		` 1. worker 1 calls add`,
		` 2. worker 1 begins a transaction`,
		` 3. worker 1 SELECT n FROM counters WHERE id = 'x': 1 row (1)`,
		` 4. worker 2 INSERT INTO counters VALUES (?, ?) with "y", NULL: constraint failed: NOT NULL constraint failed: counters.n (1299)`,
		` 5. worker 2 INSERT INTO counters VALUES (?, ?) with "y", 5: 1 row`,
		` 6. worker 1 UPDATE counters SET n = ? WHERE id = 'x' with 11: 1 row`,
		` 7. worker 1 commits: done`,
		` 8. worker 1’s call returns nil`,
		` 9. worker 1 calls add`,
		`10. worker 1 begins a transaction`,
		`11. worker 1 SELECT n FROM counters WHERE id = 'x': 1 row (11)`,
		`12. worker 1 UPDATE counters SET n = ? WHERE id = 'x' with 21: 1 row`,
		`13. worker 1 commits: done`,
		`14. the reply to worker 1 is lost, and its connection breaks`,
		`15. worker 1’s call returns an error: the connection broke before a reply came`,
	}, d.Events())
	assert.Equal(t, []string{`"x", 21`, `"y", 5`}, d.Rows(`SELECT id, n FROM counters ORDER BY id`))
}
