package placethepause

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

// World is one world that an answer must hold in. Its storage does not check
// tokens, and messages take no time.
type World struct {
	Start      time.Duration // client 1 asks for the lock; client 2 asks 1 s later
	Lease      time.Duration // length of every lease
	Work       time.Duration // work of each client between its grant and its write
	FirstToken uint64        // token of the first grant; the second is one higher
}

// Room is by how much a pause may be longer than the lease.
const Room = 2 * time.Second

// Example is a world to try an answer in. The check takes others. As in those,
// its lease outlasts the 5 s that a client works after its write, so that without
// a fault both clients come to their end within their leases.
var Example = World{Start: time.Second, Lease: 9 * time.Second, Work: 3 * time.Second, FirstToken: 61}

// Run runs the world with faults, to look at what they do:
//
//	charts.Timeline(placethepause.Example.Run(fencing.Pause("client 2", fencing.AfterWrite, time.Second)))
func (w World) Run(faults ...fencing.Fault) *fencing.Trace { return w.run(false, faults) }

func (w World) run(fenced bool, faults []fencing.Fault) *fencing.Trace {
	return fencing.Preset{
		Config: fencing.Config{Name: "the pause that you placed", Lease: w.Lease, FirstToken: w.FirstToken, Fencing: fenced, Faults: faults},
		Policy: fencing.Policy{Start: w.Start, WorkBefore: w.Work},
	}.Run()
}

// String says what a learner must know of the world, in one line.
func (w World) String() string {
	return fmt.Sprintf("start %s, lease %s, work %s before the write, first token %d",
		fencing.Seconds(w.Start), fencing.Seconds(w.Lease), fencing.Seconds(w.Work), w.FirstToken)
}

// worlds draws three worlds, the shortest lease first. Their leases differ by
// more than the room for the pause.
func worlds(seed uint64) []World {
	random := rand.New(rand.NewPCG(seed, 0))
	second := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	list := make([]World, 3)
	lease := second(10, 13)
	for i := range list {
		list[i] = World{Start: second(1, 4), Lease: lease, Work: second(2, 4), FirstToken: 100 + random.Uint64N(900)}
		lease += Room + second(2, 5)
	}
	return list
}
