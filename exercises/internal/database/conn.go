package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Connect and Driver make a worker the driver.Connector of its own DB.
func (w *Worker) Connect(ctx context.Context) (driver.Conn, error) {
	if w.gone {
		return nil, errGone
	}
	raw, err := w.database.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{worker: w, raw: raw}
	// Everything happens in one goroutine: who waited for a lock would wait for ever.
	if _, err := c.exec(ctx, "PRAGMA busy_timeout = 0", nil); err != nil {
		return nil, err
	}
	w.conns = append(w.conns, c)
	return c, nil
}

// Driver returns that of SQLite.
func (w *Worker) Driver() driver.Driver { return w.database.connector.Driver() }

// conn is a connection that notes what goes through it.
type conn struct {
	worker *Worker
	raw    driver.Conn
	tx     bool // the worker has begun a transaction
	strict bool // and asked for more than READ COMMITTED
	begun  bool // SQLite has begun it
	broken bool
}

// cut breaks the connection; SQLite rolls back what is open.
func (c *conn) cut() {
	if !c.broken {
		c.broken, c.begun = true, false
		c.raw.Close()
	}
}

func (c *conn) Close() error {
	c.cut()
	return nil
}

// IsValid keeps a broken connection from being used again.
func (c *conn) IsValid() bool { return !c.broken }

// step makes a step of the worker on this connection.
func (c *conn) step(do func() error) error {
	if c.broken {
		return errCut
	}
	err := c.worker.Step(do)
	if errors.Is(err, errCut) {
		c.cut()
	}
	return err
}

func (c *conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

func (c *conn) BeginTx(_ context.Context, options driver.TxOptions) (driver.Tx, error) {
	if c.broken {
		return nil, errCut
	}
	c.tx = true
	c.strict = sql.IsolationLevel(options.Isolation) > sql.LevelWriteCommitted
	c.worker.Note("begins a transaction")
	return c, nil
}

// enter begins the transaction in SQLite if a statement needs it.
func (c *conn) enter(ctx context.Context, query string) error {
	writes := !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(query)), "SELECT")
	begin := ""
	switch {
	case !c.tx || c.begun:
		return nil
	case c.strict:
		begin = "BEGIN"
	case writes:
		begin = "BEGIN IMMEDIATE"
	default:
		return nil
	}
	_, err := c.exec(ctx, begin, nil)
	c.begun = err == nil
	return err
}

func (c *conn) Commit() error {
	return c.step(func() error {
		err := c.end("COMMIT")
		c.worker.Note("commits: %s", outcome(err, "done"))
		return err
	})
}

func (c *conn) Rollback() error {
	if c.broken {
		return nil
	}
	err := c.end("ROLLBACK")
	c.worker.Note("rolls back")
	return err
}

func (c *conn) end(statement string) error {
	begun := c.begun
	c.tx, c.begun = false, false
	if !begun {
		return nil
	}
	_, err := c.exec(context.Background(), statement, nil)
	return err
}

func (c *conn) exec(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.raw.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	var result driver.Result
	err := c.step(func() error {
		err := c.enter(ctx, query)
		if err == nil {
			result, err = c.exec(ctx, query, args)
		}
		got := ""
		if err == nil {
			changed, _ := result.RowsAffected() // SQLite always knows
			got = count(int(changed))
		}
		c.note(query, args, got, err)
		return err
	})
	return result, err
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	var found *rows
	err := c.step(func() error {
		err := c.enter(ctx, query)
		if err == nil {
			found, err = c.query(ctx, query, args)
		}
		got := ""
		if err == nil {
			got = found.told()
		}
		c.note(query, args, got, err)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// query reads all rows at once, so that no reader is in a writer's way.
func (c *conn) query(ctx context.Context, query string, args []driver.NamedValue) (*rows, error) {
	raw, err := c.raw.(driver.QueryerContext).QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	found := &rows{columns: raw.Columns()}
	for {
		row := make([]driver.Value, len(found.columns))
		switch err := raw.Next(row); {
		case err == io.EOF:
			return found, nil
		case err != nil:
			return nil, err
		}
		found.rows = append(found.rows, row)
	}
}

func (c *conn) note(query string, args []driver.NamedValue, got string, err error) {
	text := strings.Join(strings.Fields(query), " ")
	if len(args) > 0 {
		values := make([]any, len(args))
		for i, a := range args {
			values[i] = a.Value
		}
		text += " with " + join(values)
	}
	c.worker.Note("%s: %s", text, outcome(err, got))
}

func outcome(err error, got string) string {
	if err != nil {
		return err.Error()
	}
	return got
}

func count(rows int) string {
	if rows == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", rows)
}

// Prepare returns a statement that is taken to SQLite when it is used.
func (c *conn) Prepare(query string) (driver.Stmt, error) { return &stmt{c, query}, nil }

type stmt struct {
	conn  *conn
	query string
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return -1 } // SQLite says whether their number is right

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}

// Exec and Query complete driver.Stmt; database/sql calls the two above.
func (s *stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

func (s *stmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// rows are those of a query, read already.
type rows struct {
	columns []string
	rows    [][]driver.Value
	next    int
}

func (r *rows) Columns() []string { return r.columns }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(row []driver.Value) error {
	if r.next == len(r.rows) {
		return io.EOF
	}
	copy(row, r.rows[r.next])
	r.next++
	return nil
}

// told tells how many rows there are, and what is in a single one.
func (r *rows) told() string {
	if len(r.rows) != 1 {
		return count(len(r.rows))
	}
	values := make([]any, len(r.rows[0]))
	for i, v := range r.rows[0] {
		values[i] = v
	}
	return "1 row (" + join(values) + ")"
}
