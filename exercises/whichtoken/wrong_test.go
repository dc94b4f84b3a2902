package whichtoken_test

import (
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/whichtoken"
	"fencingtokens/exercises/whichtoken/stub"
)

type answer = whichtoken.Answer

func of(f func() answer) prove.Answer {
	return func(seed uint64) check.Result { return whichtoken.Evaluate(f, seed) }
}

// but is the right answer with one change.
func but(change func(*answer)) func() answer {
	return func() answer {
		a := Tokens()
		change(&a)
		return a
	}
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Tokens, Tokens, catalogue)
}

const (
	etcd      = "etcd: later holders get in, and nobody else"
	zooKeeper = "ZooKeeper: later holders get in, and nobody else"
	redis     = "Redis: later holders get in, and nobody else"
	database  = "database: later holders get in, and nobody else"
)

var catalogue = []prove.Wrong[func() answer]{
	{Name: "the lease id of etcd", Check: etcd, Mistake: "a name in place of a number", Answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdLeaseID })},
	{Name: "the version of etcd", Check: etcd, Mistake: "a version that begins again with every key", Answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdVersion })},
	{Name: "the mod revision of etcd", Check: etcd, Mistake: "a revision that moves while the lock is held", Answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdModRevision })},
	{Name: "nothing of etcd", Check: etcd, Mistake: "gives up a number that is there", Answer: but(func(a *answer) { a.Etcd = whichtoken.NoNumber })},
	{Name: "etcd left out", Check: etcd, Mistake: "no choice", Answer: but(func(a *answer) { a.Etcd = "" })},
	{Name: "a number of ZooKeeper for etcd", Check: etcd, Mistake: "not a number of this system", Answer: but(func(a *answer) { a.Etcd = whichtoken.ZooKeeperCzxid })},
	{Name: "a name of one's own", Check: etcd, Mistake: "not a number of this system", Answer: but(func(a *answer) { a.Etcd = "revision" })},

	{Name: "the data version of ZooKeeper", Check: zooKeeper, Mistake: "a data version that begins again with every node", Answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperDataVersion })},
	{Name: "the mzxid of ZooKeeper", Check: zooKeeper, Mistake: "a zxid that moves while the lock is held", Answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperMzxid })},
	{Name: "the last zxid seen", Check: zooKeeper, Mistake: "the newest news in place of one’s own grant", Answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperLastZxid })},
	{Name: "the sequence suffix", Check: zooKeeper, Mistake: "a counter of 32 bits that turns over", Answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperSuffix })},
	{Name: "nothing of ZooKeeper", Check: zooKeeper, Mistake: "gives up a number that is there", Answer: but(func(a *answer) { a.ZooKeeper = whichtoken.NoNumber })},

	{Name: "the random value of Redis", Check: redis, Mistake: "a random value", Answer: but(func(a *answer) { a.Redis = whichtoken.RedisRandomValue })},
	{Name: "the counter of Redis", Check: redis, Mistake: "a counter that is lost in a fail-over", Answer: but(func(a *answer) { a.Redis = whichtoken.RedisCounter })},

	{Name: "the time of the grant", Check: database, Mistake: "a time of day", Answer: but(func(a *answer) { a.Database = whichtoken.DatabaseGrantTime })},
	{Name: "a UUID", Check: database, Mistake: "a UUID", Answer: but(func(a *answer) { a.Database = whichtoken.DatabaseUUID })},
	{Name: "nothing of the database", Check: database, Mistake: "gives up a number that is there", Answer: but(func(a *answer) { a.Database = whichtoken.NoNumber })},

	{Name: "a panic", Check: etcd, Mistake: "nil map", State: check.Panicked, Answer: panics()},
}

// panics answers once, so that it counts as attempted, and panics then.
func panics() func() answer {
	return func() answer {
		var chosen map[string]whichtoken.Number
		chosen["etcd"] = whichtoken.EtcdLeaseID
		return answer{}
	}
}
