package rightnumber_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/rightnumber"
	"fencingtokens/exercises/rightnumber/stub"
	"fencingtokens/fencing/live/numbers"
)

type answer = rightnumber.Answer

func of(a answer) prove.Answer {
	return func(seed uint64) check.Result { return rightnumber.Evaluate(a, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Tokens, Tokens, catalogue)
}

// fromEtcd and fromZooKeeper are the right answer with another number of one of the
// services.
func fromEtcd(pick func(numbers.Etcd) uint64) answer {
	return answer{Etcd: pick, ZooKeeper: tokenFromZooKeeper}
}

func fromZooKeeper(pick func(numbers.ZooKeeper) uint64) answer {
	return answer{Etcd: tokenFromEtcd, ZooKeeper: pick}
}

const (
	etcdTurns   = "etcd: one holder after another"
	etcdRewrite = "etcd: a holder that rewrites its key"
	etcdNews    = "etcd: news that comes after the grant"
	etcdLong    = "etcd: a store that has lived long"

	zkTurns   = "ZooKeeper: one holder after another"
	zkRewrite = "ZooKeeper: a holder that writes into its node"
	zkNews    = "ZooKeeper: news that comes after the grant"
	zkFolder  = "ZooKeeper: a folder that is made anew"
	zkLeader  = "ZooKeeper: a new leader"
)

var catalogue = []prove.Wrong[answer]{
	{Name: "the lease id of etcd", Check: etcdTurns, Mistake: "the name of a lease", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.LeaseID) })},
	{Name: "the version of etcd", Check: etcdTurns, Mistake: "a version that begins again with every key", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.Version) })},
	{Name: "the raft term of etcd", Check: etcdTurns, Mistake: "the term of the servers", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.RaftTerm) })},
	{Name: "the mod revision of etcd", Check: etcdRewrite, Mistake: "a revision that moves while the lock is held", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.ModRevision) })},
	{Name: "the store's revision", Check: etcdNews, Mistake: "the newest revision in place of one’s own", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.Revision) })},
	{Name: "the create revision in 32 bits", Check: etcdLong, Mistake: "cut short", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(int32(n.CreateRevision)) })},
	{Name: "the create revision in 32 bits without a sign", Check: etcdLong, Mistake: "cut short", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(uint32(n.CreateRevision)) })},
	{Name: "the create revision as a float32", Check: etcdLong, Mistake: "cut short", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(float32(n.CreateRevision)) })},
	{Name: "one more than the store's revision", Check: etcdNews, Mistake: "lets a late write in", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.Revision) + 1 })},
	{Name: "the lease id and the revision", Check: etcdTurns, Mistake: "locks the holder out", Answer: fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.LeaseID) - uint64(n.CreateRevision) })},

	{Name: "a constant", Check: etcdTurns, Mistake: "one number for everybody", Answer: fromEtcd(func(numbers.Etcd) uint64 { return 34 })},
	{Name: "the time in seconds", Check: etcdTurns, Mistake: "a time of day", Answer: fromEtcd(func(numbers.Etcd) uint64 { return uint64(time.Now().Unix()) })},
	{Name: "the time in nanoseconds", Check: etcdTurns, Mistake: "a time of day", Answer: fromEtcd(func(numbers.Etcd) uint64 { return uint64(time.Now().UnixNano()) })},
	{Name: "a counter of one's own", Check: etcdTurns, Mistake: "a number of the function’s own", Answer: fromEtcd(counter())},
	{Name: "a number for every revision that is new", Check: etcdTurns, Mistake: "a number of the function’s own", Answer: fromEtcd(remembers())},
	{Name: "a random number", Check: etcdTurns, Mistake: "a number of the function’s own", Answer: fromEtcd(random())},
	{Name: "nothing for etcd", Check: etcdTurns, Mistake: "one number for everybody", Answer: fromEtcd(stub.Tokens.Etcd)},
	{Name: "no function for etcd", Check: etcdTurns, Mistake: "no function", Answer: fromEtcd(nil)},

	{Name: "the ephemeral owner", Check: zkTurns, Mistake: "the name of a session", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.EphemeralOwner) })},
	{Name: "the data version", Check: zkTurns, Mistake: "a data version that begins again with every node", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.Version) })},
	{Name: "the mzxid", Check: zkRewrite, Mistake: "a zxid that moves while the lock is held", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.Mzxid) })},
	{Name: "the last zxid", Check: zkNews, Mistake: "the newest zxid in place of one’s own", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.LastZxid) })},
	{Name: "the pzxid of the folder", Check: zkNews, Mistake: "a zxid that others move", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.ParentPzxid) })},
	{Name: "the sequence suffix", Check: zkFolder, Mistake: "a counter that its folder keeps", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.Sequence) })},
	{Name: "the czxid in 32 bits", Check: zkLeader, Mistake: "cut short", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(int32(n.Czxid)) })},
	{Name: "the czxid in 32 bits without a sign", Check: zkLeader, Mistake: "cut short", Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(uint32(n.Czxid)) })},
	{Name: "nothing for ZooKeeper", Check: zkTurns, Mistake: "one number for everybody", Answer: fromZooKeeper(stub.Tokens.ZooKeeper)},
	{Name: "no function for ZooKeeper", Check: zkTurns, Mistake: "no function", Answer: fromZooKeeper(nil)},

	{Name: "a panic", Check: zkTurns, Mistake: "nil map", State: check.Panicked, Answer: fromZooKeeper(func(n numbers.ZooKeeper) uint64 {
		var seen map[int64]bool
		seen[n.Czxid] = true
		return uint64(n.Czxid)
	})},
	{Name: "an exit", Check: zkTurns, Mistake: "ends its goroutine", Answer: fromZooKeeper(func(numbers.ZooKeeper) uint64 { runtime.Goexit(); return 1 })},
}

func counter() func(numbers.Etcd) uint64 {
	var last uint64
	return func(numbers.Etcd) uint64 {
		last++
		return last
	}
}

// remembers numbers the create revisions in the order in which it is shown them.
func remembers() func(numbers.Etcd) uint64 {
	seen := map[int64]uint64{}
	return func(n numbers.Etcd) uint64 {
		if seen[n.CreateRevision] == 0 {
			seen[n.CreateRevision] = uint64(len(seen))
		}
		return seen[n.CreateRevision]
	}
}

func random() func(numbers.Etcd) uint64 {
	r := rand.New(rand.NewPCG(1, 1))
	return func(numbers.Etcd) uint64 { return r.Uint64() }
}
