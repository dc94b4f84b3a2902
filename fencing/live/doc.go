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
// depend on the time or on chance.
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
// # Why the outcome is always the same
//
// The program is simulated first. Where a pause ends after something that another
// client does, it is not enough that its time is over: the conductor waits for that
// as well. A slow machine stretches the run and does not change what becomes of the
// writes. What cannot be waited for ends with the run, after 30 s at the latest.
//
// # Nothing is left
//
// The run's table is dropped, its keys are deleted or hang on leases, its folders
// are removed, and its processes end with it: on an interrupt by the conductor, and
// if that is killed, by the storage's process, which notices.
package live
