// Package suite holds what every adapter for a lock service must do, as tests that
// run on the real service.
package suite

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
)

// System is a lock service under test.
type System struct {
	Service live.LockService
	// Tokens says that each grant's token is higher than all before. Without it
	// every token is 0.
	Tokens bool
	// SessionIsLease says that all locks of a client share one lease, which the
	// client's process keeps alive by itself.
	SessionIsLease bool
	// Short is a lease that ends while a test runs; 1 s if it is not set. A server
	// of the reader's must be able to grant it.
	Short time.Duration
	// Used says which server an address leads to, for the log.
	Used func(t *testing.T, address string) string
	// Unused is an address of the service's form with nobody at host, a host and
	// port, and with Secrets in it where the form has a place for them.
	Unused func(host string) string
}

// Secrets are a user and a password; no error may show them.
var Secrets = []string{"keymaster", "opensesame"}

// Long is a lease that does not end while a test runs.
const Long = 30 * time.Second

// Require requires a server: err, if any, is a failure. If it is that there is no
// server here, it is a skip, unless FENCING_REQUIRE_SERVERS is set.
func Require(t *testing.T, err error) {
	t.Helper()
	var absent private.Absent
	if errors.As(err, &absent) && os.Getenv("FENCING_REQUIRE_SERVERS") == "" {
		t.Skip(err)
	}
	require.NoError(t, err)
}

// Run runs all tests on one server.
func Run(t *testing.T, s System) {
	s.Short = cmp.Or(s.Short, time.Second)
	server, err := s.Service.Start(t.Context())
	Require(t, err)
	defer func() { assert.NoError(t, server.Close()) }()
	t.Logf("tried on %s", s.Used(t, server.Address()))
	b := bench{System: s, server: server}

	t.Run("the holder is who has acquired, until it releases", b.holder)
	t.Run("who waits gets the lock after its holder and has a higher token", b.queue)
	t.Run("who gives up waiting leaves nothing behind", b.giveUp)
	t.Run("a client that goes without releasing leaves its lease to run out", b.gone)
	t.Run("two locks and two runs are apart", b.apart)
	t.Run("a lock may have any name, and no other lock is below it", b.names)
	if !s.SessionIsLease {
		t.Run("a lease that is renewed outlives one that is not", b.renew)
	}
	t.Run("a client that is stopped loses the lock and cannot release its successor's", b.stopped)
	t.Run("a server that is away or silent is a sentence without secrets", b.away)
}

type bench struct {
	System
	server live.Server
}

// client dials as a new client in a run that is named after the test.
func (b bench) client(t *testing.T, name string, lease time.Duration) live.Session {
	session, err := b.Service.Dial(t.Context(), b.server.Address(), live.Dialled{Client: name, Lease: lease, Run: run(t)})
	require.NoError(t, err)
	t.Cleanup(func() {
		session.Close()
		for _, lock := range []string{"lock", "another lock", "not renewed"} { // what was asked for is removed
			b.server.Holder(context.Background(), run(t), lock)
		}
	})
	return session
}

func (b bench) assertHolder(t *testing.T, client string, token uint64) {
	t.Helper()
	who, number, err := b.server.Holder(t.Context(), run(t), "lock")
	require.NoError(t, err)
	assert.Equal(t, client, who)
	assert.Equal(t, token, number)
}

func (b bench) assertAbove(t *testing.T, before, after uint64) {
	t.Helper()
	if b.Tokens {
		assert.Greater(t, after, before)
	} else {
		assert.Zero(t, after)
	}
}

func (b bench) holder(t *testing.T) {
	one, two := b.client(t, "client 1", Long), b.client(t, "client 2", Long)
	b.assertHolder(t, "", 0)
	first := acquire(t, one)
	b.assertHolder(t, "client 1", first)
	b.assertAbove(t, 0, first)

	_, err := two.TryAcquire(t.Context(), "lock")
	assert.ErrorIs(t, err, fencing.ErrHeld)
	assert.ErrorIs(t, two.Renew(t.Context(), "lock", first), fencing.ErrLeaseLost, "it is not its own")
	assert.ErrorIs(t, two.Release(t.Context(), "lock", first), fencing.ErrLeaseLost, "it is not its own")
	b.assertHolder(t, "client 1", first)

	require.NoError(t, one.Renew(t.Context(), "lock", first))
	require.NoError(t, one.Release(t.Context(), "lock", first))
	b.assertHolder(t, "", 0)
	assert.ErrorIs(t, one.Release(t.Context(), "lock", first), fencing.ErrLeaseLost, "again")
	assert.ErrorIs(t, one.Renew(t.Context(), "lock", first), fencing.ErrLeaseLost)

	second, err := two.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	b.assertAbove(t, first, second)
	b.assertHolder(t, "client 2", second)
}

// Names are names of locks that a service might take for paths, or for one another.
var Names = []string{"a", "a/b", "a/counter", "a b", ".", "..", "../../x", "/", "%2F", "\x00\n'\"", "🔒"}

func (b bench) names(t *testing.T) {
	one := b.client(t, "client 1\n🔒", Long)
	for _, lock := range Names {
		token, err := one.TryAcquire(t.Context(), lock)
		require.NoError(t, err, "%q", lock)
		who, number, err := b.server.Holder(t.Context(), run(t), lock)
		require.NoError(t, err, "%q", lock)
		assert.Equal(t, "client 1\n🔒", who, "%q", lock)
		assert.Equal(t, token, number, "%q", lock)
	}
}

func (b bench) queue(t *testing.T) {
	one, two := b.client(t, "client 1", Long), b.client(t, "client 2", Long)
	token := acquire(t, one)
	for range 3 { // they take turns, and each waits for the other
		waiting, granted := make(chan bool, 10), make(chan uint64)
		go func() {
			next, err := two.Acquire(t.Context(), "lock", func() { waiting <- true })
			assert.NoError(t, err)
			granted <- next
		}()
		<-waiting
		require.NoError(t, one.Release(t.Context(), "lock", token))
		next := <-granted
		assert.Empty(t, waiting, "it queues once")
		b.assertAbove(t, token, next)
		token, one, two = next, two, one
	}
}

func (b bench) giveUp(t *testing.T) {
	one, two, three := b.client(t, "client 1", Long), b.client(t, "client 2", Long), b.client(t, "client 3", Long)
	token := acquire(t, one)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := two.Acquire(ctx, "lock", cancel)
	assert.ErrorIs(t, err, context.Canceled)
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = two.Acquire(ctx, "lock", func() {})
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	require.NoError(t, one.Release(t.Context(), "lock", token))
	b.assertHolder(t, "client 3", acquire(t, three))
}

func (b bench) gone(t *testing.T) {
	one, two := b.client(t, "client 1", Long), b.client(t, "client 2", Long)
	token := acquire(t, one)
	require.NoError(t, one.Close())
	b.assertHolder(t, "client 1", token)
	_, err := two.TryAcquire(t.Context(), "lock")
	assert.ErrorIs(t, err, fencing.ErrHeld)
}

func (b bench) apart(t *testing.T) {
	one := b.client(t, "client 1", Long)
	acquire(t, one)
	_, err := one.TryAcquire(t.Context(), "another lock")
	assert.NoError(t, err)
	t.Run("another run", func(t *testing.T) {
		acquire(t, b.client(t, "client 1", Long))
	})
}

func (b bench) renew(t *testing.T) {
	one, two := b.client(t, "client 1", b.Short), b.client(t, "client 2", b.Short)
	token := acquire(t, one)
	_, err := one.TryAcquire(t.Context(), "not renewed")
	require.NoError(t, err)
	taken := make(chan error)
	go func() {
		_, err := two.Acquire(t.Context(), "not renewed", func() {})
		taken <- err
	}()
	for ended := false; !ended; {
		require.NoError(t, one.Renew(t.Context(), "lock", token))
		select {
		case err := <-taken:
			require.NoError(t, err)
			ended = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	b.assertHolder(t, "client 1", token)
	assert.ErrorIs(t, one.Renew(t.Context(), "not renewed", token), fencing.ErrLeaseLost)
}

func (b bench) stopped(t *testing.T) {
	one := b.process(t, "client 1", b.Short)
	first := one.grant(t)
	b.assertHolder(t, "client 1", first)
	one.stop(t)

	two := b.client(t, "client 2", Long)
	second := acquire(t, two) // waits until the lease has ended
	b.assertAbove(t, first, second)
	b.assertHolder(t, "client 2", second)

	one.goOn(t)
	assert.Equal(t, "lost", one.ask(t, "renew"))
	assert.Equal(t, "lost", one.ask(t, "release"))
	b.assertHolder(t, "client 2", second)
	require.NoError(t, two.Renew(t.Context(), "lock", second))
	require.NoError(t, two.Release(t.Context(), "lock", second))
	b.assertAbove(t, second, one.grant(t)) // and can begin anew
}

func (b bench) away(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, nobody.Close())
	defer silent.Close()

	for host, why := range map[string]string{nobody.Addr().String(): "connection refused", silent.Addr().String(): "no answer in time"} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := b.Service.Dial(ctx, b.Unused(host), live.Dialled{Client: "client 1", Lease: Long, Run: "away"})
		cancel()
		require.Error(t, err)
		assert.ErrorContains(t, err, why)
		AssertConcealed(t, err, host)
		assert.NotErrorIs(t, err, fencing.ErrHeld)
		t.Log(err)
	}
}

// AssertConcealed asserts that an error shows neither the host nor the Secrets.
func AssertConcealed(t *testing.T, err error, host string) {
	t.Helper()
	name, port, splitErr := net.SplitHostPort(host)
	require.NoError(t, splitErr)
	for _, secret := range append([]string{name, port}, Secrets...) {
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			assert.NotContains(t, inner.Error(), secret)
		}
	}
}

func acquire(t *testing.T, s live.Session) uint64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	token, err := s.Acquire(ctx, "lock", func() {})
	require.NoError(t, err)
	return token
}
