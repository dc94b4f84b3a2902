package rightnumber

import (
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing/live/numbers"
)

// Answer is what a learner hands in: for each service the function that picks the
// token out of what the service has shown to the client. Both are called before
// every write.
type Answer struct {
	Etcd      func(numbers.Etcd) uint64
	ZooKeeper func(numbers.ZooKeeper) uint64
}

// Check plays every scenario with the numbers that the answer picks and reports
// what it found. A seed repeats a run; without one, the numbers are new every time.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

// attempted: no number that a service shows to a holder makes a token of 0.
func attempted(a Answer) bool {
	if a.Etcd == nil || a.ZooKeeper == nil {
		return a.Etcd != nil || a.ZooKeeper != nil
	}
	held := numbers.ZooKeeper{Czxid: 9, Mzxid: 9, Pzxid: 9, ParentPzxid: 9, Version: 1, EphemeralOwner: 9, Sequence: 9, LastZxid: 9}
	return a.Etcd(numbers.Etcd{LeaseID: 9, CreateRevision: 9, ModRevision: 9, Version: 9, Revision: 9, RaftTerm: 9}) != 0 || a.ZooKeeper(held) != 0
}

var exercise = check.Exercise{
	Name: "rightnumber",
	Todo: "Return one of n’s numbers in each of the two functions, run that cell, then run this one again.",
	Call: "rightnumber.Check(t, Tokens, %d)",
	Right: "the number of the moment at which the client’s own key or node was made is higher for every later holder, and it stays what it is while one holds the lock. " +
		"It is no proof that one holds the lock: who waits has its number already. (The pzxid of ZooKeeper is the same number, as long as the node is one that can have no children.)",
	Hints: []string{
		"Ask of each number: who counts it, and what is counted? Then follow it through the run: what does it become when the holder rewrites its own key, and what when others write?",
		"A name (of a lease, of a session) has no order. A count of one key’s changes begins again with the next key. The newest number of the whole service is newer than everybody’s grant. Left is what was fixed when your own key or node was made.",
		"etcd: uint64(n.CreateRevision). ZooKeeper: uint64(n.Czxid), with all of its 64 bits.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	var list []check.Check
	list = append(list, etcd.checks(answer.Etcd, seed)...)
	return append(list, zooKeeper.checks(answer.ZooKeeper, seed)...)
}
