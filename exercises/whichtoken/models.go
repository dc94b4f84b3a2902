package whichtoken

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// history is what the numbers of one choice are in one run: grant g's k-th write
// comes with numbers[g][k].
type history struct {
	numbers  [3][2]int64
	why      string // where they come from
	failOver bool   // client 2 gets the lock by a fail-over and not by the end of the lease
	free     bool   // the storage has no number to look at
}

// model draws the numbers of one choice, and names the mistake that the choice
// is. Each of them fails in its own way, in a history that the system allows.
type model struct {
	number  Number
	draw    func(*rand.Rand) history
	mistake string // "" for a token
	think   string
}

func modelOf(n Number) (model, bool) {
	for _, m := range models {
		if m.number == n {
			return m, true
		}
	}
	return model{}, false
}

// system returns the name of the system that a number belongs to.
func (n Number) system() string {
	name, _, _ := strings.Cut(string(n), " ")
	return name
}

// rising draws three numbers with gaps, of which each is higher than the one
// before.
func rising(r *rand.Rand) (n [4]int64) {
	last := 500 + r.Int64N(500)
	for i := range n {
		last += 2 + r.Int64N(40)
		n[i] = last
	}
	return n
}

// each gives every write of a grant the same number.
func each(a, b, c int64) [3][2]int64 { return [3][2]int64{{a, a}, {b, b}, {c, c}} }

// unordered draws three large numbers. Of random numbers the second is lower than
// the first half of the time; here it is.
func unordered(r *rand.Rand) (a, b, c int64) {
	a, b = 1<<40+r.Int64N(1<<60), 1<<40+r.Int64N(1<<60)
	return max(a, b), min(a, b), 1<<40 + r.Int64N(1<<60)
}

// created: one counter for the whole store, noted when each client's own key or
// node is made. Clients queue in that order and are served in it. Client 1 changes
// its key once more after the others have queued.
func created(what string) func(*rand.Rand) history {
	return func(r *rand.Rand) history {
		n := rising(r)
		return history{numbers: each(n[0], n[1], n[2]), why: fmt.Sprintf("the three are made at %s %d, %d and %d; client 1 rewrites its own at %d, and the number stays", what, n[0], n[1], n[2], n[3])}
	}
}

func modified(what string) func(*rand.Rand) history {
	return func(r *rand.Rand) history {
		n := rising(r)
		return history{numbers: each(n[3], n[1], n[2]), why: fmt.Sprintf("the three are made at %s %d, %d and %d; client 1 then rewrites its own, before its first write, at %d", what, n[0], n[1], n[2], n[3])}
	}
}

func same(n int64, why string) func(*rand.Rand) history {
	return func(*rand.Rand) history { return history{numbers: each(n, n, n), why: why} }
}

func random(why string) func(*rand.Rand) history {
	return func(r *rand.Rand) history { return history{numbers: each(unordered(r)), why: why} }
}

// The models. For etcd: its API guarantees, the package concurrency of its client,
// and issue 11788. For ZooKeeper: its Programmer's Guide (the stat structure, and
// sequence nodes, whose counter is a signed int of 4 bytes kept by the parent).
// For Redis: its documentation on replication, which is asynchronous, and on
// distributed locks. For clocks and random values: Kleppmann, How to do distributed
// locking (2016).
var models = []model{
	{number: EtcdCreateRevision, draw: created("revision")},
	{number: EtcdLeaseID, draw: random("a lease id names a lease, and says nothing about which came first"), mistake: "a name in place of a number",
		think: "A lease id is a name. Two of them can be told apart, and that is all: compared as numbers they lock out later holders by chance, and compared for equality all of them, which was reported of an example that came with etcd (issue 11788)."},
	{number: EtcdVersion, draw: same(1, "every client makes a key of its own, and each key’s version begins at 1"), mistake: "a version that begins again with every key",
		think: "The version counts the changes of one key. The next holder’s key is another one, and begins at 1 again. Which number is counted by the whole store?"},
	{number: EtcdModRevision, draw: modified("revision"), mistake: "a revision that moves while the lock is held",
		think: "The mod revision is of the last change of your key, and whoever rewrites the key (to leave a note, or its progress) moves it past those who wait already. Which revision stays what it was?"},

	{number: ZooKeeperCzxid, draw: created("zxid")},
	{number: ZooKeeperDataVersion, draw: same(0, "every client makes a node of its own, and each node’s data version begins at 0"), mistake: "a data version that begins again with every node",
		think: "The data version counts the changes of one node. The next holder’s node is another one, and begins at 0 again."},
	{number: ZooKeeperMzxid, draw: modified("zxid"), mistake: "a zxid that moves while the lock is held",
		think: "The mzxid is of the last change of your node. Writing data into your own node moves it past the nodes of those who wait already."},
	{number: ZooKeeperLastZxid, draw: func(r *rand.Rand) history {
		n := rising(r)
		return history{numbers: [3][2]int64{{n[0], n[2]}, {n[1], n[1]}, {n[3], n[3]}},
			why: fmt.Sprintf("client 1 has heard of zxid %d when it gets the lock; client 2, of %d; client 1 wakes, gets a reply from the server, and has heard of %d", n[0], n[1], n[2])}
	}, mistake: "the newest news in place of one’s own grant",
		think: "Whoever wakes up and listens hears the newest zxid, and that is newer than the rightful holder’s grant. A token must be the number of your own grant."},
	{number: ZooKeeperSuffix, draw: func(*rand.Rand) history {
		const last = 1<<31 - 1
		return history{numbers: each(last, -last-1, -last), why: fmt.Sprintf("the parent counts in a signed number of 32 bits; client 1 got the last one, %d, and counting goes on at %d", last, -last-1)}
	}, mistake: "a counter of 32 bits that turns over",
		think: "A hundred grants a second fill 31 bits in 248 days. (And if the parent is deleted and made again, its counter starts again at 0.) Which number is counted for the whole of ZooKeeper?"},

	{number: RedisRandomValue, draw: random("each client draws a value of its own"), mistake: "a random value",
		think: "The random value is there so that a release frees nobody else’s lock. It tells two grants apart and does not say which came first."},
	{number: RedisCounter, draw: func(r *rand.Rand) history {
		n := rising(r)[0]
		return history{numbers: each(n, n, n+1), failOver: true, why: fmt.Sprintf("INCR returned %d for client 1; the replica that took over had not got that yet, and returned %d again for client 2", n, n)}
	}, mistake: "a counter that is lost in a fail-over",
		think: "Here two clients hold one number, and equal passes. It would be a token if a grant counted only once the counter was safe; this Redis answers before its replica knows."},

	{number: DatabaseCounter, draw: func(r *rand.Rand) history {
		n := rising(r)[0]
		return history{numbers: each(n, n+1, n+2), why: fmt.Sprintf("the transactions that grant the lock raise the column to %d, %d and %d", n, n+1, n+2)}
	}},
	{number: DatabaseGrantTime, draw: func(r *rand.Rand) history {
		behind := 20 + r.Int64N(40)
		at := 1_700_000_000 + r.Int64N(1_000_000)
		return history{numbers: each(at+1, at+12-behind, at+19), why: fmt.Sprintf("in seconds since 1970; the clock of client 2 is %d s behind", behind)}
	}, mistake: "a time of day",
		think: "Clocks differ, jump and go back, and two grants may fall into one tick. A number that the database counts itself needs no clock."},
	{number: DatabaseUUID, draw: random("each client draws a UUID; here are its first 60 bits"), mistake: "a UUID",
		think: "A UUID is never the same twice, and that is all it promises. A fence needs to know which of two is newer."},
}

// unchecked is the history of a system whose storage gets no number.
func unchecked(*rand.Rand) history {
	return history{free: true, why: "without a number the storage has nothing to compare"}
}
