package renewingworker

import (
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

const (
	lock    = "report"
	client1 = "client 1"
	client2 = "client 2"

	latency = 200 * time.Millisecond // of every message
	timeout = time.Second            // how long the client waits for a reply
)

// world is what a check draws. Client 1 asks for the lock at 1 s and does its job;
// client 2, if there is one, asks at 2 s, and claims the key before it writes.
type world struct {
	job   Job
	token uint64
}

func newWorld(seed uint64, number int) world {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	job := Job{
		Length: time.Duration(18+random.IntN(7)) * time.Second,
		Part:   time.Duration(20+random.IntN(11)) * 100 * time.Millisecond,
	}
	job.Parts = int(5*job.Length/(2*job.Part)) + 1
	job.Renewals = job.Parts * 2 / 3
	return world{job, 100 + random.Uint64N(900)}
}

// run is what a worker did in a world.
type run struct {
	world  world
	faults []fencing.Fault
	trace  *fencing.Trace
	err    error // what the worker returned
	back   bool  // it returned
}

func (w world) run(worker Worker, two bool, faults ...fencing.Fault) *run {
	r := &run{world: w, faults: faults}
	sim := fencing.NewWorld(fencing.Config{Name: "your renewing worker", Program: "client 1 does a job of many parts",
		Lease: w.job.Length, Latency: latency, Timeout: timeout, FirstToken: w.token, Fencing: true, DeadlineFromReply: true, Faults: faults})
	sim.Client(client1, func(c *fencing.Client) {
		c.Sleep(time.Second)
		job := w.job
		job.Asked = c.Now()
		job.Lease = c.Acquire(lock)
		r.err = worker(c, job)
		r.back = true
		if r.err == nil {
			c.Release(job.Lease)
		}
	})
	if two {
		sim.Client(client2, fencing.Worker(fencing.Policy{Start: 2 * time.Second, ClaimFirst: true}))
	}
	r.trace = sim.Run()
	return r
}

// events returns client 1's events that are asked for.
func (r *run) events(is func(fencing.Event) bool) []fencing.Event {
	var list []fencing.Event
	for _, e := range r.trace.Events {
		if e.Actor == client1 && is(e) {
			list = append(list, e)
		}
	}
	return list
}

// works returns the beginnings of client 1's work, and renewals those of its
// renewals.
func (r *run) works() []fencing.Event {
	return r.events(func(e fencing.Event) bool { return e.Kind == fencing.Working && e.Until > e.At })
}

func (r *run) renewals() []fencing.Event {
	return r.events(func(e fencing.Event) bool { return e.Kind == fencing.Called && e.Op == fencing.OpRenew })
}

// stored returns the values of client 1 that the storage took, in order.
func (r *run) stored() []string {
	var list []string
	for _, a := range r.trace.Attempts() {
		if a.Client == client1 && a.Accepted {
			list = append(list, a.Value)
		}
	}
	return list
}

// done reports whether every part was stored, once and in order.
func (r *run) done() bool {
	stored := r.stored()
	if len(stored) != r.world.job.Parts {
		return false
	}
	for n, value := range stored {
		if value != r.world.job.Value(n) {
			return false
		}
	}
	return true
}

// expired returns the event at which client 1's lease ended by the clock while its
// worker was at work, 0 if it did not.
func (r *run) expired() int {
	for _, e := range r.trace.Events {
		switch {
		case e.Kind == fencing.Expired && e.Client == client1:
			return e.Seq
		case e.Kind == fencing.Finished && e.Actor == client1:
			return 0
		}
	}
	return 0
}
