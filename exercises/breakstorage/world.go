package breakstorage

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Storage is how a storage checks tokens.
type Storage uint8

// The storages to break.
const (
	TakesEqual  Storage = iota // a token that equals the fence; the first sets it
	TakesHigher                // a token above the fence
	InTwoSteps                 // a token not below the fence; stores Target.Gap after the comparison
)

var storages = []Storage{TakesEqual, TakesHigher, InTwoSteps}

var storageNames = [...]string{TakesEqual: "takes an equal token", TakesHigher: "takes a higher token", InTwoSteps: "checks, then stores"}

// String says what the storage does: "takes a higher token".
func (s Storage) String() string { return storageNames[s] }

var checkOf = [...]fencing.Check{TakesEqual: fencing.Equal, TakesHigher: fencing.Higher, InTwoSteps: fencing.TwoSteps}

// The two holders of every world, by their names.
const (
	client1 = "client 1"
	client2 = "client 2"
)

// Write says who writes, and when. It carries the token of the writer's grant.
type Write struct {
	Client string        // "client 1" or "client 2"
	At     time.Duration // when it is sent; messages take no time
}

// Target is a storage in a world. Client 1 holds the lock from Start to
// Start+Lease, then client 2 does, for as long. Both write to one key.
type Target struct {
	Storage    Storage
	Start      time.Duration // client 1's grant
	Lease      time.Duration // length of both leases
	Gap        time.Duration // between the comparison and the storing, of InTwoSteps
	FirstToken uint64        // client 1's; client 2's is one higher
}

// Example is a world to try an answer in. The check takes others.
func Example(s Storage) Target {
	return Target{Storage: s, Start: time.Second, Lease: 10 * time.Second, Gap: 4 * time.Second, FirstToken: 61}
}

// Run runs the world with these writes, to look at what they do:
//
//	charts.Timeline(breakstorage.Example(breakstorage.TakesHigher).Run(
//		breakstorage.Write{Client: "client 1", At: 2 * time.Second}))
func (t Target) Run(writes ...Write) *fencing.Trace { return t.run(checkOf[t.Storage], writes) }

// Twin runs the same with a storage that compares and stores in one step.
func (t Target) Twin(writes ...Write) *fencing.Trace { return t.run(fencing.AtLeast, writes) }

func (t Target) run(how fencing.Check, writes []Write) *fencing.Trace {
	config := fencing.Config{Name: "your writes, and a storage that " + t.Storage.String(), Lease: t.Lease, FirstToken: t.FirstToken, Fencing: true, Check: how}
	if how == fencing.TwoSteps {
		config.CheckGap = t.Gap
	}
	world := fencing.NewWorld(config)
	for _, name := range []string{client1, client2} {
		world.Client(name, func(c *fencing.Client) {
			c.Sleep(t.Start)
			lease := c.Acquire(lock)
			for n, w := range writes {
				if w.Client == name {
					c.Sleep(w.At - c.Now())
					c.Write(lock, fmt.Sprintf("write %d, from %s", n+1, name), lease.Token)
				}
			}
		})
	}
	return world.Run()
}

// lock is the lock, and the key that it guards.
const lock = "report"

// String says what a learner must know of the world, in one line.
func (t Target) String() string {
	s := fmt.Sprintf("start %s, lease %s, tokens %d and %d", fencing.Seconds(t.Start), fencing.Seconds(t.Lease), t.FirstToken, t.FirstToken+1)
	if t.Storage == InTwoSteps {
		s += ", stores " + fencing.Seconds(t.Gap) + " after the check"
	}
	return s
}

// grant is when a client is granted the lock.
func (t Target) grant(client string) time.Duration {
	if client == client1 {
		return t.Start
	}
	return t.Start + t.Lease
}

// worlds draws three worlds of a storage, in which no fixed times fit: each begins
// after the one before has ended.
func worlds(s Storage, seed uint64) []Target {
	random := rand.New(rand.NewPCG(seed, uint64(s)))
	second := func(from, to int) time.Duration { return time.Duration(from+random.IntN(to-from+1)) * time.Second }
	list := make([]Target, 3)
	var start time.Duration
	for i := range list {
		list[i] = Target{Storage: s, Start: start + second(1, 4), Lease: second(8, 15), Gap: second(2, 6), FirstToken: 100 + random.Uint64N(900)}
		start = list[i].Start + 2*list[i].Lease
	}
	return list
}

// attempt is a learner's answer in one world, and the run that it leads to.
type attempt struct {
	target Target
	writes []Write
	trace  *fencing.Trace
}

// judge asks for an answer in each of the storages' worlds and returns what the
// rule says about the first one that it does not hold in.
func judge(answer Answer, seed uint64, rule func(*attempt) check.Finding, of []Storage) check.Finding {
	var first check.Finding
	for _, s := range of {
		for _, target := range worlds(s, seed) {
			a := &attempt{target: target, writes: answer(target)}
			if a.trace = (&fencing.Trace{}); len(a.writes) <= most {
				a.trace = target.Run(a.writes...)
			}
			f := rule(a)
			if f.State != check.Passed {
				return a.explain(f)
			}
			if first.State == check.NotAttempted {
				first = f
			}
		}
	}
	return first
}

// most is how many writes are run at all.
const most = 100

// explain adds what is the same for every finding in this world.
func (a *attempt) explain(f check.Finding) check.Finding {
	f.Tried = "your writes, " + a.words() + ", to a storage that " + a.target.Storage.String() + ", in a world with " + a.target.String()
	f.Replay = []string{a.words(), a.target.String()}
	if f.Trace == nil && len(a.trace.Events) > 0 {
		f.Trace = a.trace
	}
	return f
}

// words lists the writes, the first few of them.
func (a *attempt) words() string {
	if len(a.writes) == 0 {
		return "none"
	}
	var list []string
	for _, w := range a.writes[:min(len(a.writes), 4)] {
		list = append(list, fmt.Sprintf("%s at %s", w.Client, fencing.Seconds(w.At)))
	}
	return strings.Join(list, " and ")
}
