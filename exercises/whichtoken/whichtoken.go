package whichtoken

import (
	"testing"

	"fencingtokens/exercises/internal/check"
)

// Number is a number, or something like one, that a system shows to a client that
// holds its lock.
type Number string

// The numbers to choose from.
const (
	EtcdLeaseID        Number = "etcd lease id"        // names the client's lease, which its key hangs on
	EtcdVersion        Number = "etcd version"         // of its lock key: 1 when made, one more for every change
	EtcdModRevision    Number = "etcd mod revision"    // the store's revision when its lock key was changed last
	EtcdCreateRevision Number = "etcd create revision" // the store's revision when its lock key was made

	ZooKeeperDataVersion Number = "ZooKeeper data version"    // of its lock node: 0 when made, one more for every change
	ZooKeeperMzxid       Number = "ZooKeeper mzxid"           // the transaction that changed its lock node last
	ZooKeeperCzxid       Number = "ZooKeeper czxid"           // the transaction that made its lock node
	ZooKeeperLastZxid    Number = "ZooKeeper last zxid seen"  // the newest transaction that the client has heard of
	ZooKeeperSuffix      Number = "ZooKeeper sequence suffix" // the number at the end of its lock node's name

	RedisRandomValue Number = "Redis random value" // what SET key value NX PX wrote
	RedisCounter     Number = "Redis counter"      // what INCR returned at the grant

	DatabaseGrantTime Number = "database grant time" // the time of the grant, by the client's clock
	DatabaseUUID      Number = "database UUID"       // drawn by the client
	DatabaseCounter   Number = "database counter"    // a column that the granting transaction raises by one

	NoNumber Number = "none" // the system gives no number that is a token
)

// Answer is what a learner hands in: one choice for each system.
type Answer struct {
	Etcd      Number // one key of its own for each client that wants the lock
	ZooKeeper Number // one node of its own for each client that wants the lock, numbered by its parent
	Redis     Number // SET key value NX PX; a replica that copies asynchronously takes over when the server dies
	Database  Number // one row for each lock, changed in transactions
}

// Check runs every choice of tokens and reports what it found. A seed repeats a
// run; without one, the numbers are new every time.
func Check(t testing.TB, tokens func() Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, tokens, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(tokens func() Answer, seed uint64) check.Result { return task.Evaluate(tokens, seed) }

var task = check.Task[func() Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(tokens func() Answer) bool { return tokens != nil && tokens() != Answer{} }

var exercise = check.Exercise{
	Name: "whichtoken",
	Todo: "Name one number for each system, run that cell, then run this one again.",
	Call: "whichtoken.Check(t, Tokens, %d)",
	Right: "a token is the number of one’s own grant, it stays the same while one holds the lock, and the next grant’s is higher, whatever failed in between. " +
		"Nothing else about it matters: not where counting starts, not how wide the gaps are.",
	Hints: []string{
		"Ask three questions of each number. Is the next grant’s always higher? Is it the number of my own grant? Does it stay the same while I hold the lock?",
		"What is random has no order. What counts the changes of one key begins again with the next key. What moves when the key is rewritten, or when others write, is no longer the number of the grant. And a counter can be lost together with the server that keeps it.",
		"In etcd and in ZooKeeper, look for the number that is fixed when your own key or node is made. In the database, for the one that the granting transaction raises. A Redis whose replica may lack the last writes has none.",
	},
}

func checks(tokens func() Answer, seed uint64) []check.Check {
	systems := []struct {
		name  string
		field func(Answer) Number
	}{
		{"etcd", func(a Answer) Number { return a.Etcd }},
		{"ZooKeeper", func(a Answer) Number { return a.ZooKeeper }},
		{"Redis", func(a Answer) Number { return a.Redis }},
		{"database", func(a Answer) Number { return a.Database }},
	}
	var list []check.Check
	for i, s := range systems {
		list = append(list, check.Check{Name: s.name + ": later holders get in, and nobody else", Run: func() check.Finding {
			return judge(s.name, s.field(tokens()), seed+uint64(i)<<32)
		}})
	}
	return list
}
