package placethepause

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// The clients of every world, by their names.
const (
	client1 = "client 1"
	client2 = "client 2"
)

// attempt is a learner's answer in one world, and the run that it leads to.
type attempt struct {
	world  World
	answer Answer
	trace  *fencing.Trace
	same   bool       // as the answer for the world before, although that was another one
	all    []*attempt // the attempts in all worlds: one number alone may fit by chance
}

// judge asks for an answer in each of the worlds and returns what the rule says
// about the first one that it does not hold in.
func judge(answer func(World) Answer, seed uint64, rule func(*attempt) check.Finding) check.Finding {
	var all []*attempt
	var before []string
	for i, world := range worlds(seed) {
		a := &attempt{world: world, answer: answer(world)}
		a.trace = world.run(false, a.answer.Faults)
		choices := check.Choices(a.answer.Faults)
		a.same = i > 0 && slices.Equal(choices, before)
		before = choices
		all = append(all, a)
	}
	var first check.Finding
	for i, a := range all {
		a.all = all
		f := rule(a)
		if f.State != check.Passed {
			return a.explain(f)
		}
		if i == 0 {
			first = f
		}
	}
	return first
}

// explain adds what is the same for every finding in this world.
func (a *attempt) explain(f check.Finding) check.Finding {
	choices := check.Choices(a.answer.Faults)
	f.Tried = "your faults, " + strings.Join(choices, " and ") + ", in a world with " + a.world.String()
	f.Replay = append(choices, a.world.String())
	if f.Trace == nil && len(a.trace.Events) > 0 {
		f.Trace = a.trace
	}
	return f
}

// failed is the finding of a rule that does not hold, with the events that
// decide it.
func (a *attempt) failed(mistake, expected, got, think string, events ...int) check.Finding {
	return check.Finding{State: check.Failed, Mistake: mistake, Expected: expected, Got: got, Think: think,
		Events: check.Lines(a.trace, events...)}
}

// write returns the client's write as it reached the storage.
func (a *attempt) write(client string) (fencing.Attempt, bool) {
	for _, w := range a.trace.Attempts() {
		if w.Client == client {
			return w, true
		}
	}
	return fencing.Attempt{}, false
}

func (a *attempt) grant(client string) (fencing.Grant, bool) {
	for _, g := range a.trace.Grants() {
		if g.Client == client {
			return g, true
		}
	}
	return fencing.Grant{}, false
}

func (a *attempt) pause(client string) (fencing.Span, bool) {
	for _, p := range a.trace.Pauses() {
		if p.Client == client {
			return p, true
		}
	}
	return fencing.Span{}, false
}

// says reports whether the predicted times are those of a rule in every world.
func (a *attempt) says(rule func(*attempt) time.Duration) bool {
	return !slices.ContainsFunc(a.all, func(b *attempt) bool { return b.answer.ArrivesAt != rule(b) })
}

// aims reports whether any fault strikes the client.
func (a *attempt) aims(client string) bool {
	return slices.ContainsFunc(a.answer.Faults, func(f fencing.Fault) bool { return f.Actor == client })
}

// at writes a prediction as a learner would say it.
func at(client string, when time.Duration) string {
	return fmt.Sprintf("the write of %s, arriving at %s", client, fencing.Seconds(when))
}
