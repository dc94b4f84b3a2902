package rightnumber

import "fencingtokens/fencing/live/numbers"

// What the services say of these numbers: etcd's data model and its API guarantees
// (https://etcd.io/docs/v3.6/learning/), and ZooKeeper's Programmer's Guide (time in
// ZooKeeper, the stat structure, sequence nodes). How they behave was recorded.

var etcdMistakes = []mistake[numbers.Etcd]{
	{name: "the name of a lease", pick: func(n numbers.Etcd) uint64 { return uint64(n.LeaseID) },
		think: "A lease id names a lease. In this run they rise in the order in which the clients began, which is not the order in which they got the lock. What is numbered when a client asks for the lock?"},
	{name: "a version that begins again with every key", pick: func(n numbers.Etcd) uint64 { return uint64(n.Version) },
		think: "The version counts the changes of one key. The next holder’s key is another one, and begins at 1 again. Which number is counted by the whole store?"},
	{name: "a revision that moves while the lock is held", pick: func(n numbers.Etcd) uint64 { return uint64(n.ModRevision) },
		think: "Whoever rewrites its lock key moves its mod revision past those of the clients that wait already. Which revision stays what it was?"},
	{name: "the newest revision in place of one’s own", pick: func(n numbers.Etcd) uint64 { return uint64(n.Revision) },
		think: "The store’s revision comes with every answer, whatever was asked. Whoever wakes up and hears one has a newer number than the rightful holder. Which revision is that of your own place in the queue?"},
	{name: "the term of the servers", pick: func(n numbers.Etcd) uint64 { return uint64(n.RaftTerm) },
		think: "The term counts the elections among etcd’s servers, and two holders of your lock may well have the same. A term is the token of those servers, for what they write to each other; which number is that of your grant?"},
}

var zooKeeperMistakes = []mistake[numbers.ZooKeeper]{
	{name: "the name of a session", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.EphemeralOwner) },
		think: "The ephemeral owner names the session that the node hangs on. Sessions begin in one order, and get the lock in another. What is numbered when a client asks for the lock?"},
	{name: "a data version that begins again with every node", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.Version) },
		think: "The data version counts the changes of one node. The next holder’s node is another one, and begins at 0 again. Which numbers are counted by the whole of ZooKeeper?"},
	{name: "a zxid that moves while the lock is held", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.Mzxid) },
		think: "Whoever writes data into its lock node moves its mzxid past the nodes of those who wait already. Which zxid stays what it was?"},
	{name: "the newest zxid in place of one’s own", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.LastZxid) },
		think: "Every answer brings the server’s newest zxid, whatever was asked. Whoever wakes up and hears one has a newer number than the rightful holder. Which zxid is that of your own place in the queue?"},
	{name: "a zxid that others move", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.ParentPzxid) },
		think: "The folder’s pzxid moves when anybody’s node comes or goes. A client that looks again after it lost the lock sees the same as the new holder. Which zxid belongs to your own node?"},
	{name: "a counter that its folder keeps", pick: func(n numbers.ZooKeeper) uint64 { return uint64(n.Sequence) },
		think: "The folder counts its nodes in 32 bits, and the count is gone with the folder; an empty container is deleted by ZooKeeper itself. Which number is counted for the whole of ZooKeeper?"},
}

// cut are the ways in which a conversion loses a part of the right number.
func cut[N any](right func(N) uint64) []mistake[N] {
	const name, think = "cut short", "The number has 64 bits, and what you return has lost some: the upper half, or the last digits. A zxid has the count of elections in its upper half; a store with 1000 changes a second is past 32 bits in 50 days. Convert to uint64, and to nothing else before."
	var list []mistake[N]
	for _, convert := range []func(uint64) uint64{
		func(n uint64) uint64 { return uint64(int8(n)) },
		func(n uint64) uint64 { return uint64(uint8(n)) },
		func(n uint64) uint64 { return uint64(int16(n)) },
		func(n uint64) uint64 { return uint64(uint16(n)) },
		func(n uint64) uint64 { return uint64(int32(n)) },
		func(n uint64) uint64 { return uint64(uint32(n)) },
		func(n uint64) uint64 { return uint64(float32(n)) },
	} {
		list = append(list, mistake[N]{name: name, think: think, pick: func(n N) uint64 { return convert(right(n)) }})
	}
	return list
}
