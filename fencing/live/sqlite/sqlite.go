// Package sqlite gives the lessons a real database: SQLite itself, compiled into
// the program, so that a cell needs no server and no network.
//
//	db, err := sqlite.Open(sqlite.Memory,
//		`CREATE TABLE reports (id TEXT PRIMARY KEY, body TEXT, fence INTEGER NOT NULL DEFAULT 0)`)
//	done, err := db.Exec(`UPDATE reports SET body = ?1, fence = ?2 WHERE id = ?3 AND fence <= ?2`,
//		"from client 1", 33, "report")
//	rows, err := done.RowsAffected() // 1: accepted. 0: a newer holder, or no such row
//
// What it opens is an ordinary *sql.DB; everything else is in the standard
// library's database/sql. Cells import only this module and the standard library,
// which is why this package exists: it is all of it that knows the driver,
// modernc.org/sqlite.
//
// Transactions in SQLite are serializable (https://www.sqlite.org/isolation.html):
// one that has read what another one has changed in the meantime cannot write any
// more, it gets an error. PostgreSQL and MySQL are less strict unless they are
// asked. A statement outside a transaction is a transaction of its own.
package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"sync/atomic"

	"modernc.org/sqlite"
)

// Memory in place of a file's name is a new, empty database in memory. All
// connections of one *sql.DB, or of one Connector, see the same database; it is
// gone when the last of them is closed.
const Memory = ""

// Open opens the database in a file, which it makes if there is none, and runs
// the statements, for example those that make its tables.
//
// A connection that finds the database locked by another one waits for it for up
// to 5 s (busy_timeout), and foreign keys are checked, which SQLite does not do
// unless it is told to.
func Open(file string, statements ...string) (*sql.DB, error) {
	connector, err := Connector(file)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, fmt.Errorf("SQLite cannot open %q; is its folder there, and may it be written to? %w", file, err)
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			db.Close()
			return nil, fmt.Errorf("SQLite does not take the statement %q: %w", statement, err)
		}
	}
	return db, nil
}

// memories numbers the databases in memory, which SQLite tells apart by name.
var memories atomic.Uint64

// Connector is for code that stands between database/sql and the connections, as
// the exercises do, which look at every statement: give what wraps it to
// sql.OpenDB. Open opens connections with these settings too.
func Connector(file string) (driver.Connector, error) {
	settings := url.Values{"_busy_timeout": {"5000"}, "_foreign_keys": {"1"}}
	name := url.URL{Scheme: "file", Path: file, OmitHost: true}
	if file == Memory {
		name.Path = fmt.Sprintf("/memory %d", memories.Add(1))
		settings.Set("vfs", "memdb") // unlike a shared cache, it waits for locks as a file does
	}
	name.RawQuery = settings.Encode()
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, fmt.Errorf("SQLite cannot open %q: %w", file, err)
	}
	return connector, nil
}

// SQLite's extended result codes (https://www.sqlite.org/rescode.html). The driver
// names them only in the package that is the whole of SQLite, which whoever edits
// cells would then have to load.
const (
	constraintPrimaryKey = 1555
	constraintUnique     = 2067
)

// IsDuplicate reports whether a statement was refused because a row with that
// primary key, or with those values of a unique constraint, is there already.
func IsDuplicate(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code() == constraintUnique || e.Code() == constraintPrimaryKey
}
