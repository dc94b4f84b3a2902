package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live/sqlite"
)

// The storage's check in one statement: its row count is the answer.
func Example() {
	db, err := sqlite.Open(sqlite.Memory,
		`CREATE TABLE reports (id TEXT PRIMARY KEY, body TEXT, fence INTEGER NOT NULL DEFAULT 0)`,
		`INSERT INTO reports (id) VALUES ('report')`)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	write := func(body string, token uint64) {
		done, err := db.Exec(`UPDATE reports SET body = ?1, fence = ?2 WHERE id = 'report' AND fence <= ?2`, body, token)
		if err != nil {
			fmt.Println(err)
			return
		}
		rows, err := done.RowsAffected()
		fmt.Printf("token %d: %d row %v\n", token, rows, err)
	}
	write("from client 2", 34)
	write("from client 1", 33) // paused, and too late
	write("from client 2 again", 34)

	var body string
	err = db.QueryRow(`SELECT body FROM reports`).Scan(&body)
	fmt.Println(body, err)
	// Output:
	// token 34: 1 row <nil>
	// token 33: 0 row <nil>
	// token 34: 1 row <nil>
	// from client 2 again <nil>
}

const table = `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, parent INTEGER REFERENCES t)`

func TestTwoConnectionsSeeOneDatabaseInMemoryAndAnotherDatabaseDoesNot(t *testing.T) {
	db, err := sqlite.Open(sqlite.Memory, table)
	require.NoError(t, err)
	defer db.Close()
	one, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer one.Close()
	_, err = one.ExecContext(t.Context(), `INSERT INTO t VALUES (1, 'a', NULL)`)
	require.NoError(t, err)
	var rows int
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM t`).Scan(&rows), "over a second connection")
	assert.Equal(t, 1, rows)

	other, err := sqlite.Open(sqlite.Memory, table)
	require.NoError(t, err)
	defer other.Close()
	require.NoError(t, other.QueryRow(`SELECT count(*) FROM t`).Scan(&rows))
	assert.Zero(t, rows)
}

func TestAFileKeepsWhatWasWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "50% of a #1?.db")
	db, err := sqlite.Open(file, table, `INSERT INTO t VALUES (1, 'a', NULL)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	assert.FileExists(t, file)
	db, err = sqlite.Open(file)
	require.NoError(t, err)
	defer db.Close()
	var name string
	require.NoError(t, db.QueryRow(`SELECT name FROM t`).Scan(&name))
	assert.Equal(t, "a", name)
}

func TestIsDuplicateTellsARowThatIsThereFromAnyOtherRefusal(t *testing.T) {
	db, err := sqlite.Open(sqlite.Memory, table, `INSERT INTO t VALUES (1, 'a', NULL)`)
	require.NoError(t, err)
	defer db.Close()
	for statement, want := range map[string]bool{
		`INSERT INTO t VALUES (1, 'b', NULL)`:  true,
		`INSERT INTO t VALUES (2, 'a', NULL)`:  true,
		`INSERT INTO t VALUES (2, NULL, NULL)`: false,
		`INSERT INTO t VALUES (2, 'b', 99)`:    false, // no such parent
		`INSERT INTO nowhere VALUES (1)`:       false,
	} {
		_, err := db.Exec(statement)
		require.Error(t, err, statement)
		assert.Equal(t, want, sqlite.IsDuplicate(fmt.Errorf("wrapped: %w", err)), statement)
	}
	assert.False(t, sqlite.IsDuplicate(errors.New("another")))
	assert.False(t, sqlite.IsDuplicate(nil))
}

func TestAConnectionWaitsForALock(t *testing.T) {
	db, err := sqlite.Open(sqlite.Memory)
	require.NoError(t, err)
	defer db.Close()
	var milliseconds int
	require.NoError(t, db.QueryRow(`PRAGMA busy_timeout`).Scan(&milliseconds))
	assert.Equal(t, 5000, milliseconds)
}

func TestWhatCannotBeOpenedIsAnErrorAtOnce(t *testing.T) {
	_, err := sqlite.Open(filepath.Join(t.TempDir(), "no such folder", "a.db"))
	assert.ErrorContains(t, err, "is its folder there")
	_, err = sqlite.Open(sqlite.Memory, table, `CREATE TABEL u (id INTEGER)`)
	assert.ErrorContains(t, err, "CREATE TABEL u")
}
