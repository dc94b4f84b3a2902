package draw

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// mostEvents bounds what is drawn of one run, and so the size of its chart.
const mostEvents = 12_000

// run is what a chart may know of a run. The folds are made once: a long run
// asks for them again and again.
type run struct {
	trace *fencing.Trace // what is drawn
	whole *fencing.Trace
	held  bool
	end   time.Duration // up to where things are drawn
	title string

	said     []string // the sentences of events, once asked for
	grants   []fencing.Grant
	beliefs  []fencing.Belief
	pauses   []fencing.Span
	waits    []fencing.Span
	flights  []fencing.Flight
	attempts []fencing.Attempt
	contents []fencing.Content
	overlaps []fencing.Overlap
}

func newRun(t *fencing.Trace, v view) run {
	r := run{trace: t, whole: t, end: t.End(), title: t.Headline()}
	switch {
	case v.until >= 0:
		r.trace, r.held, r.end = upTo(t, v.until), true, v.until
		if t.Err() == nil || t.End() > v.until {
			r.title = question(t.Config)
		}
	case len(t.Events) > mostEvents:
		r.end = t.Events[mostEvents].At
		// By count and not by time: a loop without an end may never leave one instant.
		r.trace = upTo(&fencing.Trace{Config: t.Config, Clients: t.Clients, Events: t.Events[:mostEvents]}, r.end)
		r.title += fmt.Sprintf(" (%d events, of which those up to %s are drawn)", len(t.Events), fencing.Seconds(r.end))
	}
	r.fold()
	r.said = make([]string, len(r.trace.Events))
	return r
}

// sentence explains an event of the run.
func (r run) sentence(e fencing.Event) string {
	said := &r.said[e.Seq-1]
	if *said == "" {
		*said = r.inWords(e)
	}
	return *said
}

func (r *run) fold() {
	t := r.trace
	r.grants, r.beliefs, r.pauses, r.waits = t.Grants(), t.Beliefs(), t.Pauses(), t.Waits()
	r.flights, r.attempts, r.contents, r.overlaps = t.Flights(), t.Attempts(), t.Contents(), t.Overlaps()
}

// proof returns the Seq of the event by which the run did the greatest harm, if it
// is among those that are drawn, or why there is none. Only stories and long runs
// ask for it: a move in the playground has no time to judge a run.
func (r run) proof() (seq int, why string) {
	if r.held {
		return 0, "The rest of this run is held back"
	}
	t := r.whole
	v := t.Verdict()
	why = "Nothing was violated in this run"
	if t.Err() != nil {
		why = "This run has an error before anything was violated"
	}
	for _, p := range []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate, fencing.NoLostOwnUpdate, fencing.NothingTwice,
		fencing.NoInnocentFenced, fencing.NoLateWrite, fencing.NobodyStuck, fencing.FencingSafe, fencing.OneBeliever, fencing.OneGrant} {
		f := v.Finding(p)
		if f.Status != fencing.Violated || len(f.Events) == 0 {
			continue
		}
		seq := slices.Max(f.Events)
		if p == fencing.OneBeliever { // its events are those of all overlaps
			seq = slices.Max(t.Overlaps()[0].Events)
		}
		if seq <= len(r.trace.Events) {
			return seq, ""
		}
		why = "The violation comes after what is drawn of this run"
	}
	return 0, why
}

// event returns an event by its number.
func (r run) event(seq int) (fencing.Event, bool) {
	if seq < 1 || seq > len(r.trace.Events) {
		return fencing.Event{}, false
	}
	return r.trace.Events[seq-1], true
}

// inWords explains an event, and does not say when it will end if that is held
// back.
func (r run) inWords(e fencing.Event) string {
	if !r.early(e) {
		return r.trace.Sentence(e)
	}
	switch e.Kind {
	case fencing.Paused:
		return "stands still"
	case fencing.CutOff:
		return fmt.Sprintf("loses every message from %s to %s", e.Client, e.Key)
	case fencing.ClockStopped:
		return "has its clock stand still"
	}
	return fmt.Sprintf("the %s is under way", e.Op)
}

// early reports whether the event knows of a time that is held back.
func (r run) early(e fencing.Event) bool {
	if !r.held || e.Until <= r.end {
		return false
	}
	switch e.Kind {
	case fencing.Paused, fencing.Sent, fencing.CutOff, fencing.ClockStopped:
		return true
	}
	return false
}

func question(c fencing.Config) string {
	fence := "fencing off"
	if c.Fencing {
		fence = "fencing on"
	}
	if c.Name == "" {
		return fmt.Sprintf("What happens next, with %s?", fence)
	}
	return fmt.Sprintf("%s, %s: what happens next?", c.Name, fence)
}

// upTo returns the trace as it was at a time. Its last event says nothing: it
// is there so that what has not ended by then lasts until then.
func upTo(t *fencing.Trace, at time.Duration) *fencing.Trace {
	short := &fencing.Trace{Config: t.Config, Clients: t.Clients}
	for _, e := range t.Events {
		if e.At <= at {
			short.Events = append(short.Events, e)
		}
	}
	short.Events = append(short.Events, fencing.Event{Seq: len(short.Events) + 1, At: at})
	return short
}
