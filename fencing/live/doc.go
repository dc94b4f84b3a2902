// Package live runs a program's clients on real systems: a real lock service, a
// real database, processes of the operating system, and the wall clock. The trace
// that comes out is of the same kind as a simulated one, so that its story, its
// verdict and its chart need no others.
//
//	preset := live.Scaled(fencing.GCPause(), 5) // a fifth of every length: the lease is 2 s
//	systems := live.Systems{Locks: etcd.Embedded(), Storage: live.SQLite()}
//	real := live.RunPreset(systems, preset)
//	fmt.Println(live.Compare(preset.Run(), real))
//
// Package etcd, and those for ZooKeeper, Redis, Redlock and PostgreSQL, are in a
// module of their own, fencingtokens/fencing/live/systems, so that no other lesson
// has to wait for what they need.
//
// # What runs
//
// A run is four processes or more. The program that calls [Run] is the conductor:
// it starts the lock service, or finds the one that you run, and leads the others.
// It starts itself again for every client and for the storage; each copy runs up to
// the same call of Run and there becomes its part. A client's function is therefore
// any function, as in a simulation, and what it prints goes nowhere. The program
// has to come to Run the second time as it did the first: let nothing before it
// depend on the time or on chance. A call of Run that is not its own returns an
// empty trace in a copy: look at len(trace.Grants()) before you take the first.
//
// Between the clients and the storage is a wire, HTTP on the loopback interface,
// through the conductor. On it a write can be late.
//
// # What is done to them
//
// A pause at a point is SIGSTOP, sent from outside while the client waits there,
// and SIGCONT; nothing in a stopped process runs, not even a client library's
// heartbeats. A crash is SIGKILL. A delay or a drop of a message to or from the
// storage happens on the wire. Everything else that the simulator can do is refused
// with a sentence: nobody can make a real clock jump for a lesson, or a real
// message to etcd arrive late on demand.
//
// # What the trace knows
//
// All processes share the machine's wall clock, and every event has its time from
// the process in which it happened, in milliseconds. Of the lock service the trace
// knows what it answered: a grant or a renewal stands where the client heard of it.
// The end of a lease stands where the service, which is asked every 20 ms who holds
// the lock, no longer named the holder. What a service does not have, the trace does
// not make up: a lock of Redis has the token 0.
//
// # Why a slow machine does not change the outcome
//
// The program is simulated first. Three things wait until the other clients have
// been granted and have written as much as they had in the simulation: a client's
// first acquire, the end of a pause, and the arrival of a delayed message. A slow
// machine stretches the run, and in a preset that is all it does. In a program of
// your own, what else depends on time can come out in another order, as it can in
// production. What cannot be waited for ends with the run, after 30 s at the latest.
//
// # Nothing is left
//
// The run's table is dropped, its keys are deleted or hang on leases, its folders
// are removed, and its processes end with it: on an interrupt by the conductor, and
// if that is killed, by the storage's process, which notices.
package live
