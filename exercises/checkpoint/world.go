package checkpoint

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// world is what is drawn for one world, with two clients and one batch.
type world struct {
	lease   time.Duration
	latency time.Duration
	timeout time.Duration
	first   uint64
	middle  int // an item in the middle of the batch, counted from 1
	job     Job
}

var clients = []string{"client 1", "client 2"}

func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	items := 5 + random.IntN(3)
	return &world{
		// Longer than the whole batch takes, so that nobody has to renew.
		lease:   time.Duration(20+random.IntN(5)) * time.Second,
		latency: 250 * time.Millisecond,
		first:   100 + random.Uint64N(900),
		middle:  2 + random.IntN(items-3),
		job:     Job{Batch: fmt.Sprintf("batch %d", 100+random.IntN(900)), Items: items, Takes: time.Second},
	}
}

// String says what a learner must know of the world, in one line.
func (w *world) String() string {
	s := fmt.Sprintf("%d items, lease %s, every message takes %s, first token %d", w.job.Items, fencing.Seconds(w.lease), fencing.Seconds(w.latency), w.first)
	if w.timeout > 0 {
		s += ", replies are waited for " + fencing.Seconds(w.timeout)
	}
	return s
}

// ran is one run of the learner's function.
type ran struct {
	trial.Trial
	world    *world
	returned map[string]error // by client
}

func (w *world) run(process Answer, faults ...fencing.Fault) *ran {
	r := &ran{world: w, returned: map[string]error{},
		Trial: trial.Trial{Code: "your worker in 2 clients", World: w.String(), Faults: faults}}
	simulated := fencing.NewWorld(fencing.Config{Name: "your worker", Fencing: true, Lease: w.lease, Latency: w.latency,
		Timeout: w.timeout, FirstToken: w.first, Faults: faults, Steps: 3000})
	for i, client := range clients {
		simulated.Client(client, func(c *fencing.Client) {
			c.Sleep(time.Duration(i+1) * time.Second)
			r.returned[client] = process(c, w.job)
		})
	}
	r.Trace = simulated.Run()
	return r
}

func (w *world) with(process Answer) trial.Run {
	return func(faults ...fencing.Fault) *fencing.Trace { return w.run(process, faults...).Trace }
}

// did returns how often an item was done, and by whom first.
func (r *ran) did(item int) (times int) {
	for _, e := range r.Trace.Events {
		if e.Kind == fencing.Did && e.Key == r.world.job.effect(item) {
			times++
		}
	}
	return times
}

// progress is what is committed at the end.
func (r *ran) progress() int {
	done := 0
	for _, c := range r.Trace.Contents() {
		if c.Key == r.world.job.Batch {
			done = r.world.job.Done(c.Value)
		}
	}
	return done
}
