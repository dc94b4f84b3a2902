package claimfirst

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// world is what is drawn for one world.
type world struct {
	random  *rand.Rand
	lease   time.Duration
	latency time.Duration
	timeout time.Duration
	first   uint64
	clients []string
	jobs    map[string][]Job // of each client, one after another
	starts  map[string]time.Duration
}

// newWorld draws a world with two clients and one record.
func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	w := &world{random: random,
		lease:   time.Duration(10+random.IntN(6)) * time.Second,
		latency: time.Duration(1+random.IntN(2)) * 250 * time.Millisecond,
		first:   100 + random.Uint64N(900),
		jobs:    map[string][]Job{}, starts: map[string]time.Duration{}}
	record := w.record()
	w.add("client 1", 1*time.Second, record, 1)
	w.add("client 2", 2*time.Second, record, 1)
	return w
}

func (w *world) record() string { return fmt.Sprintf("account %d", 100+w.random.IntN(900)) }

// add adds a client with so many jobs at the record.
func (w *world) add(client string, start time.Duration, record string, jobs int) {
	w.clients = append(w.clients, client)
	w.starts[client] = start
	work := time.Duration(2+w.random.IntN(3)) * time.Second
	for range jobs {
		line := fmt.Sprintf("%s books %d", client, 1000+w.random.IntN(9000))
		w.jobs[client] = append(w.jobs[client], Job{Record: record, Line: line, Work: work})
	}
}

// String says what a learner must know of the world, in one line.
func (w *world) String() string {
	s := fmt.Sprintf("lease %s, every message takes %s, first token %d", fencing.Seconds(w.lease), fencing.Seconds(w.latency), w.first)
	if w.timeout > 0 {
		s += ", replies are waited for " + fencing.Seconds(w.timeout)
	}
	return s
}

// ran is one run of the learner's function.
type ran struct {
	trial.Trial
	world    *world
	returned map[string]error // by client: what its last job returned
	done     map[string]bool  // by line: the job returned nil
}

func (w *world) run(addLine Answer, faults ...fencing.Fault) *ran {
	r := &ran{world: w, returned: map[string]error{}, done: map[string]bool{},
		Trial: trial.Trial{Code: fmt.Sprintf("your worker in %d clients", len(w.clients)), World: w.String(), Faults: faults}}
	simulated := fencing.NewWorld(fencing.Config{Name: "your worker", Fencing: true, Lease: w.lease, Latency: w.latency,
		Timeout: w.timeout, FirstToken: w.first, Faults: faults, Steps: 3000})
	for _, client := range w.clients {
		simulated.Client(client, func(c *fencing.Client) {
			c.Sleep(w.starts[client])
			for _, job := range w.jobs[client] {
				err := addLine(c, job)
				r.returned[client] = err
				r.done[job.Line] = err == nil
			}
		})
	}
	r.Trace = simulated.Run()
	return r
}

// text is what a record holds at the end.
func (r *ran) text(record string) string {
	text := ""
	for _, c := range r.Trace.Contents() {
		if c.Key == record {
			text = c.Value
		}
	}
	return text
}

// lost returns the first accepted write whose line is not in its record at the
// end, or is there twice.
func (r *ran) lost() (fencing.Attempt, Job, bool) {
	for _, a := range r.Trace.Attempts() {
		for _, job := range r.world.jobs[a.Client] {
			if a.Accepted && a.Key == job.Record && hasLine(a.Value, job.Line) && strings.Count(r.text(job.Record), job.Line+"\n") != 1 {
				return a, job, true
			}
		}
	}
	return fencing.Attempt{}, Job{}, false
}

func hasLine(text, line string) bool { return strings.Contains(text, line+"\n") }
