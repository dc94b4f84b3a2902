package search_test

import (
	"context"
	"fmt"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"
)

// twoWorkers is a program: it adds the clients to a world. It is called anew for
// every run.
func twoWorkers(p fencing.Policy) func(*fencing.World) {
	return func(world *fencing.World) {
		world.Client("client 1", fencing.Worker(p))
		p := p
		p.Start = time.Second
		world.Client("client 2", fencing.Worker(p))
	}
}

// Without a fence the first pause that is longer than the lease is enough.
func ExampleExplore() {
	config := fencing.Config{Timeout: 3 * time.Second}
	result := search.Explore(context.Background(), twoWorkers(fencing.Policy{}), config, search.Options{Faults: 2})
	fmt.Println(result)
	// Output:
	// Violated: no stale write accepted.
	//   client 1/on acquire reply/1=pause 11s
	//   at 12 s the storage accepted token 33 from client 1 after token 34, and client 2’s data is gone
	// It is the first in 8 runs (1 with 0 faults, 7 with 1 fault).
	// Tried, wherever it may fall: a pause of 11 s, a crash, a delay of 11 s, a drop.
	// In how many runs
	//         8  a write was accepted
	//         0  a write was rejected
	//         1  a lease ended by the clock
	//         6  a client had to wait for the lock
	//         3  a message was lost
	//         0  a client waited for ever
}

// With a fence, and a claim before the read, there is none.
func ExampleExplore_none() {
	config := fencing.Config{Timeout: 3 * time.Second, Fencing: true}
	policy := fencing.Policy{ReadModifyWrite: true, ClaimFirst: true}
	result := search.Explore(context.Background(), twoWorkers(policy), config, search.Options{Faults: 2})
	fmt.Println(result)
	// Output:
	// Held in all of 3591 runs (1 with 0 faults, 94 with 1 fault, 3496 with 2 faults): no stale write accepted, no update lost across grants.
	// Tried, wherever it may fall: a pause of 11 s, a crash, a delay of 11 s, a drop.
	// In how many runs
	//      3361  a write was accepted
	//       388  a write was rejected
	//      2621  a lease ended by the clock
	//      3346  a client had to wait for the lock
	//      2270  a message was lost
	//         0  a client waited for ever
}

// A counterexample is an ordinary run: paste its choice string into a cell.
func ExampleCounterexample() {
	config := fencing.Config{Timeout: 3 * time.Second, Fencing: true}
	policy := fencing.Policy{ReadModifyWrite: true}
	result := search.Explore(context.Background(), twoWorkers(policy), config, search.Options{Faults: 2})
	fmt.Println(result.Found.ChoiceString())

	config.Faults, _ = fencing.ParseFaults(result.Found.ChoiceString())
	world := fencing.NewWorld(config)
	twoWorkers(policy)(world)
	fmt.Println(world.Run().Verdict().Headline)
	// Output:
	// client 1/on acquire reply/1=pause 11s; client 2/acquire reply/2=delay 11s
	// Fencing on: the write of client 2 at 12 s overwrites a change of client 1 that it had not seen
}

// Without time every order is tried; the shortest way to a violation is a list
// of named steps.
func ExampleExhaust() {
	policy := fencing.Policy{ReadModifyWrite: true}
	result := search.Exhaust(context.Background(), twoWorkers(policy), fencing.Config{Fencing: true}, search.Bounds{})
	fmt.Println(result)
	// Output:
	// Violated: no update lost across grants.
	//   client 1’s acquire of "report" (operation 1) arrives
	//   client 1’s read of "report" (operation 2) arrives
	//   the lease of "report" ends
	//   client 2’s acquire of "report" (operation 1) arrives
	//   client 2’s read of "report" (operation 2) arrives
	//   client 1’s write of "report" (operation 3) arrives
	//   client 2’s write of "report" (operation 3) arrives
	//   at 17 s client 2 wrote "report" without having seen the change that client 1 made at 12 s
	// It was found after 76 states and 131 steps, with up to 2 lease ends by the clock in a run.
	// It happened that a write was accepted, a write was rejected, a lease ended by the clock and a client had to wait for the lock.
}

// "There is none", for every order of two rounds, with one message lost and one
// client crashed anywhere.
func ExampleExhaust_none() {
	policy := fencing.Policy{ReadModifyWrite: true, ClaimFirst: true, Rounds: 2}
	config := fencing.Config{Fencing: true, Timeout: 3 * time.Second}
	bounds := search.Bounds{Expiries: 1, Drops: 1, Crashes: 1}
	result := search.Exhaust(context.Background(), twoWorkers(policy), config, bounds)
	fmt.Println(result)
	// Output:
	// Held in all of 7299 states and 19195 steps, with up to 1 lease end by the clock, 1 lost message and 1 crash in a run, in every order: no stale write accepted, no update lost across grants.
	// It happened that a write was accepted, a write was rejected, a lease ended by the clock, a client had to wait for the lock, a message was lost and a client crashed. It never happened that a client waited for ever.
}
