// Package numbers holds the numbers that real lock services put into their
// answers, by the names that the services give them. One of each is a fencing
// token; the others only look like one.
package numbers

// Etcd is what etcd says about the key of a lock when the client has got the lock
// (https://etcd.io/docs/v3.6/learning/data_model/).
type Etcd struct {
	LeaseID        int64 // of the lease that the key hangs on
	CreateRevision int64 // of the store, when the key was made
	ModRevision    int64 // of the store, when the key was written last
	Version        int64 // how often the key was written since it was made
	Revision       int64 // of the store, by its newest answer to the client, whatever that was about
	RaftTerm       int64 // of the servers: one more for every election of a leader
}

// ZooKeeper is what ZooKeeper says about the lock node that the client has made
// (https://zookeeper.apache.org/doc/r3.8.4/zookeeperProgrammers.html).
type ZooKeeper struct {
	Czxid          int64 // the transaction that made the node
	Mzxid          int64 // the transaction that changed its data last
	Pzxid          int64 // the transaction that changed its children last; it has none, so the one that made it
	ParentPzxid    int64 // the transaction that last made or deleted a node beside it
	Version        int32 // how often its data was changed
	EphemeralOwner int64 // the session that the node hangs on
	Sequence       int32 // the number that its name ends in
	LastZxid       int64 // the newest transaction that the client has seen
}
