package claimfirst

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
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
	world    *world
	faults   []fencing.Fault
	trace    *fencing.Trace
	returned map[string]error // by client: what its last job returned
	done     map[string]bool  // by line: the job returned nil
}

func (w *world) run(addLine Answer, faults ...fencing.Fault) *ran {
	r := &ran{world: w, faults: faults, returned: map[string]error{}, done: map[string]bool{}}
	simulated := fencing.NewWorld(fencing.Config{Name: "your worker", Fencing: true, Lease: w.lease, Latency: w.latency,
		Timeout: w.timeout, FirstToken: w.first, Faults: faults, Steps: 20_000})
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
	r.trace = simulated.Run()
	return r
}

// text is what a record holds at the end.
func (r *ran) text(record string) string {
	text := ""
	for _, c := range r.trace.Contents() {
		if c.Key == record {
			text = c.Value
		}
	}
	return text
}

// events returns what the storage did for a client, of these kinds.
func (r *ran) events(client string, kinds ...fencing.Kind) []fencing.Event {
	var events []fencing.Event
	for _, e := range r.trace.Events {
		if e.Actor == fencing.ActorStorage && e.Client == client && slices.Contains(kinds, e.Kind) {
			events = append(events, e)
		}
	}
	return events
}

// owns reports whether the lock service ever granted the token of that lock to
// the client.
func (r *ran) owns(client, lock string, token uint64) bool {
	return slices.ContainsFunc(r.trace.Grants(), func(g fencing.Grant) bool {
		return g.Client == client && g.Lock == lock && g.Token == token
	})
}

// granted returns the number of the first event that granted the lock to the
// client, 0 if there is none.
func (r *ran) granted(client string) int {
	for _, g := range r.trace.Grants() {
		if g.Client == client {
			return g.Event
		}
	}
	return 0
}

// lost returns the first accepted write whose line is not in its record at the
// end, or is there twice.
func (r *ran) lost() (fencing.Attempt, Job, bool) {
	for _, a := range r.trace.Attempts() {
		for _, job := range r.world.jobs[a.Client] {
			if a.Accepted && a.Key == job.Record && hasLine(a.Value, job.Line) && strings.Count(r.text(job.Record), job.Line+"\n") != 1 {
				return a, job, true
			}
		}
	}
	return fencing.Attempt{}, Job{}, false
}

func hasLine(text, line string) bool { return strings.Contains(text, line+"\n") }

// failed is the finding of a rule that this run breaks.
func (r *ran) failed(mistake, expected, got, think string, events ...int) check.Finding {
	slices.Sort(events)
	f := check.Fail(mistake, r.tried(), expected, got, think)
	f.Events, f.Trace, f.Replay = check.Lines(r.trace, slices.Compact(events)...), r.trace, append(check.Choices(r.faults), r.world.String())
	return f
}

func (r *ran) tried() string {
	tried := fmt.Sprintf("your worker in %d clients, in a world with %s", len(r.world.clients), r.world)
	if len(r.faults) > 0 {
		tried += "; what happens: " + strings.Join(check.Choices(r.faults), " and ")
	}
	return tried
}

// bad is the finding of a run that had an error, with what was tried.
func (r *ran) bad() (check.Finding, bool) {
	f, bad := check.RunFailed(r.trace)
	if bad {
		f.Tried, f.Replay = r.tried(), append(check.Choices(r.faults), r.world.String())
	}
	return f, bad
}
