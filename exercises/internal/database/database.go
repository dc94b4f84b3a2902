// Package database runs a learner's functions against a real database and sees
// everything that they do there.
//
// A Database is SQLite in memory. Its workers are processes of their own: each
// has its own *sql.DB, and nothing in common with another but the tables. What a
// worker does is a list of numbered steps, one for every statement, commit or
// call of a system outside; a check may let another worker run before any of
// them, or let the world break at it. All of it happens in one goroutine, so the
// same answer gives the same events every time.
//
// # Isolation
//
// SQLite's own transactions are serializable, and would save an answer that is
// wrong on most other databases. So a transaction here sees, with every
// statement, what others have committed by then, as PostgreSQL does by default
// (READ COMMITTED): it begins in SQLite only with its first statement that
// writes, and from then on nobody else writes. Whoever asks for a stricter level
// with sql.TxOptions gets SQLite's own.
package database

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"fencingtokens/fencing/live/sqlite"
)

// Database is one database, with what has happened to it.
type Database struct {
	connector driver.Connector
	own       *sql.DB // of the checks, unseen
	workers   []*Worker
	events    []string
}

// New returns a database in which the statements have been run. They are the
// exercise's own, so an error in them is a panic.
func New(statements ...string) *Database {
	connector, err := sqlite.Connector(sqlite.Memory)
	if err != nil {
		panic(err)
	}
	d := &Database{connector: connector, own: sql.OpenDB(connector)}
	for _, statement := range statements {
		if err := d.Exec(statement); err != nil {
			panic(err)
		}
	}
	return d
}

// Close ends all connections.
func (d *Database) Close() {
	for _, w := range d.workers {
		w.cut()
		w.DB.Close()
	}
	d.own.Close()
}

// Exec runs a statement of the check's own, which is not noted.
func (d *Database) Exec(statement string, args ...any) error {
	_, err := d.own.Exec(statement, args...)
	return err
}

// Rows returns what a query of the check's own finds, a line for every row with
// commas between its columns.
func (d *Database) Rows(query string, args ...any) []string {
	rows, err := d.own.Query(query, args...)
	if err != nil {
		panic(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	var lines []string
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			panic(err)
		}
		lines = append(lines, join(values))
	}
	if err := rows.Err(); err != nil {
		panic(err)
	}
	return lines
}

// Number returns the one number that a query of the check's own finds, 0 if it
// finds no row or NULL.
func (d *Database) Number(query string, args ...any) int64 {
	var n sql.NullInt64
	if err := d.own.QueryRow(query, args...).Scan(&n); err != nil && err != sql.ErrNoRows {
		panic(err)
	}
	return n.Int64
}

// Locked reports whether some worker's transaction keeps the others from writing.
func (d *Database) Locked() bool {
	for _, w := range d.workers {
		for _, c := range w.conns {
			if c.begun {
				return true
			}
		}
	}
	return false
}

// Interleave runs a worker's call, and another one's before the worker's step
// with that number. If the database is locked then, the other one waits for the
// lock: its call comes as soon as there is none.
func (d *Database) Interleave(w *Worker, step int, call, other func()) {
	came := false
	w.before = func(n int) {
		if n >= step && !came && !d.Locked() {
			came = true
			other()
		}
	}
	call()
	w.before = nil
	if !came {
		other()
	}
}

// Note adds a line to the events.
func (d *Database) Note(format string, args ...any) {
	d.events = append(d.events, fmt.Sprintf("%2d. ", len(d.events)+1)+fmt.Sprintf(format, args...))
}

// Events returns what has happened, a line each.
func (d *Database) Events() []string { return d.events }

func join(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
			texts[i] = "NULL"
		case string:
			texts[i] = fmt.Sprintf("%q", v)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(texts, ", ")
}
