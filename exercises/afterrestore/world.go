package afterrestore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Restore is what is known when the lock service has been restored.
type Restore struct {
	Counter    uint64   // the last token granted, as the backup has it
	Fences     []uint64 // of the storages that could be asked
	Generation uint64   // how often the service has been restored, this time included: 1, 2, 3, ...; kept outside the backup
}

// Example is a restore to try an answer with. The check takes others.
var Example = Restore{Counter: 40, Fences: []uint64{38, 43}, Generation: 1}

// String says what a learner must know of it, in one line.
func (r Restore) String() string {
	return fmt.Sprintf("counter %d in the backup, fences %s, generation %d", r.Counter, strings.Trim(fmt.Sprint(r.Fences), "[]"), r.Generation)
}

// world is a restore and what nobody could ask for.
type world struct {
	Restore
	fence uint64 // of the storage that the new holder writes to
	old   uint64 // the last token before the service died; its holder has not written yet
}

// worlds draws restores: of a service that was restored for the first time, and
// of one that has been before and counts in the tokens of the answer.
func worlds(answer Answer, seed uint64) []world {
	random := rand.New(rand.NewPCG(seed, 0))
	var list []world
	first := uint64(1)
	for generation := uint64(1); generation <= 3; generation++ {
		counter := first + 20 + random.Uint64N(100)
		fence := counter + 2 + random.Uint64N(10) // a grant after the backup has been written with
		w := world{fence: fence, old: fence + 1}
		w.Restore = Restore{Counter: counter, Fences: []uint64{counter - random.Uint64N(9), fence}, Generation: generation}
		random.Shuffle(2, func(i, j int) { w.Fences[i], w.Fences[j] = w.Fences[j], w.Fences[i] })
		list = append(list, w)
		first = answer(w.Restore)
	}
	return list
}

// The clients of every run, by their names.
const (
	oldHolder = "old holder"
	newHolder = "new holder"
)

// run lets the service grant from a first token on. The storage has accepted the
// fence already, and the old holder's write comes at last.
func (w world) run(first uint64) *fencing.Trace {
	const lock = "report"
	sim := fencing.NewWorld(fencing.Config{Name: "after the restore", FirstToken: first, Fencing: true})
	sim.Client("before", func(c *fencing.Client) { c.Write(lock, "before the restore", w.fence) })
	sim.Client(newHolder, func(c *fencing.Client) {
		c.Sleep(1 * time.Second)
		lease := c.Acquire(lock)
		c.Write(lock, "from the new holder", lease.Token)
		c.Release(lease)
	})
	sim.Client(oldHolder, func(c *fencing.Client) {
		c.Sleep(5 * time.Second)
		c.Write(lock, "from the old holder", w.old)
	})
	return sim.Run()
}

// attempt is an answer for one restore, and the run that it leads to.
type attempt struct {
	world  world
	answer Answer
	first  uint64
	trace  *fencing.Trace
}

// judge asks for an answer for each restore and returns what the rule says about
// the first one that it does not hold in.
func judge(answer Answer, seed uint64, rule func(*attempt) check.Finding) check.Finding {
	var f check.Finding
	for _, w := range worlds(answer, seed) {
		a := &attempt{world: w, answer: answer, first: answer(w.Restore)}
		if a.first == 0 {
			return check.Fail("no token", "your Next, for "+w.Restore.String(), "it returns a token", "it returned 0, which no grant has", "A token is 1 or more.")
		}
		a.trace = w.run(a.first)
		f = rule(a)
		if f.State != check.Passed {
			f.Tried = fmt.Sprintf("your first token, %d, for %s; before it died, the service had granted token %d to a client that has not written yet", a.first, w.Restore, w.old)
			return f
		}
	}
	return f
}

// write returns a client's write as it reached the storage.
func (a *attempt) write(client string) fencing.Attempt {
	attempts := a.trace.Attempts()
	return attempts[slices.IndexFunc(attempts, func(w fencing.Attempt) bool { return w.Client == client })]
}
