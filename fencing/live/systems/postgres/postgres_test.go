package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live/systems/internal/suite"
	"fencingtokens/fencing/live/systems/postgres"
)

// open opens the database that FENCING_POSTGRES names.
func open(t *testing.T) *sql.DB {
	db, err := postgres.Server().Open(t.Context())
	suite.Require(t, err)
	t.Cleanup(func() { db.Close() })
	var version string
	require.NoError(t, db.QueryRow(`SHOW server_version`).Scan(&version))
	t.Logf("tried on the server that %s names, PostgreSQL %s", postgres.Variable, version)
	return db
}

func TestTheCheckInOneStatementRefusesALowerToken(t *testing.T) {
	db := open(t)
	conn, err := db.Conn(t.Context()) // a temporary table belongs to one connection
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), `CREATE TEMPORARY TABLE reports (id TEXT PRIMARY KEY, body TEXT, fence BIGINT NOT NULL DEFAULT 0)`)
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), `INSERT INTO reports (id) VALUES ('report')`)
	require.NoError(t, err)
	place := postgres.Server().Placeholder
	write := func(token int64) int64 {
		done, err := conn.ExecContext(t.Context(), `UPDATE reports SET fence = `+place(1)+` WHERE id = `+place(2)+` AND fence <= `+place(1), token, "report")
		require.NoError(t, err)
		rows, err := done.RowsAffected()
		require.NoError(t, err)
		return rows
	}
	assert.EqualValues(t, 1, write(34))
	assert.EqualValues(t, 0, write(33))
	assert.EqualValues(t, 1, write(34))
}

func TestAServerThatEndsTheConnectionIsAnErrorWithoutSecretsAndTheNextOneWorks(t *testing.T) {
	db := open(t)
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	var id int
	require.NoError(t, conn.QueryRowContext(t.Context(), `SELECT pg_backend_pid()`).Scan(&id))
	_, err = db.Exec(`SELECT pg_terminate_backend($1)`, id)
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), `SELECT 1`)
	require.Error(t, err)
	assertConcealed(t, err)
	t.Log(err)
	_, err = db.Exec(`SELECT 1`)
	assert.NoError(t, err)
}

func TestAWireThatBreaksIsAnErrorWithoutItsAddresses(t *testing.T) {
	direct := open(t)
	config, err := pgx.ParseConfig(os.Getenv(postgres.Variable))
	require.NoError(t, err)
	front, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer front.Close()
	wires := make(chan net.Conn, 1)
	go func() {
		wire, err := front.Accept()
		if err != nil {
			return
		}
		network, address := pgconn.NetworkAddress(config.Host, config.Port)
		back, err := net.Dial(network, address)
		if err != nil {
			return
		}
		wires <- wire
		go io.Copy(back, wire)
		io.Copy(wire, back)
	}()
	at := front.Addr().(*net.TCPAddr)
	t.Setenv(postgres.Variable, addressOf(at.IP.String(), at.Port, config.User, config.Password, config.Database))
	db, err := postgres.Server().Open(t.Context())
	require.NoError(t, err)
	defer db.Close()
	query := fmt.Sprintf(`SELECT pg_sleep(60), %d`, time.Now().UnixNano())
	defer direct.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = $1`, query)
	broken := make(chan error)
	go func() {
		var nothing any
		broken <- db.QueryRow(query).Scan(&nothing, &nothing)
	}()
	require.Eventually(t, func() bool {
		var running int
		err := direct.QueryRow(`SELECT count(*) FROM pg_stat_activity WHERE query = $1 AND state = 'active'`, query).Scan(&running)
		return err == nil && running == 1
	}, 20*time.Second, 10*time.Millisecond)
	wire := (<-wires).(*net.TCPConn)
	require.NoError(t, wire.SetLinger(0)) // a reset, as of a machine that has started again
	require.NoError(t, wire.Close())
	err = <-broken
	require.Error(t, err)
	suite.AssertConcealed(t, err, front.Addr().String())
	assertConcealed(t, err)
	t.Log(err)
}

// addressOf is an address with other parts than those of FENCING_POSTGRES.
func addressOf(host string, port int, user, password, database string) string {
	return (&url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Path: "/" + database, RawQuery: url.Values{
		"host": {host}, "port": {fmt.Sprint(port)}, "sslmode": {"disable"}}.Encode()}).String()
}

func TestWhoIsNotLetInSeesNeitherUserNorPassword(t *testing.T) {
	open(t)
	config, err := pgx.ParseConfig(os.Getenv(postgres.Variable))
	require.NoError(t, err)
	address := func(user, password, database string) string {
		return addressOf(config.Host, int(config.Port), user, password, database)
	}
	t.Setenv(postgres.Variable, address(suite.Secrets[0], suite.Secrets[1], config.Database))
	_, err = postgres.Server().Open(t.Context())
	assert.EqualError(t, err, "PostgreSQL cannot be used: the user or the password is not accepted (SQLSTATE 28P01)")
	t.Setenv(postgres.Variable, address(config.User, config.Password, "opensesame"))
	_, err = postgres.Server().Open(t.Context())
	assert.EqualError(t, err, "PostgreSQL cannot be used: there is no such database (SQLSTATE 3D000)")
}

func TestAServerThatIsAwayOrSilentIsASentenceWithoutSecrets(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, nobody.Close())
	defer silent.Close()
	for host, want := range map[string]string{
		nobody.Addr().String(): "PostgreSQL cannot be used: connection refused",
		silent.Addr().String(): "PostgreSQL cannot be used: no answer in time",
	} {
		t.Setenv(postgres.Variable, "postgres://"+strings.Join(suite.Secrets, ":")+"@"+host+"/database")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := postgres.Server().Open(ctx)
		cancel()
		assert.EqualError(t, err, want)
		suite.AssertConcealed(t, err, host)
	}
}

func TestAnAddressThatIsMissingOrNoneIsASentence(t *testing.T) {
	t.Setenv(postgres.Variable, "")
	_, err := postgres.Server().Open(t.Context())
	assert.ErrorContains(t, err, "no PostgreSQL is named")
	t.Setenv(postgres.Variable, "postgres://keymaster:opensesame@:port/")
	_, err = postgres.Server().Open(t.Context())
	assert.EqualError(t, err, "FENCING_POSTGRES is not an address of PostgreSQL like postgres://user:password@host:5432/database")
}

// assertConcealed asserts that an error shows nothing of the address in FENCING_POSTGRES.
func assertConcealed(t *testing.T, err error) {
	config, parseErr := pgx.ParseConfig(os.Getenv(postgres.Variable))
	require.NoError(t, parseErr)
	for ; err != nil; err = errors.Unwrap(err) {
		for _, secret := range []string{config.Host, fmt.Sprint(config.Port), config.User, config.Password} {
			if secret != "" {
				assert.NotContains(t, err.Error(), secret)
			}
		}
	}
}
