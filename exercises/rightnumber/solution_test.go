package rightnumber_test

import (
	"fencingtokens/exercises/rightnumber"
	"fencingtokens/fencing/live/numbers"
)

// tokenFromEtcd returns the number that goes with a write to the storage: that of
// the revision in which the client's own lock key was made.
func tokenFromEtcd(n numbers.Etcd) uint64 {
	return uint64(n.CreateRevision)
}

// tokenFromZooKeeper does the same for a lock in ZooKeeper: the transaction that
// made the client's own lock node.
func tokenFromZooKeeper(n numbers.ZooKeeper) uint64 {
	return uint64(n.Czxid)
}

// Tokens hands both functions to the check.
var Tokens = rightnumber.Answer{Etcd: tokenFromEtcd, ZooKeeper: tokenFromZooKeeper}
