// Package search runs a program under every schedule within a bound, and returns
// the first one that breaks a property, or says in how many none did.
//
// A test of a lock tries the schedules that its author thought of. The ones that
// break it are the others. So here a program is a func(*fencing.World) that adds
// the clients, and the search decides what the world does to them.
//
// # Explore: a bounded number of faults
//
// [Explore] runs the program with 0, 1, 2, ... faults, and each fault at every
// place where it may fall:
//
//	config := fencing.Config{Timeout: 3 * time.Second, Fencing: true}
//	result := search.Explore(ctx, program, config, search.Options{Faults: 2})
//	fmt.Println(result)
//
// The first violation that it meets has the fewest faults. It is an ordinary
// run: [Counterexample.ChoiceString] can be pasted into Config.Faults by way of
// [fencing.ParseFaults], and gives the same story and the same chart.
//
// If there is none, the result says what was tried: how many schedules with how
// many faults, and which faults of which length. It is no proof for other
// lengths, more faults, or clients that start at other times. A pause that is a
// tenth longer than the lease stands for all that outlast it; a pause that ends
// between two events of another client may need another length (Options.Pauses)
// or, often, a second fault.
//
// # Exhaust: every order
//
// [Exhaust] has no clock. A request may arrive at any moment, a lease may end at
// any moment, and a client that looks at its clock may see either. So it tries
// every order in which the lock service and the storage can meet the clients'
// requests, and a pause or a delay of any length anywhere is among them. How many
// leases end, messages are lost and clients crash is bounded:
//
//	result := search.Exhaust(ctx, program, config, search.Bounds{Drops: 1, Crashes: 1})
//	fmt.Println(result)
//
// What it finds is a list of named steps: the shortest way. Some of what it finds
// only a very odd clock could bring about, and that is the point of a fencing
// token: it needs no clock. What it assumes, what it leaves out and why that is
// sound is said at [Exhaust].
//
// # Random schedules
//
// A bound is a bound. Outside it there is chance: many faults of any length in
// one run, clocks that differ and jump, restarts, links that are cut, a lock
// service that fails over. A test of this package runs as many random schedules
// of the read-modify-write program as are asked for, on all cores, the same ones
// on every machine, and reduces a counterexample to the faults that it needs:
//
//	go test ./fencing/search -run TestRandomSchedulesViolate -v -timeout 0 -schedules 10000000
//
// Ten million of seed 1 took 9 min 53 s on two cores that did other work as
// well, and violated nothing: a write was rejected in 2,088,986 of them, and a
// client crashed in 6,443,625. Without an atomic fence schedule 47 violates a
// property, without the claim schedule 83, and without unique tokens schedule 4.
//
// # Nothing is proven by runs in which nothing happens
//
// A property also holds in a run in which no client ever gets the lock. So both
// results say in how many runs, or whether, a write was accepted, one was
// rejected, a lease ended, a client had to wait: [Result.Sometimes] and
// [Exhaustion.Happened].
//
// # What a program must do
//
// It is called anew for every run, by several goroutines at once. It must add
// the same clients every time; they share nothing with each other or with
// another run, and use no randomness, no real time and no order of a map. If a
// run does something else than the one before it with the same choices, the
// search ends with an error that says so; an error of a run ends it as well, and
// is reported with the faults that led to it. A function that never comes back
// is found and named, as in [fencing.World.Run].
//
// # How fast
//
// Measured on a machine (AMD EPYC, 2 virtual cores, load from others below 2) on
// which iter.Pull took 114 ns to a coroutine and back. Schedules and states are
// spread over all cores. Measure yours with go test -bench . ./fencing/search.
//
//	Explore, two workers, all actions, up to 3 faults     153,000 runs a second
//	Exhaust, two workers, 3 rounds, the last line below   0.5 s: 254,000 steps a second
//	the first counterexample without a fence              0.4 ms
//
// How many there are (two workers, time-out 3 s, one length for pauses and
// delays, the four actions by default):
//
//	                                        0, 1, 2, 3 faults
//	Explore, blind writes                   1, 74, 2236, 41,118 runs
//	                                        states    steps
//	Exhaust, read-modify-write and claim
//	  1 round, 2 lease ends, 1 early time-out 2239      5891
//	  2 rounds, 2 lease ends                  1187      2579
//	  3 rounds, 1 lease end                   1823      3779
//	  the same and 1 lost message           25,117    90,713
//	  and 1 crash                           47,671   123,803
//
// States grow quickly with messages that are lost or late, because every value
// that was ever read is part of a state, and so is every error.
package search
