// Package postgres keeps what the lessons' clients write in PostgreSQL.
//
// The server is the one that FENCING_POSTGRES names, as a URL
// (postgres://user:password@host:5432/database) or as "host=… port=… dbname=…"
// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
// Its user must be allowed to make tables. There is no other way: no run starts a
// PostgreSQL of its own.
//
// A statement outside a transaction is a transaction of its own; transactions are
// READ COMMITTED, unless the server is set otherwise. There an UPDATE that waits
// for a row looks at its WHERE again, with the row as it is then, so
// "UPDATE … WHERE fence <= $1" checks and writes in one step
// (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED).
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
)

// Variable is the environment variable that names the database.
const Variable = "FENCING_POSTGRES"

// patience is how long the server may take to let a connection in.
const patience = 5 * time.Second

// Server is the database that [Variable] names.
func Server() live.Storage {
	return live.Storage{
		Name:        "PostgreSQL",
		Open:        open,
		Placeholder: func(n int) string { return fmt.Sprintf("$%d", n) },
	}
}

func open(ctx context.Context) (*sql.DB, error) {
	address := os.Getenv(Variable)
	if address == "" {
		return nil, private.Absent("no PostgreSQL is named: start one (Debian, Ubuntu: apt install postgresql) and put its address into " + Variable + ", for example postgres://user:password@host:5432/database")
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("%s is not an address of PostgreSQL like postgres://user:password@host:5432/database", Variable)
	}
	config.ConnectTimeout = patience
	config.DialFunc = dial
	db := sql.OpenDB(connector{stdlib.GetConnector(*config)})
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// connector is the driver's, and its errors show neither host nor user.
type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, conceal("PostgreSQL cannot be used", err)
	}
	return conn, nil
}

// conceal is [private.Conceal], and knows the codes with which PostgreSQL refuses
// a connection (https://www.postgresql.org/docs/current/errcodes-appendix.html).
func conceal(what string, err error) error {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return private.Conceal(what, err)
	}
	reason := "it refuses"
	switch {
	case strings.HasPrefix(answer.Code, "28"):
		reason = "the user or the password is not accepted"
	case answer.Code == "3D000":
		reason = "there is no such database"
	}
	return private.Because(what, reason+" (SQLSTATE "+answer.Code+")")
}

// dial dials for the driver, which repeats the errors of a connection in its own.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return quiet{conn}, nil
}

// quiet is a connection whose errors do not show its two addresses.
type quiet struct{ net.Conn }

func (q quiet) Read(b []byte) (int, error) {
	n, err := q.Conn.Read(b)
	return n, inner(err)
}

func (q quiet) Write(b []byte) (int, error) {
	n, err := q.Conn.Write(b)
	return n, inner(err)
}

func inner(err error) error {
	var e *net.OpError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
