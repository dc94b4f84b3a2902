package efficiencyorcorrectness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// Effect is what a job does to the world outside.
type Effect string

// The effects.
const (
	NoEffect Effect = ""
	Mail     Effect = "e-mail"  // a second one is a nuisance, and is in Job.TwiceCents
	Payment  Effect = "payment" // a second one is money that is gone
)

// What a guard costs in a year, in cents. They are assumptions, those of
// sample.Cases; a key is taken to cost what a fence does.
const (
	LockCentsPerYear  = 10_000
	FenceCentsPerYear = 40_000
	KeyCentsPerYear   = 40_000
)

// Job is a job that two workers are woken for. Whoever comes second looks whether
// it is done, and leaves if so.
type Job struct {
	Name          string // says nothing about how it works
	AddsTo        bool   // it reads a record, adds to it and writes it back, and others add to that record too; if not, it makes its result anew from sources that stay
	Effect        Effect
	RunsPerYear   int // one after the other in time, each by two workers
	StallsPerYear int // in so many of them a worker stands still for longer than a lease
	TwiceCents    int // what one run more costs, in computing and in nuisance
}

// String describes the job in one line.
func (j Job) String() string {
	how := "makes its result anew"
	if j.AddsTo {
		how = "adds to a record"
	}
	if j.Effect != NoEffect {
		how += " and causes a " + string(j.Effect)
		how = strings.Replace(how, "a e", "an e", 1)
	}
	return fmt.Sprintf("%s: %s, %d runs a year (%d with a stall), one more costs %s", j.Name, how, j.RunsPerYear, j.StallsPerYear, units(j.TwiceCents))
}

func units(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }

// Examples are jobs to think about. The check draws others.
var Examples = []Job{
	{Name: "daily report", RunsPerYear: 365, StallsPerYear: 1, TwiceCents: 200},
	{Name: "cache rebuild", RunsPerYear: 9_000, StallsPerYear: 1, TwiceCents: 1},
	{Name: "e-mail campaign", Effect: Mail, RunsPerYear: 52_000, StallsPerYear: 5, TwiceCents: 50},
	{Name: "account", AddsTo: true, RunsPerYear: 2_000_000, StallsPerYear: 20, TwiceCents: 1},
	{Name: "job scheduler", Effect: Payment, RunsPerYear: 40_000, StallsPerYear: 4, TwiceCents: 2},
}

// jobs draws one job of every kind. A stall is so rare that a nuisance in each
// costs less than a key.
func jobs(seed uint64) []Job {
	random := rand.New(rand.NewPCG(seed, 0))
	names := []string{"daily report", "cache rebuild", "ledger", "job scheduler", "e-mail campaign", "payroll"}
	var list []Job
	for _, effect := range []Effect{NoEffect, Mail, Payment} {
		for _, adds := range []bool{false, true} {
			for _, pays := range []bool{false, true} {
				j := Job{Name: names[random.IntN(len(names))], AddsTo: adds, Effect: effect, StallsPerYear: 1 + random.IntN(4), TwiceCents: 1 + random.IntN(300)}
				most := LockCentsPerYear / j.TwiceCents // so many runs cost as much as a lock
				j.RunsPerYear = most * (4 + random.IntN(5)) / 10
				if pays {
					j.RunsPerYear = most*(2+random.IntN(50)) + random.IntN(100)
				}
				list = append(list, j)
			}
		}
	}
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list
}

// The actors of every run, by their names, and the times that matter to them.
const (
	first  = "worker 1"
	second = "worker 2"
	other  = "worker 3"

	record = "record"
	done   = "the job"
	lease  = 10 * time.Second
)

// run runs the job under the guards of a choice: two workers, and if the record is
// added to, somebody who adds to it a little later.
func run(j Job, c Choice, stalled bool) *fencing.Trace {
	config := fencing.Config{Name: j.Name, Program: "two workers are woken for one job", Lease: lease, Fencing: c.Fence, Idempotent: c.Key}
	if stalled {
		config.Faults = []fencing.Fault{fencing.Pause(first, fencing.BeforeWrite, lease+20*time.Second)}
	}
	world := fencing.NewWorld(config)
	world.Client(first, worker(j, c, 0, done))
	world.Client(second, worker(j, c, time.Second, done))
	if j.AddsTo {
		world.Client(other, worker(Job{AddsTo: true}, c, 2*time.Second, "something else"))
	}
	return world.Run()
}

// worker does one job, unless it is done: its effect first, then the record.
func worker(j Job, c Choice, start time.Duration, line string) func(*fencing.Client) {
	return func(client *fencing.Client) {
		client.Sleep(start)
		var held fencing.Lease
		if c.Lock {
			held = client.Acquire(record)
			defer func() { _ = client.Release(held) }()
		}
		look := func() (string, error) { return client.Read(record) }
		if c.Fence {
			look = func() (string, error) { return client.Claim(record, held.Token) }
		}
		before, err := look()
		if err != nil || slices.Contains(strings.Split(before, ", "), line) {
			return
		}
		client.Work(4 * time.Second)
		if j.Effect != NoEffect {
			client.Do(string(j.Effect))
		}
		if j.AddsTo && before != "" {
			line = before + ", " + line
		}
		_ = client.Write(record, line, held.Token)
	}
}

// outcome is what a run left behind.
type outcome struct {
	job    Job
	trace  *fencing.Trace
	lost   []int // the event that added something which the record holds no more, and the one that replaced it
	worked []int // the writes of those who did the job
	acted  []int // the effects that were had
}

func look(j Job, c Choice, stalled bool) outcome {
	o := outcome{job: j, trace: run(j, c, stalled)}
	var last, others fencing.Attempt
	for _, a := range o.trace.Attempts() {
		if a.Client == other {
			others = a
		} else {
			o.worked = append(o.worked, a.Event)
		}
		if a.Accepted {
			last = a
		}
	}
	for _, e := range o.trace.Events {
		if e.Kind == fencing.Did && e.Outcome == fencing.OK {
			o.acted = append(o.acted, e.Seq)
		}
	}
	if j.AddsTo && !strings.Contains(last.Value, others.Value) {
		o.lost = []int{others.Event, last.Event}
	} else if j.AddsTo && !strings.Contains(last.Value, done) {
		o.lost = []int{o.worked[len(o.worked)-1], last.Event}
	}
	return o
}

// paidTwice reports whether a payment was made twice.
func (o outcome) paidTwice() bool { return o.job.Effect == Payment && len(o.acted) > 1 }

// damaged returns a run in which something went wrong that doing the job once more
// does not put right: the ordinary one, or the one with a stall.
func damaged(j Job, c Choice) (outcome, bool) {
	for _, stalled := range []bool{false, true} {
		if o := look(j, c, stalled); len(o.lost) > 0 || o.paidTwice() {
			return o, true
		}
	}
	return outcome{}, false
}
