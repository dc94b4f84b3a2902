package readtimeline

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/charts"
	"fencingtokens/fencing"
)

// The clients of every run, by their names.
const (
	client1 = "client 1"
	client2 = "client 2"
)

// Show draws the three runs of a number.
func Show(number uint64) {
	for i, trace := range runs(number) {
		fmt.Printf("Run %d of number %d\n", i+1, number)
		// The title would say what is to be read.
		charts.Timeline(trace, charts.HoldBack(trace.End()))
	}
}

// runs draws three runs: a stale write, a late one that is not stale, and one that
// nothing disturbs too much, in an order of their own.
func runs(number uint64) []*fencing.Trace {
	random := rand.New(rand.NewPCG(number, 0))
	second := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	list := make([]*fencing.Trace, 3)
	for i, kind := range random.Perm(3) {
		p := fencing.Preset{
			Config: fencing.Config{Name: "a run to read", Lease: second(7, 12), FirstToken: 100 + random.Uint64N(900), Fencing: random.IntN(2) == 0},
			Policy: fencing.Policy{Start: second(1, 3), WorkBefore: second(2, 3)},
		}
		var pause time.Duration
		switch kind {
		case 0: // beyond client 2's write
			pause = p.Lease + second(1, 3)
		case 1: // into the hole
			pause = p.Lease - p.Policy.WorkBefore + 500*time.Millisecond + second(0, 1)
		case 2: // within the lease, whether or not client 1 notices
			pause = second(1, 3)
		}
		p.Faults = []fencing.Fault{fencing.Pause(client1, fencing.AfterAcquire, pause)}
		list[i] = p.Run()
	}
	return list
}
