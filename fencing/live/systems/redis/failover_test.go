package redis_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live/systems/internal/suite"
	"fencingtokens/fencing/live/systems/redis"
)

func TestAReplicaThatTakesOverGivesTheLockAndItsNumberASecondTime(t *testing.T) {
	told, err := redis.Failover(t.Context())
	suite.Require(t, err)
	t.Log("tried on two private redis-servers, a primary and its replica")
	assert.Equal(t, redis.Grant{Client: "client 1", Token: told.Shared + 1}, told.Before)
	assert.Equal(t, redis.Grant{Client: "client 2", Token: told.Shared + 1}, told.After)
	require.Equal(t, `The primary has granted the lock 3 times, and its replica knows it.
The link between the two is cut.
client 1 gets the lock from the primary for 1m0s, with token 4.
The primary is killed. The replica takes over; it has never heard of that grant.
client 2 gets the same lock from it, with token 4, while the lease of client 1 has not run out.
Both have the same token: a storage that checks it lets both in.`, fmt.Sprint(told))
}

func TestAFailoverWithoutRedisSaysHowToGetIt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := redis.Failover(t.Context())
	assert.ErrorContains(t, err, "there is no redis-server on this machine")
}
