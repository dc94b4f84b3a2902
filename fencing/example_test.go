package fencing_test

import (
	"errors"
	"fmt"
	"time"

	"fencingtokens/fencing"
)

// Two clients, one lock, one storage. Client 1 stops for longer than its lease.
func Example() {
	world := fencing.NewWorld(fencing.Config{Lease: 10 * time.Second})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Pause(14 * time.Second) // the garbage collector stops the world
		c.Write("report", "from client 1", lease.Token)
	})
	world.Client("client 2", func(c *fencing.Client) {
		c.Sleep(2 * time.Second)
		lease := c.Acquire("report")
		c.Write("report", "from client 2", lease.Token)
		c.Release(lease)
	})
	fmt.Println(world.Run())
	// Output:
	// a run (lease 10 s · fencing off)
	//       0 s  client 1      asks for the lock "report"
	//       0 s  lock service  grants token 33 to client 1 until 10 s
	//       0 s  client 1      stands still until 14 s: it sees nothing, and nobody tells it
	//       2 s  client 2      asks for the lock "report"
	//       2 s  lock service  lets client 2 wait: client 1 holds "report" with token 33 until 10 s
	//      10 s  lock service  ends the lease of token 33: client 1 did not renew it in time
	//      10 s  lock service  grants token 34 to client 2 until 20 s
	//      10 s  client 2      asks to renew the lease of token 34
	//      10 s  lock service  lets the lease of token 34 run until 20 s
	//      10 s  client 2      writes "from client 2" to "report", with token 34
	//      10 s  storage       accepts the write of client 2 with token 34
	//      10 s  client 2      releases token 34
	//      10 s  lock service  takes token 34 back from client 2
	//      14 s  client 1      goes on, as if no time had passed
	//      14 s  client 1      writes "from client 1" to "report", with token 33
	//      14 s  storage       accepts the write of client 1 with token 33, although it had accepted 34: the data of client 2 is gone
	// Fencing off: the write with token 33 is accepted at 14 s and overwrites client 2’s data
}

// A preset is a value: change one number in one line and run it again.
func ExamplePreset() {
	preset := fencing.GCPause()
	fmt.Println(preset.Run().Verdict().Headline)
	preset.Fencing = true
	fmt.Println(preset.Run().Verdict().Headline)
	preset.Lease = 20 * time.Second
	fmt.Println(preset.Run().Verdict().Headline)
	// Output:
	// Fencing off: the write with token 33 is accepted at 16 s and overwrites client 2’s data
	// Fencing on: the write with token 33 is rejected at 16 s, because the fence is 34
	// Fencing on: every write was accepted in order, and one client at a time believed
}

// A verdict names each property and what decides it.
func ExampleTrace_Verdict() {
	fmt.Println(fencing.GCPause().Run().Verdict())
	// Output:
	// Fencing off: the write with token 33 is accepted at 16 s and overwrites client 2’s data
	//   holds     one lease at a time: the lock service made 2 grants, and no two of one lock overlapped
	//   violated  one believer at a time: from 11 s on, client 1 and client 2 believed at once, for 6 s (2 s of it running at once)
	//   violated  no stale write accepted: at 16 s the storage accepted token 33 from client 1 after token 34, and client 2’s data is gone
	//   violated  no late write accepted: at 16 s the storage accepted token 33 from client 1, whose lease had ended
	//   holds     nobody waits for ever: every operation returned, or its client was gone
}

// Faults are data, declared beside the program.
func ExampleConfig() {
	world := fencing.NewWorld(fencing.Config{
		Timeout: 2 * time.Second,
		Faults:  []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)},
	})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		err := c.Write("report", "final", lease.Token)
		fmt.Println(err)
		value, _ := c.Read("report")
		fmt.Printf("read %q\n", value)
	})
	fmt.Println("error of the run:", world.Run().Err())
	// Output:
	// write "report" with token 33: timed out, outcome unknown
	// read "final"
	// error of the run: <nil>
}

// The mistakes of a run are sentences.
func ExampleTrace_Err() {
	preset := fencing.GCPause()
	preset.Faults[0].Actor = "client 3"
	fmt.Println(preset.Run().Err())
	// Output:
	// the fault "client 3/after acquire/1=pause 14s" is for a client that this world does not have: its clients are "client 1", "client 2"
}

// TryAcquire, Renew, Release and Write return errors to test with errors.Is.
func ExampleClient_TryAcquire() {
	world := fencing.NewWorld(fencing.Config{})
	world.Client("client 1", func(c *fencing.Client) { c.Acquire("report") })
	world.Client("client 2", func(c *fencing.Client) {
		c.Sleep(time.Second)
		_, err := c.TryAcquire("report")
		fmt.Println(err)
		fmt.Println("held by another:", errors.Is(err, fencing.ErrHeld))
	})
	world.Run()
	// Output:
	// try to acquire "report": lock held: client 1 holds it with token 33
	// held by another: true
}

// A lease that is kept alive lasts as long as its holder runs.
func ExampleClient_KeepAlive() {
	world := fencing.NewWorld(fencing.Config{})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*time.Second)
		c.Work(25 * time.Second)
		c.Release(lease)
	})
	grant := world.Run().Grants()[0]
	fmt.Println("renewed", len(grant.Renewed), "times,", grant.Ended, "at", grant.Until)
	// Output:
	// renewed 8 times, released at 25s
}

// A storage of your own decides which writes it takes.
func ExampleChecker() {
	preset := fencing.GCPause()
	preset.Storage = onlyFirst{values: map[string]string{}}
	fmt.Println(preset.Run().Verdict().Headline)
	// Output:
	// Your storage: the write with token 33 is rejected at 16 s, because the fence is 34
}

// onlyFirst takes one write per key: safe, and useless.
type onlyFirst struct{ values map[string]string }

func (o onlyFirst) Write(key, value string, _ uint64) error {
	if _, taken := o.values[key]; taken {
		return fmt.Errorf("%w: %q is taken", fencing.ErrFenced, key)
	}
	o.values[key] = value
	return nil
}

func (o onlyFirst) Read(key string) string { return o.values[key] }

// The folds of a trace answer questions about a run.
func ExampleTrace_Overlaps() {
	for _, o := range fencing.GCPause().Run().Overlaps() {
		fmt.Println(o.Clients, "from", o.From, "to", o.Until, "running at once:", o.Running)
	}
	// Output:
	// [client 1 client 2] from 11s to 17s running at once: 2s
}
