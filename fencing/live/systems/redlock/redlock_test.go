package redlock_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/privateredis"
	"fencingtokens/fencing/live/systems/internal/suite"
	"fencingtokens/fencing/live/systems/redlock"
)

func TestMain(m *testing.M) { suite.Main(m, redlock.Server()) }

func TestTheLockOnFiveServers(t *testing.T) {
	suite.Run(t, suite.System{
		Service: redlock.Server(),
		Used: func(t *testing.T, address string) string {
			client, err := privateredis.Client(strings.Split(address, ",")[0])
			require.NoError(t, err)
			defer client.Close()
			info, err := client.InfoMap(t.Context(), "server").Result()
			require.NoError(t, err)
			if os.Getenv(redlock.Variable) == "" {
				return "five private redis-servers, Redis " + info["Server"]["redis_version"]
			}
			return "the servers that " + redlock.Variable + " names, Redis " + info["Server"]["redis_version"]
		},
		Unused: func(host string) string {
			return strings.Join([]string{of(host), of(host), of(host), of(host), of(host)}, ",")
		},
	})
}

func of(host string) string { return "redis://" + strings.Join(suite.Secrets, ":") + "@" + host + "/0" }

// ours starts five private servers and has FENCING_REDLOCK name them.
func ours(t *testing.T) (processes []*private.Process, addresses []string) {
	for range 5 {
		process, address, err := privateredis.Start(t.Context())
		suite.Require(t, err)
		t.Cleanup(func() { process.Close() })
		processes, addresses = append(processes, process), append(addresses, address)
	}
	t.Setenv(redlock.Variable, strings.Join(addresses, ","))
	return processes, addresses
}

func client(t *testing.T, server live.Server, name string) live.Session {
	s, err := redlock.Server().Dial(t.Context(), server.Address(), live.Dialled{Client: name, Lease: suite.Long, Run: "a"})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestTheLockStandsWithTwoServersAwayAndNotWithThree(t *testing.T) {
	processes, addresses := ours(t)
	server, err := redlock.Server().Start(t.Context())
	require.NoError(t, err)
	one, two := client(t, server, "client 1"), client(t, server, "client 2")
	require.NoError(t, processes[0].Close())
	require.NoError(t, processes[1].Close())

	_, err = one.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	_, err = two.TryAcquire(t.Context(), "lock")
	assert.ErrorIs(t, err, fencing.ErrHeld)
	holder, _, err := server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	assert.Equal(t, "client 1", holder)
	require.NoError(t, one.Renew(t.Context(), "lock", 0))
	require.NoError(t, one.Release(t.Context(), "lock", 0))
	assert.ErrorIs(t, one.Release(t.Context(), "lock", 0), fencing.ErrLeaseLost)

	require.NoError(t, processes[2].Close())
	_, acquire := one.TryAcquire(t.Context(), "lock")
	_, _, asked := server.Holder(t.Context(), "a", "lock")
	for _, err := range []error{acquire, asked, one.Renew(t.Context(), "lock", 0), one.Release(t.Context(), "lock", 0), server.Close()} {
		require.EqualError(t, err, "3 of the 5 Redis servers cannot be used: the server is not there any more")
		assert.NotContains(t, err.Error(), addresses[2])
	}
}

func TestAMinorityOfServersMakesNoHolder(t *testing.T) {
	_, addresses := ours(t)
	server, err := redlock.Server().Start(t.Context())
	require.NoError(t, err)
	defer server.Close()
	for _, address := range addresses[:2] { // as another client does that reaches only two
		node, err := privateredis.Client(address)
		require.NoError(t, err)
		defer node.Close()
		require.NoError(t, node.Set(t.Context(), "fencingtokens-a/lock", "random client 9", 0).Err())
	}
	holder, _, err := server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	assert.Empty(t, holder)
	_, err = client(t, server, "client 1").TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	holder, _, err = server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	assert.Equal(t, "client 1", holder)
}

func TestInServersThatGoOnNothingElseIsTouchedAndNothingIsLeft(t *testing.T) {
	_, addresses := ours(t)
	server, err := redlock.Server().Start(t.Context())
	require.NoError(t, err)
	_, err = client(t, server, "client 1").TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	_, _, err = server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	keys := func() (all []string) {
		for _, address := range addresses {
			node, err := privateredis.Client(address)
			require.NoError(t, err)
			defer node.Close()
			some, err := node.Keys(t.Context(), "*").Result()
			require.NoError(t, err)
			all = append(all, some...)
		}
		return all
	}
	assert.Len(t, keys(), 5)
	require.NoError(t, server.Close())
	assert.Empty(t, keys())
}

func TestAddressesThatAreNotFiveAreASentence(t *testing.T) {
	t.Setenv(redlock.Variable, of("host")+","+of("host"))
	_, err := redlock.Server().Start(t.Context())
	assert.EqualError(t, err, "FENCING_REDLOCK names 2 servers: Redlock wants 5 addresses between commas here, such as redis://:password@host:6379/0")
	t.Setenv(redlock.Variable, "")
	t.Setenv("PATH", t.TempDir())
	_, err = redlock.Server().Start(t.Context())
	assert.ErrorContains(t, err, "or put the addresses of 5 servers into FENCING_REDLOCK")
}
