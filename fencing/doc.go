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
// data, declared beside the program:
//
//	config.Faults = []fencing.Fault{
//		fencing.Pause("client 1", fencing.AfterAcquire, 14*time.Second),
//		fencing.Delay("client 1", fencing.WriteRequest, 14*time.Second),
//		fencing.Drop("client 2", fencing.RenewReply),
//		fencing.CrashAt("client 2", 20*time.Second),
//	}
//
// During a pause messages to the client wait, Work stands still and goes on
// afterwards, and the timer of a Sleep runs on. A fault that never comes about
// is an error of the run, so that a chart never shows less than you asked for.
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
// when it arrived. It is stale if it arrived after its key had accepted a higher
// token. The storage can only see the second: until the next holder's first
// write arrives, the fence is still the old holder's, and a late write is
// accepted even with fencing on.
//
// # When something is wrong
//
// [Trace.Err] holds the first mistake of a run, as a sentence that says what to
// do instead; the story, the verdict and the chart show it too. A client's
// operations return the errors [ErrFenced], [ErrLeaseLost], [ErrHeld] and
// [ErrTimeout], wrapped with the details: test for them with errors.Is. A
// time-out means that the outcome is unknown, not that nothing happened.
//
// Tokens count per lock and fences per key. The tokens of two locks cannot be
// compared.
package fencing
