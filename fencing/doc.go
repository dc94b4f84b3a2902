// Package fencing simulates clients, a lock service with leases, and a storage,
// so that you can watch what a lock with a lease cannot do and what a fencing
// token adds.
//
// A lease is a lock with an end. It exists because a holder may crash: when the
// lease ends, somebody else gets the lock. But a holder that pauses, or whose
// message is late, acts after its lease has run out, and nobody can tell it. A
// fencing token closes the gap: a number that rises with every grant, is sent
// with every write, and is checked by the storage.
//
// # Your first run
//
// A [World] has clients, and every client is a plain function:
//
//	world := fencing.NewWorld(fencing.Config{Lease: 10 * time.Second})
//	world.Client("client 1", func(c *fencing.Client) {
//		lease := c.Acquire("report")
//		c.Pause(14 * time.Second) // the garbage collector stops the world
//		c.Write("report", "from client 1", lease.Token)
//	})
//	world.Client("client 2", func(c *fencing.Client) {
//		c.Sleep(2 * time.Second)
//		lease := c.Acquire("report")
//		c.Write("report", "from client 2", lease.Token)
//		c.Release(lease)
//	})
//	trace := world.Run()
//	fmt.Println(trace)
//
// The seconds are simulated: the run takes well under a millisecond. Clients
// take turns, one at a time, and only the methods of [Client] let time pass. The
// same program gives the same trace every time, on every machine.
//
// # Two truths
//
// What the lock service knows and what a client believes are two things, and
// this package never mixes them. [Trace.Grants] is the first, [Trace.Beliefs]
// the second. A client's belief begins when it has processed a grant. It ends
// when the client calls release, when a reply tells it, when it looks at its own
// clock ([Client.Holds]) and finds its deadline past, when it crashes, or when
// its function returns. A paused client goes on believing: it cannot look.
//
// A lease is half-open: at its end it is over. The lock service looks at its
// clock before it handles a message, so a renewal that arrives exactly at the
// end is refused, and a client that waits is granted the lock then. The client
// counts its own deadline from before it sent the request that was granted. A
// client that had to queue renews as soon as it learns of its grant and counts
// from that.
//
// # Faults
//
// After the first lesson nobody writes Pause in a client's function. The same
// [Worker] runs every time, and the world does something to it. A [Fault] is
// data, declared beside the program, one line each:
//
//	config.Faults = []fencing.Fault{
//		// To a client, at a point or at a time.
//		fencing.Pause("client 1", fencing.AfterAcquire, 14*time.Second),            // stands still
//		fencing.Pause("client 1", fencing.BeforeRenew, time.Minute).ThreadOnly(),   // its renewer alone does
//		fencing.PauseAt("client 1", 3*time.Second, time.Minute).ThreadOnly(),       // its worker alone does
//		fencing.Pause("client 1", fencing.BeforeWrite, 14*time.Second).Time(2),     // before its second write
//		fencing.SuspendAt("client 1", 3*time.Second, 30*time.Second),               // its machine sleeps, its clock too
//		fencing.Pause("client 1", fencing.BeforeWrite, 1000*time.Hour).ThreadOnly(), // its worker is stuck for good
//		fencing.Crash("client 1", fencing.BeforeWrite),                             // is gone, at a point
//		fencing.CrashAt("client 2", 20*time.Second),                                // is gone, at a time
//		fencing.RestartAt("client 2", 25*time.Second).Keeping(),                    // begins anew, with its memory
//
//		// To a message or a link.
//		fencing.Delay("client 1", fencing.WriteRequest, 14*time.Second),            // takes longer
//		fencing.Drop("client 1", fencing.WriteReply),                               // never arrives
//		fencing.Duplicate("client 1", fencing.WriteRequest, 3*time.Second),         // arrives twice
//		fencing.Cut("client 1", fencing.ActorLockService, 2*time.Second, time.Minute), // one way only
//
//		// To a clock.
//		fencing.JumpClock(fencing.ActorLockService, 4*time.Second, 20*time.Second), // forward; negative is back
//		fencing.StopClock("client 1", 4*time.Second, 20*time.Second),               // stands still
//
//		// To the storage and the lock service.
//		fencing.RestartStorage(14*time.Second),                                     // see Config.FenceForgotten
//		fencing.CleanUp("report", 14*time.Second),                                  // a janitor deletes the key
//		fencing.FailOver(3*time.Second),                                            // the locks are lost, the counter is kept
//		fencing.FailOver(3*time.Second).Keeping(),                                  // both are kept
//		fencing.FailOver(3*time.Second).CountingBack(1),                            // the locks are lost, the counter is one back
//		fencing.FailOver(3*time.Second).CountingBack(fencing.FromStart),            // the locks are lost, the counter starts again
//		fencing.RestartNode("node C", 3*time.Second),                               // a lock node forgets its locks
//	}
//
// During a pause messages to the client wait, Work stands still and goes on
// afterwards, and the timer of a Sleep runs on; in a sleep of the machine timers
// and clock stand still too. What is declared for 0 s is so from the beginning. A
// fault that never comes about is an error of the run, so that a chart never
// shows less than you asked for.
//
// Faults can be written as a text, and pasted: see [ChoiceString] and
// [ParseFaults].
//
// # The clients
//
// A [Worker] acquires, works, writes, works and releases. How, its [Policy] says,
// one field each; the last two are mistakes that people make:
//
//	RenewEvery:      3 * time.Second, // renew on the way
//	CheckFirst:      true,            // look at the clock before the write
//	StopWhenLost:    true,            // stop when a renewal was refused, instead of going on
//	ClaimFirst:      true,            // claim the key right after the grant
//	ReadModifyWrite: true,            // write on top of what was read, instead of blindly
//	Effect:          "payout 7",      // act on the world outside, which cannot be undone
//	Rounds:          3,               // do it again
//	FreshToken:      true,            // ask for the present token before the write
//	ReleaseByName:   true,            // free the lock whoever holds it
//
// A function of your own has more: a second key, [Client.Delete],
// [Client.WriteIf], [Client.TryAcquire]. [Config.DeadlineFromReply] lets every
// client count its lease from the reply, which is another mistake. A third client
// is one more line: world.Client("client 3", fencing.Worker(policy)).
//
// # Clocks
//
// Every client and the lock service has a clock of its own. It may be off, run
// fast or slow ([Config.Clocks], in parts per million), jump and stand still. A
// lease ends by the clock of the lock service, a belief by that of the client, and
// nothing but these two decides which comes first.
//
//	config.Clocks = []fencing.Clock{
//		{Actor: fencing.ActorLockService, PPM: 200_000}, // a fifth too fast
//		{Actor: "client 1", Offset: 5 * time.Second},    // 5 s ahead
//	}
//
// # The lock service
//
// Each of these fields of [Config] is a rule that a real service has, or a mistake
// that one made:
//
//	LockDelay:   15 * time.Second, // nobody gets the lock for so long after an expiry (Chubby, Consul)
//	NoticeLate:  3 * time.Second,  // ends are noticed late: a TTL is a lower bound (Consul)
//	MaxHold:     time.Minute,      // no renewal goes on for ever
//	WaiterLease: true,             // a waiter that is not heard from loses its place (ZooKeeper, etcd: a session)
//	ReviveLate:  true,             // a late renewal brings the lease back if nobody else came
//	SameToken:   true,             // a repeated grant has its old token (etcd: locking again in one session)
//	PlainDelete: true,             // a release frees the lock whoever holds it
//	Generations: true,             // tokens survive a counter that was rolled back
//	Nodes:       5,                // Redlock: a majority of lock nodes, and no tokens
//
// With lock nodes a client asks all of them at once and holds the lock if a
// majority grants it and some of the lease is left, less an allowance for drift;
// otherwise it releases what it got and tries again a second later. The first
// node that it asks is node A: AcquireRequest.Time(2) is its message to node B.
//
// # The storage
//
// [Config.Fencing] turns the check on, and [Config.Check] says which. The promise
// of fencing is: once a key has accepted token n, or was claimed with it, it
// accepts nothing below n. [AtLeast] keeps it, in one step, and lets the newest
// holder write as often as it likes.
//
//	Check: fencing.AtLeast,  // not below the fence
//	Check: fencing.Higher,   // safe, but refuses the holder's second write, and any after its claim
//	Check: fencing.Equal,    // safe, but locks out every later holder that has not claimed first (etcd issue 11788)
//	Check: fencing.TwoSteps, // SELECT, then UPDATE: a stale write slips in between
//	Check: fencing.Version,  // finds conflicts, not old owners
//	Check: fencing.Owner,    // safe, for clients that claim first: the last to claim, and nobody else
//
// # What fencing alone does not do
//
// A fence knows what it has seen. Until the next holder's first write arrives, a
// late write of the old holder is accepted: [Client.Claim] raises the fence and
// reads in one step, and closes that hole. A write of one grant that timed out may
// arrive after the next one of the same grant: [Config.NumberedWrites] closes it.
// An effect on the world outside checks nothing: [Client.Do] and
// [Config.Idempotent]. Two grants with one token are one for the storage:
// [Config.Generations].
//
// # Presets
//
// [Presets] are the course's scenarios as values. Change a number in one line
// and run again:
//
//	preset := fencing.GCPause()
//	preset.Fencing = true
//	preset.Lease = 20 * time.Second
//	preset.Faults[0].For = 30 * time.Second
//	fmt.Println(preset.Run().Verdict())
//
// # What a run tells
//
// A [Trace] is one list of [Event] values, each of which names the event that
// led to it. Everything else is a fold over that list: the story that
// fmt.Println prints, the [Verdict], and the chart that package charts draws.
//
// A write is late if its writer's lease had ended, by the lock service's clock,
// when it arrived. It is stale if it arrived after its key had accepted, or been
// claimed with, a higher token. The storage can only see the second: until the next holder's first
// write arrives, the fence is still the old holder's, and a late write is
// accepted even with fencing on.
//
// # Out and in
//
// [Trace.WriteJSONL] writes a trace as JSON Lines, one event a line, and
// [ReadJSONL] reads it back: the same story, verdict and chart. [ParseFaults]
// reads the faults of a run from one line of text, so that what a search has found
// can be pasted into a cell:
//
//	preset.Faults, err = fencing.ParseFaults("client 1/after acquire/1=pause 14s")
//
// # When something is wrong
//
// [Trace.Err] holds the first mistake of a run, as a sentence that says what to
// do instead; the story, the verdict and the chart show it too. A client's
// operations return the errors [ErrFenced], [ErrLeaseLost], [ErrHeld],
// [ErrConflict] and [ErrTimeout], wrapped with the details: test for them with errors.Is. A
// time-out means that the outcome is unknown, not that nothing happened.
//
// Tokens count per lock and fences per key. The tokens of two locks cannot be
// compared.
//
// # How fast
//
// An event here is one timer that goes off and a client's function that goes on
// from there, as SimPy counts them; the clients sleep in turn, client i for i%7+1
// seconds, again and again. With the trace on they work instead, since a sleep
// leaves no event in a trace. Measured in runs of a million events, 20 of them in
// one process (5 for 10,000 clients), the best of three such, on a machine (AMD
// EPYC, 2 virtual cores, load from others below 2) on which iter.Pull took 114 ns
// to a coroutine and back. SimPy 4.1.2 ran after it, in the same minutes.
//
//	clients   trace off   trace on   SimPy      trace off against SimPy
//	2         96 ns       232 ns     2302 ns    24 times as fast
//	100       356 ns      536 ns     2860 ns    8 times
//	10,000    1259 ns     1895 ns    4354 ns    3 times
//
// So two clients made 10.4 million events a second without a trace and 4.3 million
// with one. The first run of a process has to ask the machine for its memory: it
// makes 2.3 to 2.7 million with a trace. Measure yours with
//
//	go test -run xxx -bench SleepInTurn -benchtime 20x ./fencing
//
// # Where it comes from
//
// The problem and the tokens 33 and 34: Martin Kleppmann, How to do distributed
// locking (2016). Redlock and its allowance for drift: the Redis documentation,
// Distributed Locks with Redis. Sequencers and the lock-delay: Mike Burrows, The
// Chubby lock service for loosely-coupled distributed systems (2006). The
// failures that people met are in package reported, with their sources.
package fencing
