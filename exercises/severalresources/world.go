package severalresources

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// world is what is drawn for one world, with three accounts.
type world struct {
	random   *rand.Rand
	lease    time.Duration
	latency  time.Duration
	first    uint64
	accounts [3]string // in the order of their names
	clients  []string
	jobs     map[string][]Job // of each client, one after another
	starts   map[string]time.Duration
}

// newWorld draws a world in which client 1 moves money from the first account to
// the second.
func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	w := &world{random: random,
		lease:   time.Duration(14+random.IntN(6)) * time.Second,
		latency: time.Duration(1+random.IntN(2)) * 250 * time.Millisecond,
		first:   100 + random.Uint64N(900),
		jobs:    map[string][]Job{}, starts: map[string]time.Duration{}}
	for i := range w.accounts {
		w.accounts[i] = fmt.Sprintf("account %d", 100*(i+1)+random.IntN(100))
	}
	w.add("client 1", 1*time.Second, 0, 1)
	return w
}

// add adds a client with a transfer between two of the accounts.
func (w *world) add(client string, start time.Duration, from, to int) {
	if _, known := w.starts[client]; !known {
		w.clients = append(w.clients, client)
		w.starts[client] = start
	}
	job := Job{From: w.accounts[from], To: w.accounts[to], Amount: 1 + w.random.IntN(20), Work: 2 * time.Second}
	w.jobs[client] = append(w.jobs[client], job)
}

// String says what a learner must know of the world, in one line.
func (w *world) String() string {
	parts := []string{"lease " + fencing.Seconds(w.lease), "every message takes " + fencing.Seconds(w.latency), fmt.Sprintf("first token %d", w.first)}
	for _, client := range w.clients {
		for _, j := range w.jobs[client] {
			parts = append(parts, fmt.Sprintf("%s moves %d from %q to %q", client, j.Amount, j.From, j.To))
		}
	}
	return strings.Join(parts, ", ")
}

// ran is one run of the learner's function.
type ran struct {
	trial.Trial
	world    *world
	returned map[string]error // by client: what its last job returned
}

func (w *world) run(answer Answer, faults ...fencing.Fault) *ran {
	r := &ran{world: w, returned: map[string]error{},
		Trial: trial.Trial{Code: fmt.Sprintf("your transfer in %d clients", len(w.clients)), World: w.String(), Faults: faults}}
	simulated := fencing.NewWorld(fencing.Config{Name: "your transfer", Fencing: true, Lease: w.lease, Latency: w.latency,
		FirstToken: w.first, Faults: faults, Steps: 3000})
	for _, client := range w.clients {
		simulated.Client(client, func(c *fencing.Client) {
			c.Sleep(w.starts[client])
			for _, job := range w.jobs[client] {
				r.returned[client] = answer.Transfer(c, job)
			}
		})
	}
	r.Trace = simulated.Run()
	return r
}

func (w *world) with(answer Answer) trial.Run {
	return func(faults ...fencing.Fault) *fencing.Trace { return w.run(answer, faults...).Trace }
}

// holds returns what an account holds at the end: what the record says, if there is
// one, or what stands under its own key.
func (r *ran) holds(account string) int {
	values := map[string]string{}
	for _, c := range r.Trace.Contents() {
		values[c.Key] = c.Value
	}
	if value := find(values[Record], account); value != "" {
		return balance(value)
	}
	return balance(values[account])
}

// due returns what the account has to hold: what it began with, and every change
// of it that was accepted.
func (r *ran) due(account string) int {
	due := opening
	for client, done := range r.accepted() {
		for i, job := range r.world.jobs[client] {
			switch {
			case job.From == account && done[i].from:
				due -= job.Amount
			case job.To == account && done[i].to:
				due += job.Amount
			}
		}
	}
	return due
}

// done says which sides of a transfer were accepted.
type done struct{ from, to bool }

func (d done) half() bool { return d.from != d.to }

// accepted returns for every client and each of its jobs which sides were accepted.
// A client's jobs come one after another, so a second write to a key belongs to
// the next job that has it.
func (r *ran) accepted() map[string][]done {
	sides := map[string][]done{}
	for _, client := range r.world.clients {
		jobs := r.world.jobs[client]
		sides[client] = make([]done, len(jobs))
		for _, e := range r.Events(client, fencing.Accepted) {
			for i, job := range jobs {
				d := &sides[client][i]
				switch {
				case e.Key == Record && !d.from && !d.to:
					*d = done{true, true}
				case e.Key == job.From && !d.from:
					d.from = true
				case e.Key == job.To && !d.to:
					d.to = true
				default:
					continue
				}
				break
			}
		}
	}
	return sides
}
