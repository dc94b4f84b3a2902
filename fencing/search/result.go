package search

import (
	"fmt"
	"strings"

	"fencingtokens/fencing"
)

// Result is what [Explore] has found.
type Result struct {
	Options   Options         // as they were used, defaults filled in
	Runs      int             // how many schedules were run
	Schedules []int           // how many of them had 0, 1, 2, ... faults
	LeftOut   int             // schedules in which a fault of Config.Faults did not come about
	Finished  bool            // every schedule within the bound was run, and all held
	Found     *Counterexample // the first run in which a property was violated; nil if there was none

	seen    seen
	limited bool
	err     error
}

// Counterexample is a run in which a property is violated. No schedule with
// fewer faults violates one.
type Counterexample struct {
	Property fencing.Property // the one that is violated
	Faults   []fencing.Fault  // what happened, besides Config.Faults
	Trace    *fencing.Trace   // the same run with these faults declared: an ordinary one
	Finding  fencing.Finding  // what its verdict says of the property
}

// ChoiceString returns the faults as text that [fencing.ParseFaults] reads.
func (c *Counterexample) ChoiceString() string { return fencing.ChoiceString(c.Faults) }

// String names the faults, one a line, as [fencing.ParseFaults] reads them, and says
// what they led to.
func (c *Counterexample) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Violated: %s.\n", c.Property)
	if len(c.Faults) == 0 {
		b.WriteString("  without any fault\n")
	}
	for i, f := range c.Faults {
		end := ";"
		if i == len(c.Faults)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "  %s%s\n", f, end)
	}
	fmt.Fprintf(&b, "  %s", c.Finding.Sentence)
	return b.String()
}

// Err returns why the search was impossible or ended early: a mistake in what it
// was given, or the error of a run, which it names. It is nil if the search was
// only cancelled or reached Options.Limit.
func (r Result) Err() error { return r.err }

// Times says in how many runs something happened at all. A property that holds
// in runs in which nothing happened means little.
type Times struct {
	What string // a sentence without its full stop
	Runs int    // in how many it happened
}

// Sometimes returns what happened in some of the runs, and in how many.
func (r Result) Sometimes() []Times {
	var all []Times
	for _, s := range sometimes {
		all = append(all, Times{s.what, r.seen[s.kind]})
	}
	return all
}

var sometimes = []struct {
	kind fencing.Kind
	what string
}{
	{fencing.Accepted, "a write was accepted"},
	{fencing.Rejected, "a write was rejected"},
	{fencing.Expired, "a lease ended by the clock"},
	{fencing.Queued, "a client had to wait for the lock"},
	{fencing.Lost, "a message was lost"},
	{fencing.Stuck, "a client waited for ever"},
}

// String tells the result in sentences.
func (r Result) String() string {
	if r.err != nil {
		return fmt.Sprintf("The search has an error: %s.", r.err)
	}
	var b strings.Builder
	properties := joined(r.Options.Properties)
	switch {
	case r.Found != nil:
		fmt.Fprintf(&b, "%s\n", r.Found)
		fmt.Fprintf(&b, "It is the first in %s.\n", r.extent())
	case r.Finished:
		fmt.Fprintf(&b, "Held in all of %s: %s.\n", r.extent(), properties)
	default:
		fmt.Fprintf(&b, "Not finished: held in the first %s of the schedules with up to %s: %s.\n", r.extent(), count(r.Options.Faults, "fault"), properties)
	}
	if r.Options.Faults > 0 {
		fmt.Fprintf(&b, "Tried, wherever it may fall: %s.\n", r.vocabulary())
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(&b, "Left out: %s in which a declared fault did not come about.\n", count(r.LeftOut, "schedule"))
	}
	b.WriteString(r.happened())
	return b.String()
}

// extent says how many runs there were, and with how many faults.
func (r Result) extent() string {
	parts := make([]string, len(r.Schedules))
	for faults, n := range r.Schedules {
		parts[faults] = fmt.Sprintf("%d with %s", n, count(faults, "fault"))
	}
	return fmt.Sprintf("%s (%s)", count(r.Runs, "run"), strings.Join(parts, ", "))
}

func joined(properties []fencing.Property) string {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = string(p)
	}
	return strings.Join(names, ", ")
}

func (r Result) vocabulary() string {
	var parts []string
	for _, a := range r.Options.Actions {
		switch a {
		case fencing.PauseIt:
			for _, d := range r.Options.Pauses {
				parts = append(parts, "a pause of "+fencing.Seconds(d))
				if r.Options.ThreadOnly {
					parts = append(parts, "a pause of one thread of "+fencing.Seconds(d))
				}
			}
		case fencing.DelayIt, fencing.DuplicateIt:
			for _, d := range r.Options.Delays {
				parts = append(parts, fmt.Sprintf("a %s of %s", a, fencing.Seconds(d)))
			}
		default:
			parts = append(parts, "a "+a.String())
		}
	}
	return strings.Join(parts, ", ")
}

func (r Result) happened() string {
	if r.seen[fencing.Accepted] == 0 {
		return "No write was ever accepted: this says little about writes."
	}
	var b strings.Builder
	b.WriteString("In how many runs")
	for _, t := range r.Sometimes() {
		fmt.Fprintf(&b, "\n%9d  %s", t.Runs, t.What)
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
