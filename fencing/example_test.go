package fencing_test

import (
	"errors"
	"fmt"
	"strings"
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

// A machine that sleeps wakes up with a clock that shows no sign of it: even a
// careful look finds the lease valid.
func ExampleSuspendAt() {
	world := fencing.NewWorld(fencing.Config{Faults: []fencing.Fault{fencing.SuspendAt("client 1", 3*time.Second, 30*time.Second)}})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Work(5 * time.Second)
		fmt.Println("its clock reads", c.Now(), "and it believes:", c.Holds(lease))
	})
	trace := world.Run()
	fmt.Println("the lease ended at", trace.Grants()[0].Until, "and it is", trace.End())
	// Output:
	// its clock reads 5s and it believes: true
	// the lease ended at 10s and it is 35s
}

// A worker and its renewer are two threads: a pause of one leaves the other alive.
func ExampleFault_ThreadOnly() {
	stuck := fencing.Config{Faults: []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, time.Minute).ThreadOnly()}}
	world := fencing.NewWorld(stuck)
	world.Client("client 1", fencing.Worker(fencing.Policy{RenewEvery: 3 * time.Second}))
	grant := world.Run().Grants()[0]
	fmt.Println("a stuck worker kept the lock until", grant.Until, "with", len(grant.Renewed), "renewals")
	// Output:
	// a stuck worker kept the lock until 1m6s with 21 renewals
}

// Cut off from the lock service in one direction only, the holder learns nothing
// and writes on.
func ExampleCut() {
	world := fencing.NewWorld(fencing.Config{
		Timeout: 2 * time.Second,
		Faults:  []fencing.Fault{fencing.Cut("client 1", fencing.ActorLockService, time.Second, time.Minute)},
	})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Work(5 * time.Second)
		fmt.Println("renewing:", errors.Is(c.Renew(lease), fencing.ErrTimeout))
		fmt.Println("writing:", c.Write("report", "x", lease.Token))
	})
	world.Run()
	// Output:
	// renewing: true
	// writing: <nil>
}

// A clock that runs a quarter too fast ends a lease of 10 s after 8 s.
func ExampleClock() {
	world := fencing.NewWorld(fencing.Config{Clocks: []fencing.Clock{{Actor: fencing.ActorLockService, PPM: 250_000}}})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(9 * time.Second)
		fmt.Println("it believes:", c.Holds(lease))
	})
	fmt.Println("the lease ended at", world.Run().Grants()[0].Until)
	// Output:
	// it believes: true
	// the lease ended at 8s
}

// A fail-over that has lost the last grant gives its token out again; a
// generation in the token keeps the two apart.
func ExampleFailOver() {
	for _, generations := range []bool{false, true} {
		world := fencing.NewWorld(fencing.Config{
			Generations: generations,
			Faults:      []fencing.Fault{fencing.FailOver(3 * time.Second).CountingBack(1)},
		})
		for n := range 2 {
			world.Client(fmt.Sprintf("client %d", n+1), func(c *fencing.Client) {
				c.Sleep(time.Duration(n) * time.Second)
				fmt.Println(c.Name(), "has token", c.Acquire("report").Token)
			})
		}
		world.Run()
	}
	// Output:
	// client 1 has token 33
	// client 2 has token 33
	// client 1 has token 1000033
	// client 2 has token 2000033
}

// Until the next holder's first write arrives, the fence does not know of it. A
// claim tells it.
func ExampleClient_Claim() {
	for _, claims := range []bool{false, true} {
		preset := fencing.GCPause()
		preset.Fencing, preset.ReadModifyWrite, preset.ClaimFirst = true, true, claims
		preset.Faults[0] = fencing.Pause("client 1", fencing.BeforeWrite, 9500*time.Millisecond)
		fmt.Println(preset.Run().Verdict().Finding(fencing.NoLostUpdate).Sentence)
	}
	// Output:
	// at 12 s client 2 wrote "report" without having seen the change that client 1 made at 11.5 s
	// whoever wrote on top of what it had read had seen every change of other grants
}

// Only one of the checks keeps the promise and refuses nobody by mistake.
func ExampleCheck() {
	for check := fencing.AtLeast; check <= fencing.Owner; check++ {
		world := fencing.NewWorld(fencing.Config{Fencing: true, Check: check})
		world.Client("client 1", func(c *fencing.Client) {
			c.Read("report")
			var answers []string
			for _, token := range []uint64{34, 34, 33, 35} {
				answer := "yes"
				if c.Write("report", "x", token) != nil {
					answer = "no"
				}
				answers = append(answers, fmt.Sprint(token, " ", answer))
			}
			fmt.Printf("%s: %v\n", check, strings.Join(answers, ", "))
		})
		world.Run()
	}
	// Output:
	// at least the fence: 34 yes, 34 yes, 33 no, 35 yes
	// above the fence: 34 yes, 34 no, 33 no, 35 yes
	// equal to the fence: 34 yes, 34 yes, 33 no, 35 no
	// checks, then writes: 34 yes, 34 yes, 33 no, 35 yes
	// same version as read: 34 yes, 34 yes, 33 yes, 35 yes
	// the last to claim: 34 no, 34 no, 33 no, 35 no
}

// An effect on the world outside cannot check a token; a name of its own keeps it
// from happening twice.
func ExampleClient_Do() {
	for _, idempotent := range []bool{false, true} {
		world := fencing.NewWorld(fencing.Config{Idempotent: idempotent})
		for _, name := range []string{"client 1", "client 2"} {
			world.Client(name, func(c *fencing.Client) { c.Do("pay invoice 7") })
		}
		fmt.Println(world.Run().Verdict().Finding(fencing.NothingTwice).Sentence)
	}
	// Output:
	// "pay invoice 7" was done by client 1 at 0 s and by client 2 at 0 s
	// 1 effect on the world outside, each once
}

// Redlock: a majority of lock nodes, and no tokens.
func ExampleConfig_lockNodes() {
	world := fencing.NewWorld(fencing.Config{
		Nodes: 3, Timeout: time.Second,
		Faults: []fencing.Fault{fencing.Cut("client 1", "node C", 0, time.Minute)},
	})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "hello", lease.Token)
		c.Release(lease)
	})
	fmt.Println(world.Run())
	// Output:
	// a run (lease 10 s · fencing off · 3 lock nodes · time-out 1 s · client 1 cut off from node C for 60 s at 0 s)
	//       0 s  network       loses every message from client 1 to node C until 60 s
	//       0 s  client 1      asks for the lock "report"
	//       0 s  network       the acquire request to node C is lost on its way
	//       0 s  node A, B     grants "report" to client 1 until 10 s
	//       1 s  client 1      has a majority: 2 of 3 nodes granted it, and it counts on the lock until 9.898 s
	//       1 s  client 1      writes "hello" to "report", without a token
	//       1 s  storage       accepts the write of client 1 without a token
	//       1 s  client 1      releases "report"
	//       1 s  network       the release request to node C is lost on its way
	//       1 s  node A, B     takes "report" back from client 1
	// Fencing off: every write was accepted in order, and one client at a time believed
}

// Faults are one line of text, too.
func ExampleParseFaults() {
	faults, err := fencing.ParseFaults("client 1/after acquire/1=pause 14s; lock service/at 3s=fail over, counting back 1")
	fmt.Println(len(faults), err)
	fmt.Println(fencing.ChoiceString(faults))
	_, err = fencing.ParseFaults("client 1/after lunch/1=pause 14s")
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// client 1/after acquire/1=pause 14s; lock service/at 3s=fail over, counting back 1
	// the choice string stops making sense at "client 1/after lunch/1=pause 14s": there is no point "after lunch"; write it as in "client 1/after acquire/1=pause 14s; client 1/at 3s=crash"
}

// A trace that was written and read back tells the same.
func ExampleReadJSONL() {
	var lines strings.Builder
	if err := fencing.GCPause().Run().WriteJSONL(&lines); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.SplitN(lines.String(), "\n", 3)[:2] {
		fmt.Println(line)
	}
	trace, err := fencing.ReadJSONL(strings.NewReader(lines.String()))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(trace.Verdict().Headline)
	// Output:
	// {"format":"fencing trace","version":1,"clients":["client 1","client 2"],"config":{"name":"GC pause","steps":100000,"lease":10000000000,"firstToken":33,"faults":"client 1/after acquire/1=pause 14s"}}
	// {"seq":1,"at":1000000000,"clock":1000000000,"actor":"client 1","kind":"called","op":"acquire","call":1,"key":"report"}
	// Fencing off: the write with token 33 is accepted at 16 s and overwrites client 2’s data
}
