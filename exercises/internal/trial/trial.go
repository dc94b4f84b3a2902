// Package trial is what exercises share that run a learner's function as clients
// in the simulator: what such a run is told with when it breaks a rule, and faults
// that let a write of an old holder arrive late, at every moment that may matter
// to the holder after it. The learner's function decides when it looks and when it
// writes, so those moments are taken from a run of that function.
package trial

import (
	"slices"
	"strings"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// Trial is one run of a learner's function.
type Trial struct {
	Code   string // what ran, for example "your worker in 2 clients"
	World  string // what was drawn for it
	Faults []fencing.Fault
	Trace  *fencing.Trace

	grants []fencing.Grant // of the trace, folded once
}

// Failed is the finding of a rule that this run breaks, decided by the events of
// these numbers.
func (t *Trial) Failed(mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, t.tried(), expected, got, think)
	f.Events, f.Trace, f.Replay = check.Lines(t.Trace, events...), t.Trace, t.replay()
	return f
}

// Bad is the finding of a run that had an error, false if it had none.
func (t *Trial) Bad() (check.Finding, bool) {
	f, bad := check.RunFailed(t.Trace)
	if bad {
		f.Tried, f.Replay = t.tried(), t.replay()
	}
	return f, bad
}

func (t *Trial) replay() []string { return append(check.Choices(t.Faults), t.World) }

func (t *Trial) tried() string {
	tried := t.Code + ", in a world with " + t.World
	if len(t.Faults) > 0 {
		tried += "; what happens: " + strings.Join(check.Choices(t.Faults), " and ")
	}
	return tried
}

// Events returns what the storage did for a client, of these kinds.
func (t *Trial) Events(client string, kinds ...fencing.Kind) []fencing.Event {
	var events []fencing.Event
	for _, e := range t.Trace.Events {
		if e.Actor == fencing.ActorStorage && e.Client == client && slices.Contains(kinds, e.Kind) {
			events = append(events, e)
		}
	}
	return events
}

// Granted returns the number of the first event that granted a lock to the client,
// 0 if there is none.
func (t *Trial) Granted(client string) int {
	for _, g := range t.Trace.Grants() {
		if g.Client == client {
			return g.Event
		}
	}
	return 0
}

// Held returns the grants that the client had got when it made the call of an
// event, whether they had ended by then or not.
func (t *Trial) Held(e fencing.Event) []fencing.Grant {
	call := e.Seq
	for i := e.Seq - 1; i > 0; i-- { // the call is not far back
		if before := t.Trace.Events[i-1]; before.Kind == fencing.Called && before.Call == e.Call {
			call = before.Seq
			break
		}
	}
	if t.grants == nil {
		t.grants = t.Trace.Grants()
	}
	var held []fencing.Grant
	for _, g := range t.grants {
		if g.Client == e.Client && g.Event < call {
			held = append(held, g)
		}
	}
	return held
}

// Looks returns the last read and the last claim of a write's key with which its
// writer could have seen it under the grant that it wrote with.
func (t *Trial) Looks(w fencing.Attempt) (read, claim fencing.Event) {
	from := 0
	for _, g := range t.Trace.Grants() {
		if g.Client == w.Client && g.Token == w.Token && g.Event < w.Event {
			from = g.Event
		}
	}
	for _, e := range t.Events(w.Client, fencing.Served, fencing.Claimed) {
		switch {
		case e.Key != w.Key || e.Seq < from || e.Seq > w.Event:
		case e.Kind == fencing.Served:
			read = e
		default:
			claim = e
		}
	}
	return read, claim
}

// Fenced reports whether the event is a rejection because of the token.
func Fenced(e fencing.Event) bool {
	return e.Kind == fencing.Rejected && strings.HasPrefix(e.Note, fencing.ErrFenced.Error())
}
