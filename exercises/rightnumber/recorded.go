package rightnumber

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"fencingtokens/fencing/live/numbers"
)

//go:embed recorded.json
var file []byte

// recorded is what the real services answered.
var recorded = func() (r numbers.Recording) {
	if err := json.Unmarshal(file, &r); err != nil {
		panic(fmt.Sprintf("recorded.json: %v; write it anew with go test ./recorded -update, in fencing/live/systems", err))
	}
	return r
}()

// scenario is a recorded one, with what it asks of a number.
type scenario[N any] struct {
	name  string // of the recording
	check string // what must hold in it
	long  bool   // the service has counted for long
	shown bool   // the run is drawn for a right answer
}

// etcd's scenarios. The revisions of one store are moved together, and so are the
// leases.
var etcd = system[numbers.Etcd]{
	name:     "etcd",
	recorded: &recorded.Etcd,
	right:    func(n numbers.Etcd) uint64 { return uint64(n.CreateRevision) },
	scenarios: []scenario[numbers.Etcd]{
		{name: "one after another", check: "one holder after another"},
		{name: "the holder rewrites its key", check: "a holder that rewrites its key"},
		{name: "news after the grant", check: "news that comes after the grant", shown: true},
		{name: "one after another", check: "a store that has lived long", long: true},
	},
	mistakes: etcdMistakes,
	move: func(r *rand.Rand, writes [5]numbers.Etcd, long bool) func(numbers.Etcd) numbers.Etcd {
		revisions := 1000 + r.Int64N(1_000_000)
		if long { // client 1’s key is made before a multiple of 2³², client 2’s after it
			first, second := writes[0].CreateRevision, writes[2].CreateRevision
			revisions = (1+r.Int64N(8))<<32 - second + r.Int64N(second-first)
		}
		leases, terms := r.Int64N(1<<40), r.Int64N(50)
		return func(n numbers.Etcd) numbers.Etcd {
			n.LeaseID += leases
			n.RaftTerm += terms
			n.CreateRevision += revisions
			n.ModRevision += revisions
			n.Revision += revisions
			return n
		}
	},
}

// ZooKeeper's scenarios. The zxids of one server are moved together, by elections
// and by transactions after an election, and so are the sessions.
var zooKeeper = system[numbers.ZooKeeper]{
	name:     "ZooKeeper",
	recorded: &recorded.ZooKeeper,
	right:    func(n numbers.ZooKeeper) uint64 { return uint64(n.Czxid) },
	scenarios: []scenario[numbers.ZooKeeper]{
		{name: "one after another", check: "one holder after another"},
		{name: "the holder writes into its node", check: "a holder that writes into its node"},
		{name: "news after the grant", check: "news that comes after the grant"},
		{name: "the folder is made anew", check: "a folder that is made anew"},
		{name: "a new leader", check: "a new leader"},
	},
	mistakes: zooKeeperMistakes,
	move: func(r *rand.Rand, _ [5]numbers.ZooKeeper, _ bool) func(numbers.ZooKeeper) numbers.ZooKeeper {
		zxids, sessions := r.Int64N(40)<<32+r.Int64N(1_000_000), r.Int64N(1<<40)
		return func(n numbers.ZooKeeper) numbers.ZooKeeper {
			n.EphemeralOwner += sessions
			n.Czxid += zxids
			n.Mzxid += zxids
			n.Pzxid += zxids
			n.ParentPzxid += zxids
			n.LastZxid += zxids
			return n
		}
	},
}
