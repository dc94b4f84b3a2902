package redis_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/privateredis"
	"fencingtokens/fencing/live/systems/internal/suite"
	"fencingtokens/fencing/live/systems/redis"
)

func TestMain(m *testing.M) { suite.Main(m, redis.Server(), redis.WithCounter()) }

func TestTheLockWithoutAToken(t *testing.T) {
	suite.Run(t, suite.System{Service: redis.Server(), Used: used, Unused: unused})
}

func TestTheLockWithACounter(t *testing.T) {
	suite.Run(t, suite.System{Service: redis.WithCounter(), Tokens: true, Used: used, Unused: unused})
}

func unused(host string) string {
	return "redis://" + strings.Join(suite.Secrets, ":") + "@" + host + "/0"
}

func used(t *testing.T, address string) string {
	client, err := privateredis.Client(address)
	require.NoError(t, err)
	defer client.Close()
	info, err := client.InfoMap(t.Context(), "server").Result()
	require.NoError(t, err)
	whose := "the server that " + redis.Variable + " names"
	if os.Getenv(redis.Variable) == "" {
		whose = "a private redis-server"
	}
	return whose + ", Redis " + info["Server"]["redis_version"]
}

// ours starts a private server and has FENCING_REDIS name it.
func ours(t *testing.T) (*private.Process, string) {
	process, address, err := privateredis.Start(t.Context())
	suite.Require(t, err)
	t.Cleanup(func() { process.Close() })
	t.Setenv(redis.Variable, address)
	return process, address
}

func TestInAServerThatGoesOnNothingElseIsTouchedAndNothingIsLeft(t *testing.T) {
	_, address := ours(t)
	client, err := privateredis.Client(address)
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.Set(t.Context(), "the reader's own", "kept", 0).Err())

	server, err := redis.WithCounter().Start(t.Context())
	require.NoError(t, err)
	session, err := redis.WithCounter().Dial(t.Context(), server.Address(), live.Dialled{Client: "client 1", Lease: suite.Long, Run: "a"})
	require.NoError(t, err)
	defer session.Close()
	_, err = session.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)
	_, _, err = server.Holder(t.Context(), "a", "lock")
	require.NoError(t, err)
	names, err := client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	assert.Len(t, names, 3, "the lock and its counter")
	for _, name := range names {
		length, err := client.PTTL(t.Context(), name).Result()
		require.NoError(t, err)
		assert.Equal(t, name != "the reader's own", length > 0, "%s ends if nobody deletes it", name)
	}

	require.NoError(t, server.Close())
	names, err = client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	assert.Equal(t, []string{"the reader's own"}, names)
}

func TestAWrongPasswordIsNamedByItsKindAlone(t *testing.T) {
	_, address := ours(t)
	client, err := privateredis.Client(address)
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.ConfigSet(t.Context(), "requirepass", "another").Err())
	_, err = redis.Server().Start(t.Context())
	assert.EqualError(t, err, "Redis cannot be used: it answers NOAUTH")
	t.Setenv(redis.Variable, strings.Replace(address, "unix://", "unix://default:opensesame@", 1))
	_, err = redis.Server().Start(t.Context())
	assert.EqualError(t, err, "Redis cannot be used: it answers WRONGPASS")
}

func TestAServerThatEndsInTheMiddleIsASentence(t *testing.T) {
	process, address := ours(t)
	session, err := redis.Server().Dial(t.Context(), address, live.Dialled{Client: "client 1", Lease: suite.Long, Run: "a"})
	require.NoError(t, err)
	defer session.Close()
	token, err := session.TryAcquire(t.Context(), "lock")
	require.NoError(t, err)

	path := strings.TrimPrefix(address, "unix://")
	require.NoError(t, process.Close())
	for _, err := range []error{
		session.Renew(t.Context(), "lock", token),
		session.Release(t.Context(), "lock", token),
		func() error { _, err := session.Acquire(t.Context(), "lock", func() {}); return err }(),
	} {
		require.Error(t, err)
		assert.NotContains(t, err.Error(), path)
		t.Log(err)
	}
}

func TestAnAddressThatIsNoneIsNotRepeated(t *testing.T) {
	t.Setenv(redis.Variable, "keymaster:opensesame")
	_, err := redis.Server().Start(t.Context())
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "opensesame")
	assert.ErrorContains(t, err, "redis://:password@host:6379/0")
}

func TestWithoutAServerTheErrorSaysHowToGetOne(t *testing.T) {
	t.Setenv(redis.Variable, "")
	t.Setenv("PATH", t.TempDir())
	_, err := redis.Server().Start(t.Context())
	assert.EqualError(t, err, "there is no redis-server on this machine (Debian, Ubuntu: apt install redis-server; macOS: brew install redis); or put the address of a server into FENCING_REDIS, for example redis://:password@host:6379/0")
}
