package sample

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// This file is the model that a [Case] is sampled with: what two workers do, and
// what may happen to the first of them.

// kind is a kind of job.
type kind struct {
	name   string
	ppm    int64
	faults func(Draws) []fencing.Fault
}

// kinds returns the kinds of job that this way can meet. What it cannot meet,
// it meets as a calm job.
func (c Case) kinds(w way) []kind {
	kinds := []kind{
		{"stalled", c.StalledPPM, func(d Draws) []fencing.Fault {
			return lasting(fencing.Pause(client(0), fencing.BeforeWrite, d.Length("stall", c.Stalls)))
		}},
		{"delayed", c.DelayedPPM, func(d Draws) []fencing.Fault {
			return lasting(fencing.Delay(client(0), fencing.WriteRequest, d.Length("delay", c.Delays)))
		}},
	}
	// Without a lock nothing fails over; a consensus service keeps its locks.
	if w.lock && !w.consensus {
		kinds = append(kinds, kind{"failed over", c.FailOverPPM, func(d Draws) []fencing.Fault {
			at := d.Length("fail-over", Uniform(0, c.work(d, client(0))))
			return []fencing.Fault{fencing.FailOver(at).CountingBack(1)}
		}})
	}
	calm := kind{"calm", whole, nil}
	for _, k := range kinds {
		calm.ppm -= k.ppm
	}
	return slices.DeleteFunc(append(kinds, calm), func(k kind) bool { return k.ppm == 0 })
}

// lasting leaves out a fault of no length.
func lasting(f fencing.Fault) []fencing.Fault {
	if f.For == 0 {
		return nil
	}
	return []fencing.Fault{f}
}

func (c Case) study(w way, k kind, runs int, seed uint64) Study {
	return Study{
		Name: fmt.Sprintf("%s, %s, a %s job", c.Name, w.name, k.name), Runs: runs, Seed: seed ^ hash(k.name), Faults: k.faults, Progress: c.Progress,
		Config: fencing.Config{Lease: c.Lease, Fencing: w.fencing, Timeout: c.Timeout},
		Program: func(world *fencing.World, draws Draws) {
			for n := range 2 {
				name := client(n)
				start := time.Duration(n) * draws.Length("rival", c.RivalAfter)
				work := c.work(draws, name)
				world.Client(name, func(worker *fencing.Client) {
					worker.Sleep(start)
					c.do(worker, w, work)
				})
			}
		},
	}
}

func (c Case) work(draws Draws, name string) time.Duration {
	return draws.Length("work of "+name, c.Work)
}

// do is what a worker does.
func (c Case) do(worker *fencing.Client, w way, work time.Duration) {
	var lease fencing.Lease
	if w.lock {
		lease = worker.Acquire("job")
		worker.KeepAlive(lease, c.Lease/3)
	}
	err := c.job(worker, w, lease, work)
	if w.lock && !errors.Is(err, fencing.ErrFenced) {
		worker.Release(lease)
	}
}

// job reads, works and writes.
func (c Case) job(worker *fencing.Client, w way, lease fencing.Lease, work time.Duration) error {
	look := func() (string, error) { return worker.Read("record") }
	if w.claims {
		look = func() (string, error) { return worker.Claim("record", lease.Token) }
	}
	before, err := look()
	if err != nil || c.Once && before != "" {
		return err
	}
	worker.Work(work)
	if c.Once {
		worker.Do("the job")
	}
	return worker.Write("record", before+"done by "+worker.Name()+"\n", lease.Token)
}
