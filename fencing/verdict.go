package fencing

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status says what a run proves about a property.
type Status uint8

// The statuses.
const (
	Holds    Status = iota // nothing in this run broke it
	Violated               // the finding's events broke it
	Untold                 // the run ended early, so it cannot be known
)

var statusNames = [...]string{Holds: "holds", Violated: "violated", Untold: "unknown"}

// String returns "holds", "violated" or "unknown".
func (s Status) String() string { return nameOf(statusNames[:], int(s)) }

// Property is something that a learner may expect of every run.
type Property string

// The properties, in the order in which a verdict lists them.
const (
	OneGrant     Property = "one lease at a time"
	OneBeliever  Property = "one believer at a time"
	NoStaleWrite Property = "no stale write accepted"
	NoLateWrite  Property = "no late write accepted"
	NobodyStuck  Property = "nobody waits for ever"
)

// Finding is what a run proves about one property.
type Finding struct {
	Property Property
	Status   Status
	Events   []int  // Seq of the events that decide it
	Sentence string // what happened, in one sentence
}

// Verdict is what a run proves, property by property.
type Verdict struct {
	Headline string // the outcome in one sentence, as a chart's title says it
	Findings []Finding
}

// Finding returns what the verdict says about a property.
func (v Verdict) Finding(p Property) Finding {
	for _, f := range v.Findings {
		if f.Property == p {
			return f
		}
	}
	return Finding{Property: p, Status: Untold, Sentence: "this verdict does not know the property"}
}

// String returns the verdict as a small table: the headline, then a line for
// each property.
func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, v.Headline)
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "  %-9s %s: %s\n", f.Status, f.Property, f.Sentence)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Verdict judges the run. If the run ended early, a property that was not
// violated by then is unknown.
func (t *Trace) Verdict() Verdict {
	v := Verdict{Headline: t.headline(), Findings: []Finding{
		t.judgeGrants(), t.judgeBeliefs(), t.judgeStale(), t.judgeLate(), t.judgeStuck(),
	}}
	if t.err == nil {
		return v
	}
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Status == Holds {
			f.Status, f.Sentence, f.Events = Untold, "the run has an error, so this run cannot tell", nil
		}
	}
	return v
}

// headline says the one thing to remember of the run.
func (t *Trace) headline() string {
	if t.err != nil {
		return "This run has an error: " + t.err.Error()
	}
	fencing := "Fencing off"
	switch {
	case t.Config.Storage != nil:
		fencing = "Your storage"
	case t.Config.Fencing:
		fencing = "Fencing on"
	}
	return fencing + ": " + t.outcome()
}

func (t *Trace) outcome() string {
	attempts := t.Attempts()
	find := func(match func(Attempt) bool) (Attempt, bool) {
		i := slices.IndexFunc(attempts, match)
		if i < 0 {
			return Attempt{}, false
		}
		return attempts[i], true
	}
	if a, ok := find(func(a Attempt) bool { return a.Accepted && a.Stale }); ok {
		if a.Lost == "" {
			return fmt.Sprintf("the write with token %d is accepted at %s, although the key had accepted %d", a.Token, seconds(a.At), a.Fence)
		}
		return fmt.Sprintf("the write with token %d is accepted at %s and overwrites %s’s data", a.Token, seconds(a.At), a.Lost)
	}
	if a, ok := find(func(a Attempt) bool { return !a.Accepted && a.Stale }); ok {
		return fmt.Sprintf("the write with token %d is rejected at %s, because the fence is %d", a.Token, seconds(a.At), a.Fence)
	}
	if a, ok := find(func(a Attempt) bool { return !a.Accepted }); ok {
		return fmt.Sprintf("the write with token %d is rejected at %s, although no higher token had been accepted", a.Token, seconds(a.At))
	}
	if a, ok := find(func(a Attempt) bool { return a.Late }); ok {
		return fmt.Sprintf("the write with token %d is accepted at %s: late, but not stale", a.Token, seconds(a.At))
	}
	if len(attempts) == 0 {
		return "nothing was written"
	}
	if crashed := t.crashed(); crashed != "" {
		return fmt.Sprintf("%s crashed, and its lease ended; every write was in order", crashed)
	}
	if len(t.Overlaps()) > 0 {
		return "every write was accepted in order, although beliefs overlapped"
	}
	return "every write was accepted in order, and one client at a time believed"
}

func (t *Trace) crashed() string {
	for _, e := range t.Events {
		if e.Kind == Crashed {
			return e.Actor
		}
	}
	return ""
}

func (t *Trace) judgeGrants() Finding {
	grants := t.Grants()
	for i, g := range grants {
		for _, h := range grants[:i] {
			if h.Lock == g.Lock && h.Until > g.From {
				return Finding{OneGrant, Violated, []int{h.Event, g.Event},
					fmt.Sprintf("the lock service granted %q to %s at %s, while %s’s lease ran to %s", g.Lock, g.Client, seconds(g.From), h.Client, seconds(h.Until))}
			}
		}
	}
	return Finding{OneGrant, Holds, nil, fmt.Sprintf("the lock service made %s, and no two of one lock overlapped", count(len(grants), "grant"))}
}

func (t *Trace) judgeBeliefs() Finding {
	overlaps := t.Overlaps()
	if len(overlaps) == 0 {
		return Finding{OneBeliever, Holds, nil, "at no time did two clients believe that they held the lock"}
	}
	var total, running time.Duration
	var events []int
	var clients []string
	for _, o := range overlaps {
		total += o.Until - o.From
		running += o.Running
		events = append(events, o.Events...)
		for _, c := range o.Clients {
			if !slices.Contains(clients, c) {
				clients = append(clients, c)
			}
		}
	}
	slices.Sort(events)
	return Finding{OneBeliever, Violated, slices.Compact(events),
		fmt.Sprintf("from %s on, %s believed at once, for %s (%s of it running at once)", seconds(overlaps[0].From), list(clients), seconds(total), seconds(running))}
}

func (t *Trace) judgeStale() Finding {
	var rejected, accepted int
	for _, a := range t.Attempts() {
		switch {
		case a.Accepted && a.Stale:
			s := fmt.Sprintf("at %s the storage accepted token %d from %s after token %d", seconds(a.At), a.Token, a.Client, a.Fence)
			if a.Lost != "" {
				s += fmt.Sprintf(", and %s’s data is gone", a.Lost)
			}
			return Finding{NoStaleWrite, Violated, []int{a.Before, a.Event}, s}
		case a.Stale:
			rejected++
		case a.Accepted:
			accepted++
		}
	}
	s := fmt.Sprintf("%s accepted, none below a token accepted before", count(accepted, "write"))
	if rejected > 0 {
		s += fmt.Sprintf("; %s rejected", count(rejected, "stale write"))
	}
	return Finding{NoStaleWrite, Holds, nil, s}
}

func (t *Trace) judgeLate() Finding {
	for _, a := range t.Attempts() {
		if a.Accepted && a.Late {
			s := fmt.Sprintf("at %s the storage accepted token %d from %s, whose lease had ended", seconds(a.At), a.Token, a.Client)
			if !a.Stale {
				s += "; no higher token had been accepted yet, so no fence could stop it"
			}
			return Finding{NoLateWrite, Violated, []int{a.Event}, s}
		}
	}
	return Finding{NoLateWrite, Holds, nil, "every accepted write arrived while its writer’s lease ran"}
}

func (t *Trace) judgeStuck() Finding {
	for _, e := range t.Events {
		if e.Kind == Stuck {
			return Finding{NobodyStuck, Violated, []int{e.Seq}, fmt.Sprintf("%s waits for ever for the reply to its %s of %q", e.Actor, e.Op, e.Key)}
		}
	}
	return Finding{NobodyStuck, Holds, nil, "every operation returned, or its client was gone"}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// list joins names as a sentence does: "a", "a and b", "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
