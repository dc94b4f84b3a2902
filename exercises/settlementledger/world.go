package settlementledger

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// world is what is drawn for one world: two clients that go through the same jobs.
// Client 2 is handed the first job once more in the end, when its account has got
// another settlement.
type world struct {
	lease   time.Duration
	latency time.Duration
	timeout time.Duration
	first   uint64
	struck  int // which of client 1's jobs is disturbed, counted from 1
	jobs    []Job
}

var clients = []string{"client 1", "client 2"}

func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	account, day := 100+random.IntN(900), 1+random.IntN(27)
	job := func(account, day int) Job {
		return Job{Account: fmt.Sprintf("account %d", account), Period: fmt.Sprintf("day %d", day), Takes: 2 * time.Second}
	}
	return &world{
		// Longer than a job takes, so that nobody has to renew.
		lease:   time.Duration(10+random.IntN(5)) * time.Second,
		latency: 250 * time.Millisecond,
		first:   100 + random.Uint64N(900),
		struck:  1 + random.IntN(3),
		jobs:    []Job{job(account, day), job(account+1+random.IntN(9), day), job(account, day+1)},
	}
}

// String says what a learner must know of the world, in one line.
func (w *world) String() string {
	s := fmt.Sprintf("%d jobs, lease %s, every message takes %s, first token of an account %d", len(w.jobs), fencing.Seconds(w.lease), fencing.Seconds(w.latency), w.first)
	if w.timeout > 0 {
		s += ", replies are waited for " + fencing.Seconds(w.timeout)
	}
	return s
}

// try is one call of the learner's function, with what the walk learns of it.
type try struct {
	client      string
	job         Job
	from, until time.Duration
	returned    bool
	err         error

	granted    fencing.Event // its newest lease
	look       fencing.Event // its first look that was answered under that lease, or else the last before it
	unanswered fencing.Event // a look without an answer
	timedOut   fencing.Event // a write without an answer
	told       fencing.Event // the rejection that it has been told of
	wrote      bool
}

// ran is one run of the learner's function.
type ran struct {
	trial.Trial
	world      *world
	tries      []*try
	unfinished []Job // what is not both settled and paid in the end
}

func (w *world) run(settle Answer, faults ...fencing.Fault) *ran {
	r := &ran{world: w, Trial: trial.Trial{Code: "your worker in 2 clients", World: w.String(), Faults: faults}}
	simulated := fencing.NewWorld(fencing.Config{Name: "your worker", Fencing: true, Idempotent: true, Lease: w.lease, Latency: w.latency,
		Timeout: w.timeout, FirstToken: w.first, Faults: faults, Steps: 3000})
	for i, client := range clients {
		simulated.Client(client, func(c *fencing.Client) {
			c.Sleep(time.Duration(i) * time.Second)
			for _, job := range append(w.jobs[:len(w.jobs):len(w.jobs)], w.jobs[:i]...) {
				c.Sleep(100 * time.Millisecond) // so that the time of a call tells its job
				t := &try{client: client, job: job, from: c.Now()}
				r.tries = append(r.tries, t)
				t.err = settle(c, job)
				t.until, t.returned = c.Now(), true
			}
		})
	}
	r.Trace = simulated.Run()
	return r
}

func (w *world) with(settle Answer) trial.Run {
	return func(faults ...fencing.Fault) *fencing.Trace { return w.run(settle, faults...).Trace }
}
