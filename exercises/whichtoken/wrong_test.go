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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Tokens), of(Tokens), wrong)
}

const (
	etcd      = "etcd: later holders get in, and nobody else"
	zooKeeper = "ZooKeeper: later holders get in, and nobody else"
	redis     = "Redis: later holders get in, and nobody else"
	database  = "database: later holders get in, and nobody else"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               func() answer
}{
	{name: "the lease id of etcd", check: etcd, mistake: "a name in place of a number", answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdLeaseID })},
	{name: "the version of etcd", check: etcd, mistake: "a version that begins again with every key", answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdVersion })},
	{name: "the mod revision of etcd", check: etcd, mistake: "a revision that moves while the lock is held", answer: but(func(a *answer) { a.Etcd = whichtoken.EtcdModRevision })},
	{name: "nothing of etcd", check: etcd, mistake: "gives up a number that is there", answer: but(func(a *answer) { a.Etcd = whichtoken.NoNumber })},
	{name: "etcd left out", check: etcd, mistake: "no choice", answer: but(func(a *answer) { a.Etcd = "" })},
	{name: "a number of ZooKeeper for etcd", check: etcd, mistake: "not a number of this system", answer: but(func(a *answer) { a.Etcd = whichtoken.ZooKeeperCzxid })},
	{name: "a name of one's own", check: etcd, mistake: "not a number of this system", answer: but(func(a *answer) { a.Etcd = "revision" })},

	{name: "the data version of ZooKeeper", check: zooKeeper, mistake: "a data version that begins again with every node", answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperDataVersion })},
	{name: "the mzxid of ZooKeeper", check: zooKeeper, mistake: "a zxid that moves while the lock is held", answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperMzxid })},
	{name: "the last zxid seen", check: zooKeeper, mistake: "the newest news in place of one’s own grant", answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperLastZxid })},
	{name: "the sequence suffix", check: zooKeeper, mistake: "a counter of 32 bits that turns over", answer: but(func(a *answer) { a.ZooKeeper = whichtoken.ZooKeeperSuffix })},
	{name: "nothing of ZooKeeper", check: zooKeeper, mistake: "gives up a number that is there", answer: but(func(a *answer) { a.ZooKeeper = whichtoken.NoNumber })},

	{name: "the random value of Redis", check: redis, mistake: "a random value", answer: but(func(a *answer) { a.Redis = whichtoken.RedisRandomValue })},
	{name: "the counter of Redis", check: redis, mistake: "a counter that is lost in a fail-over", answer: but(func(a *answer) { a.Redis = whichtoken.RedisCounter })},

	{name: "the time of the grant", check: database, mistake: "a time of day", answer: but(func(a *answer) { a.Database = whichtoken.DatabaseGrantTime })},
	{name: "a UUID", check: database, mistake: "a UUID", answer: but(func(a *answer) { a.Database = whichtoken.DatabaseUUID })},
	{name: "nothing of the database", check: database, mistake: "gives up a number that is there", answer: but(func(a *answer) { a.Database = whichtoken.NoNumber })},

	{name: "a panic", check: etcd, mistake: "nil map", state: check.Panicked, answer: panics()},
}

// panics answers once, so that it counts as attempted, and panics then.
func panics() func() answer {
	return func() answer {
		var chosen map[string]whichtoken.Number
		chosen["etcd"] = whichtoken.EtcdLeaseID
		return answer{}
	}
}
