package search

import (
	"fmt"
	"strings"

	"fencingtokens/fencing"
)

// Exhaustion is what [Exhaust] has found.
type Exhaustion struct {
	Bounds   Bounds // as they were used, defaults filled in
	States   int    // how many states there are in which several things can happen next
	Steps    int    // how many choices were made there, and about what follows at once
	Depth    int    // how many states the longest way comes through
	Cut      bool   // a client would have gone on, but for Bounds.Operations
	Finished bool   // everything within the bounds was tried, and all held
	Found    *Way   // a shortest way to a violation; nil if there was none

	kinds   kinds
	limited bool
	err     error
}

// Way is a run in which a property is violated. In none with fewer arrivals, lease
// ends and crashes is one violated.
type Way struct {
	Property fencing.Property // the one that is violated
	Steps    []fencing.Step   // what was chosen, where there was a choice; a reply that arrives, and a client that waits for it, go without saying
	Trace    *fencing.Trace   // its times only show the order
	Finding  fencing.Finding  // what the trace's verdict says of the property
}

// String names the steps, one a line, and says what they led to.
func (w *Way) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Violated: %s.\n", w.Property)
	for _, s := range w.Steps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	fmt.Fprintf(&b, "  %s", w.Finding.Sentence)
	return b.String()
}

// Err returns why the search was impossible or ended early. It is nil if the
// search was only cancelled or reached Bounds.Limit.
func (r Exhaustion) Err() error { return r.err }

// Happened reports whether an event of that kind happened in any run at all.
func (r Exhaustion) Happened(k fencing.Kind) bool { return r.kinds.has(k) }

// String tells the result in sentences.
func (r Exhaustion) String() string {
	if r.err != nil {
		return fmt.Sprintf("The search has an error: %s.", r.err)
	}
	var b strings.Builder
	properties := joined(r.Bounds.Properties)
	switch {
	case r.Found != nil:
		fmt.Fprintf(&b, "%s\nIt was found after %s.\n", r.Found, r.extent())
	case r.Finished:
		fmt.Fprintf(&b, "Held in all of %s, in every order: %s.\n", r.extent(), properties)
	case r.limited:
		fmt.Fprintf(&b, "Not finished: held in the first %s: %s. Give smaller bounds, or raise Bounds.Limit.\n", r.extent(), properties)
	default:
		fmt.Fprintf(&b, "Not finished: held in the first %s: %s.\n", r.extent(), properties)
	}
	if r.Cut {
		fmt.Fprintf(&b, "A client would have begun more than %s (Bounds.Operations), and stayed in the next one for ever.\n", count(r.Bounds.Operations, "operation"))
	}
	b.WriteString(r.happened())
	return b.String()
}

// extent says how much was tried, and within which bounds.
func (r Exhaustion) extent() string {
	parts := []string{count(r.Bounds.Expiries, "lease end") + " by the clock"}
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(r.Bounds.Drops, "lost message", "lost messages")
	add(r.Bounds.Crashes, "crash", "crashes")
	add(r.Bounds.TimeOuts, "early time-out", "early time-outs")
	return fmt.Sprintf("%s and %s, with up to %s in a run", count(r.States, "state"), count(r.Steps, "step"), inWords(parts, "and"))
}

// happened says what happened in some run and what in none, of all that the
// bounds let happen.
func (r Exhaustion) happened() string {
	var did, didNot []string
	add := func(k fencing.Kind, what string) {
		if r.Happened(k) {
			did = append(did, what)
		} else {
			didNot = append(didNot, what)
		}
	}
	for _, s := range sometimes {
		if r.Bounds.Drops > 0 || s.kind != fencing.Lost && s.kind != fencing.Stuck {
			add(s.kind, s.what)
		}
	}
	if r.Bounds.Crashes > 0 {
		add(fencing.Crashed, "a client crashed")
	}
	if len(did) == 0 {
		return "Nothing was done at all."
	}
	text := "It happened that " + inWords(did, "and") + "."
	if len(didNot) > 0 {
		text += " It never happened that " + inWords(didNot, "or") + "."
	}
	return text
}

// inWords joins with commas, and with "and" or "or" before the last.
func inWords(parts []string, conjunction string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " " + conjunction + " " + parts[last]
}
