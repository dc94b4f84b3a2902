package breakclient

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

// Precaution is what a client does before it writes.
type Precaution uint8

// The precautions.
const (
	ChecksFirst Precaution = iota // looks at its clock and writes if its lease runs
	ChecksTwice                   // looks at its clock, works for 1 s, looks again, and writes if its lease runs
	RenewsFirst                   // renews, and writes if the renewal was granted
	KeepsMargin                   // looks at its clock and writes if its lease runs for longer than Target.Margin
	precautions                   // how many there are
)

var precautionNames = [...]string{
	ChecksFirst: "checks its lease first", ChecksTwice: "checks its lease twice",
	RenewsFirst: "renews before it writes", KeepsMargin: "keeps a margin",
}

// String returns the precaution in words, for example "checks its lease twice".
func (p Precaution) String() string { return precautionNames[p] }

// Room is by how much a fault may be longer than the lease.
const Room = 3 * time.Second

// Target is a client to break and the world that it lives in. Its storage does not
// check tokens, and messages take no time. Client 2 asks for the lock 1 s after
// client 1, and is as careful.
type Target struct {
	Precaution Precaution
	Start      time.Duration // client 1 asks for the lock
	Lease      time.Duration // length of every lease
	Work       time.Duration // work of client 1 between its grant and its precaution; client 2 works 1 s there
	Margin     time.Duration // what a client that keeps a margin wants to be left of its lease
	FirstToken uint64        // token of the first grant; the second is one higher
}

// Example returns a target to try faults on. The check takes others.
func Example(p Precaution) Target {
	return Target{Precaution: p, Start: time.Second, Lease: 8 * time.Second, Work: 4 * time.Second, Margin: 2 * time.Second, FirstToken: 61}
}

// Run runs the target with faults, to look at what they do:
//
//	charts.Timeline(breakclient.Example(breakclient.ChecksTwice).Run(fencing.Pause("client 1", fencing.AfterCheck, 9*time.Second)))
func (t Target) Run(faults ...fencing.Fault) *fencing.Trace { return t.run(false, faults) }

func (t Target) run(fenced bool, faults []fencing.Fault) *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Name: "the client that " + t.Precaution.String(), Program: t.String(),
		Lease: t.Lease, FirstToken: t.FirstToken, Fencing: fenced, Faults: faults})
	w.Client(client1, t.client(t.Start, t.Work))
	w.Client(client2, t.client(t.Start+time.Second, time.Second))
	return w.Run()
}

func (t Target) client(start, work time.Duration) func(*fencing.Client) {
	return func(c *fencing.Client) {
		c.Sleep(start)
		lease := c.Acquire("report")
		c.Work(work)
		if !t.mayWrite(c, lease) || c.Write("report", "from "+c.Name(), lease.Token) != nil {
			return
		}
		c.Work(time.Second)
		c.Release(lease)
	}
}

// mayWrite is the precaution.
func (t Target) mayWrite(c *fencing.Client, lease fencing.Lease) bool {
	switch t.Precaution {
	case ChecksTwice:
		if !c.Holds(lease) {
			return false
		}
		c.Work(time.Second)
		return c.Holds(lease)
	case RenewsFirst:
		return c.Renew(lease) == nil
	case KeepsMargin:
		return c.Holds(lease) && c.Now()+t.Margin < lease.Until
	}
	return c.Holds(lease)
}

// String says what a learner must know of the target, in one line.
func (t Target) String() string {
	text := fmt.Sprintf("client 1 asks at %s, works %s and %s", fencing.Seconds(t.Start), fencing.Seconds(t.Work), t.Precaution)
	if t.Precaution == KeepsMargin {
		text += " of " + fencing.Seconds(t.Margin)
	}
	return text
}

// targets draws three worlds for a precaution, the shortest lease first. Their
// leases differ by more than what is between the shortest fault that does harm and
// the longest that the budget allows.
func targets(p Precaution, seed uint64) []Target {
	random := rand.New(rand.NewPCG(seed, uint64(p)))
	second := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	list := make([]Target, 3)
	lease := second(10, 12)
	for i := range list {
		list[i] = Target{Precaution: p, Start: second(1, 4), Lease: lease, Work: second(4, 6), Margin: second(2, 3), FirstToken: 100 + random.Uint64N(900)}
		lease += second(6, 8)
	}
	return list
}
