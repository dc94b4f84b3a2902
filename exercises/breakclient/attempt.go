package breakclient

import (
	"fmt"
	"slices"
	"strings"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// The clients of every world, by their names.
const (
	client1 = "client 1"
	client2 = "client 2"
)

// attempt is a learner's faults for one target, and the run that they lead to.
type attempt struct {
	target Target
	faults []fencing.Fault
	trace  *fencing.Trace
	same   bool // as the faults for the world before, although that was another one
}

// judge asks for an answer in each world of the precautions and returns what the
// rule says about the first one that it does not hold in.
func judge(answer Answer, seed uint64, rule func(*attempt) check.Finding, precautions []Precaution) check.Finding {
	var first check.Finding
	for _, p := range precautions {
		var before []string
		for i, target := range targets(p, seed) {
			a := &attempt{target: target, faults: answer(target)}
			choices := check.Choices(a.faults)
			a.same = i > 0 && slices.Equal(choices, before)
			before = choices
			a.trace = target.run(false, a.faults)
			f := rule(a)
			if f.State != check.Passed {
				return a.explain(f)
			}
			if first.Got == "" {
				first = f
			}
		}
	}
	return first
}

// explain adds what is the same for every finding about this target.
func (a *attempt) explain(f check.Finding) check.Finding {
	choices := check.Choices(a.faults)
	world := fmt.Sprintf("%s; lease %s, first token %d", a.target, fencing.Seconds(a.target.Lease), a.target.FirstToken)
	f.Tried = "your fault, " + strings.Join(choices, " and ") + ", in this world: " + world
	if len(choices) == 0 {
		f.Tried = "no fault, in this world: " + world
	}
	f.Replay = append(choices, world)
	if f.Trace == nil && len(a.trace.Events) > 0 {
		f.Trace = a.trace
	}
	return f
}

// failed is the finding of a rule that does not hold, with the events that
// decide it.
func (a *attempt) failed(mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	f.Events = check.Lines(a.trace, events...)
	return f
}

// lost returns the write of client 1 that overwrote client 2's data.
func (a *attempt) lost() (fencing.Attempt, bool) {
	for _, w := range a.trace.Attempts() {
		if w.Client == client1 && w.Accepted && w.Stale && w.Lost == client2 {
			return w, true
		}
	}
	return fencing.Attempt{}, false
}

// write returns the client's first write as it reached the storage.
func (a *attempt) write(client string) (fencing.Attempt, bool) {
	for _, w := range a.trace.Attempts() {
		if w.Client == client {
			return w, true
		}
	}
	return fencing.Attempt{}, false
}

func (a *attempt) grant(client string) fencing.Grant {
	for _, g := range a.trace.Grants() {
		if g.Client == client {
			return g
		}
	}
	return fencing.Grant{}
}

// first returns the first event of a run that is asked for, 0 if there is none.
func first(trace *fencing.Trace, is func(fencing.Event) bool) int {
	for _, e := range trace.Events {
		if is(e) {
			return e.Seq
		}
	}
	return 0
}
