package timedoutwrite

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

const (
	lock    = "report"
	client1 = "client 1"
	client2 = "client 2"
)

// world is what a check draws. Client 1 gets the lock at 1 s, claims the key and
// saves the values, each after a second of work.
type world struct {
	lease   time.Duration
	timeout time.Duration
	token   uint64
	values  []string
}

func newWorld(seed uint64, number int) world {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	second := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	w := world{lease: second(12, 16), timeout: second(1, 2), token: 100 + random.Uint64N(900)}
	for _, name := range []string{"draft", "review", "final"} {
		w.values = append(w.values, fmt.Sprintf("%s %d", name, 1000+random.IntN(9000)))
	}
	return w
}

// save is one call of the learner's Save.
type save struct {
	value   string
	outcome fencing.Outcome
	at      time.Duration // when it returned
}

// run is what a reaction led to in a world.
type run struct {
	world  world
	faults []fencing.Fault
	trace  *fencing.Trace
	saves  []save
}

// run runs the reaction. Client 2, if there is one, waits for the lock and claims
// the key before it writes.
func (w world) run(reaction Reaction, two bool, faults ...fencing.Fault) *run {
	r := &run{world: w, faults: faults}
	sim := fencing.NewWorld(fencing.Config{Name: "your reaction to a time-out", Program: "client 1 saves three values",
		Lease: w.lease, Timeout: w.timeout, FirstToken: w.token, Fencing: true, NumberedWrites: reaction.Numbered, Faults: faults})
	sim.Client(client1, func(c *fencing.Client) {
		c.Sleep(time.Second)
		lease := c.Acquire(lock)
		if _, err := c.Claim(lock, lease.Token); err != nil {
			return
		}
		for _, value := range w.values {
			c.Work(time.Second)
			outcome := reaction.Save(c, lease, value)
			r.saves = append(r.saves, save{value, outcome, c.Now()})
			if outcome != fencing.OK {
				return
			}
		}
		c.Release(lease)
	})
	if two {
		sim.Client(client2, fencing.Worker(fencing.Policy{Start: 2 * time.Second, ClaimFirst: true}))
	}
	r.trace = sim.Run()
	return r
}

// attempts returns client 1's writes of a value, as they reached the storage.
func (r *run) attempts(value string) []fencing.Attempt {
	var list []fencing.Attempt
	for _, a := range r.trace.Attempts() {
		if a.Client == client1 && a.Value == value {
			list = append(list, a)
		}
	}
	return list
}

// accepted returns the event at which the storage took a value, 0 if it never did.
func (r *run) accepted(value string) int {
	for _, a := range r.attempts(value) {
		if a.Accepted {
			return a.Event
		}
	}
	return 0
}

// sent returns the events at which client 1 sent a write.
func (r *run) sent() []fencing.Event {
	var list []fencing.Event
	for _, e := range r.trace.Events {
		if e.Actor == client1 && e.Kind == fencing.Called && e.Op == fencing.OpWrite {
			list = append(list, e)
		}
	}
	return list
}

// returned returns the events at which one of client 1's writes returned so.
func (r *run) returned(outcome fencing.Outcome) []int {
	var list []int
	for _, e := range r.trace.Events {
		if e.Actor == client1 && e.Kind == fencing.Returned && e.Op == fencing.OpWrite && e.Outcome == outcome {
			list = append(list, e.Seq)
		}
	}
	return list
}

// holds returns what the key holds at the end.
func (r *run) holds() fencing.Content {
	var last fencing.Content
	for _, last = range r.trace.Contents() {
	}
	return last
}
