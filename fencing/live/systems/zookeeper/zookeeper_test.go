package zookeeper

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/numbers"
	"fencingtokens/fencing/live/systems/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, Server()) }

func TestTheLock(t *testing.T) {
	suite.Run(t, suite.System{
		Service: Server(), Tokens: true, SessionIsLease: true, Used: used,
		Short:  4 * time.Second, // the least of a server with the usual tickTime
		Unused: func(host string) string { return host },
	})
}

func used(t *testing.T, address string) string {
	number, err := version(t.Context(), strings.Split(address, ",")[0])
	require.NoError(t, err)
	if os.Getenv(Variable) == "" {
		return "a private server, ZooKeeper " + number
	}
	return "the server that " + Variable + " names, ZooKeeper " + number
}

// ours starts a private server and has FENCING_ZOOKEEPER name it.
func ours(t *testing.T) (address string, end func() error) {
	process, address, err := startPrivate(t.Context())
	suite.Require(t, err)
	t.Cleanup(func() { process.Close() })
	t.Setenv(Variable, address)
	return address, process.Close
}

func TestTheNumbersAreThoseOfTheClientsOwnNode(t *testing.T) {
	address, _ := ours(t)
	seen := map[string]numbers.ZooKeeper{}
	client := func(name string) live.Session {
		service := With(func(n numbers.ZooKeeper) uint64 { seen[name] = n; return 7 })
		s, err := service.Dial(t.Context(), address, live.Dialled{Client: name, Lease: suite.Long, Run: "a"})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	}
	one, two := client("client 1"), client("client 2")
	token, err := one.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	assert.EqualValues(t, 7, token, "the number of our choice")
	done := make(chan error)
	go func() {
		_, err := two.Acquire(t.Context(), "lock", func() { done <- nil })
		done <- err
	}()
	<-done
	require.NoError(t, one.Release(t.Context(), "lock", token))
	require.NoError(t, <-done)

	first, second := seen["client 1"], seen["client 2"]
	assert.Greater(t, second.Czxid, first.Czxid)
	assert.Equal(t, first.Sequence+1, second.Sequence)
	assert.Greater(t, second.LastZxid, second.Czxid, "the release came after the node")
	assert.Equal(t, second.Czxid, second.Mzxid, "nobody rewrote it")
	assert.Zero(t, second.Version, "as on every new node")
	assert.NotEqual(t, first.EphemeralOwner, second.EphemeralOwner)
}

func TestInAServerThatGoesOnNothingElseIsTouchedAndNothingIsLeft(t *testing.T) {
	address, _ := ours(t)
	conn, err := connect(t.Context(), address, watching)
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Create("/readers-own", nil, 0, zk.WorldACL(zk.PermAll))
	require.NoError(t, err)
	children := func() []string {
		names, _, err := conn.Children("/")
		require.NoError(t, err)
		return names
	}

	server, err := Server().Start(t.Context())
	require.NoError(t, err)
	session, err := Server().Dial(t.Context(), server.Address(), live.Dialled{Client: "client 1", Lease: suite.Long, Run: "a"})
	require.NoError(t, err)
	defer session.Close()
	_, err = session.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	_, _, err = server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"readers-own", "zookeeper", "fencingtokens-a"}, children())
	require.NoError(t, server.Close())
	assert.ElementsMatch(t, []string{"readers-own", "zookeeper"}, children())
}

func TestWhoAsksWhileTheConnectionBreaksAsksAgain(t *testing.T) {
	address, _ := ours(t)
	s, err := dial(t.Context(), address, live.Dialled{Client: "client 1", Lease: suite.Long, Run: "a"}, func(numbers.ZooKeeper) uint64 { return 1 })
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	token, err := s.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	for range 3 {
		s.conn.dialler.mu.Lock()
		require.NoError(t, s.conn.dialler.last.(*net.TCPConn).CloseWrite())
		s.conn.dialler.mu.Unlock()
		require.NoError(t, s.Renew(t.Context(), "lock", token))
	}
}

func TestALeaseThatTheServerWouldChangeIsRefused(t *testing.T) {
	address, _ := ours(t)
	for _, lease := range []time.Duration{100 * time.Millisecond, time.Hour} {
		_, err := Server().Dial(t.Context(), address, live.Dialled{Client: "client 1", Lease: lease, Run: "a"})
		require.ErrorContains(t, err, fmt.Sprintf("long and not %s: choose a lease", lease))
		suite.AssertConcealed(t, err, address)
		t.Log(err)
	}
}

func TestAServerThatEndsInTheMiddleIsASentence(t *testing.T) {
	address, end := ours(t)
	server, err := Server().Start(t.Context())
	require.NoError(t, err)
	session, err := Server().Dial(t.Context(), address, live.Dialled{Client: "client 1", Lease: suite.Long, Run: "a"})
	require.NoError(t, err)
	defer session.Close()
	token, err := session.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	require.NoError(t, end())

	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, _, holder := server.Holder(ctx, "a", "lock")
	_, acquire := session.Acquire(ctx, "lock", func() {})
	for _, err := range []error{holder, acquire, session.Renew(ctx, "lock", token), session.Release(ctx, "lock", token), server.Close()} {
		require.Error(t, err)
		suite.AssertConcealed(t, err, address)
		t.Log(err)
	}
}

func TestWithoutAServerTheErrorSaysHowToGetOne(t *testing.T) {
	t.Setenv(Variable, "")
	t.Setenv("PATH", t.TempDir())
	_, err := Server().Start(t.Context())
	assert.EqualError(t, err, "there is no ZooKeeper on this machine (Debian, Ubuntu: apt install zookeeper); or put host:port of a server into FENCING_ZOOKEEPER")
}
