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
	Steps    int    // how many steps were taken from them
	Depth    int    // how many choices the longest way has
	Finished bool   // everything within the bounds was tried, and all held
	Found    *Way   // a shortest way to a violation; nil if there was none

	kinds   kinds
	limited bool
	err     error
}

// Way is a run in which a property is violated. None with fewer choices violates
// one.
type Way struct {
	Property fencing.Property
	Steps    []fencing.Step  // what was chosen, where there was a choice
	Trace    *fencing.Trace  // its times only show the order
	Finding  fencing.Finding // what the trace's verdict says of the property
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
	var b strings.Builder
	extent := fmt.Sprintf("%s and %s, with up to %s by the clock and %s in a run", count(r.States, "state"), count(r.Steps, "step"),
		count(r.Bounds.Expiries, "lease end"), count(r.Bounds.TimeOuts, "time-out"))
	properties := Result{Options: Options{Properties: r.Bounds.Properties}}.properties()
	switch {
	case r.err != nil:
		fmt.Fprintf(&b, "The search has an error: %s.\n", r.err)
	case r.Found != nil:
		fmt.Fprintf(&b, "%s\nIt was found after %s.\n", r.Found, extent)
	case r.Finished:
		fmt.Fprintf(&b, "Held in all of %s, with messages in every order, lost or late, and clients that pause or crash anywhere: %s.\n", extent, properties)
	default:
		fmt.Fprintf(&b, "Not finished: held in the first %s: %s.\n", extent, properties)
	}
	var did, did2 []string
	for _, s := range sometimes {
		if s.kind == fencing.Stuck || s.kind == fencing.Lost {
			continue // without time nobody can tell for ever from long
		}
		if r.Happened(s.kind) {
			did = append(did, s.what)
		} else {
			did2 = append(did2, s.what)
		}
	}
	fmt.Fprintf(&b, "It happened that %s.", orNothing(did))
	if len(did2) > 0 {
		fmt.Fprintf(&b, " It never happened that %s.", strings.Join(did2, ", "))
	}
	return b.String()
}

func orNothing(sentences []string) string {
	if len(sentences) == 0 {
		return "nothing was done at all"
	}
	return strings.Join(sentences, ", ")
}
