package checkpoint

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// walk goes through the events of a run, knows at each of them what is committed
// and what everybody has been told, and stops at the first mistake.
type walk struct {
	*ran
	committed int
	last      fencing.Event            // the change that committed it
	done      map[int]bool             // by item
	holds     map[string]bool          // by client: its lease runs
	looked    map[string]fencing.Event // its first look under its lease, until it writes
	refused   map[string]fencing.Event // the rejection it has been told of
	pending   map[int]fencing.Event    // by call: a rejection on its way back
	timedOut  map[string]fencing.Event // a call of it that got no answer
	began     map[string]bool          // it has done an item
}

func (r *ran) walk() (check.Finding, bool) {
	w := &walk{ran: r, done: map[int]bool{}, holds: map[string]bool{}, looked: map[string]fencing.Event{}, refused: map[string]fencing.Event{},
		pending: map[int]fencing.Event{}, timedOut: map[string]fencing.Event{}, began: map[string]bool{}}
	for _, e := range r.Trace.Events {
		if f, wrong := w.step(e); wrong {
			return f, true
		}
	}
	return check.Finding{}, false
}

var goesOn = check.Finding{}

func (w *walk) step(e fencing.Event) (check.Finding, bool) {
	switch e.Kind {
	case fencing.Granted:
		w.holds[e.Client] = true
	case fencing.Expired, fencing.Released, fencing.Forgot:
		w.holds[e.Client] = false
	case fencing.Returned:
		if rejection, ok := w.pending[e.Call]; ok {
			w.refused[e.Actor] = rejection
		}
		if e.Outcome == fencing.Unknown && e.Op == fencing.OpWrite {
			w.timedOut[e.Actor] = e
		}
	case fencing.Served, fencing.Claimed:
		if _, before := w.looked[e.Client]; !before && e.Key == w.world.job.Batch {
			w.looked[e.Client] = e
		}
	case fencing.Did:
		return w.item(e)
	case fencing.Rejected:
		return w.rejected(e)
	case fencing.Accepted:
		return w.accepted(e)
	case fencing.Deleted:
		return w.cleansUp(e), true
	}
	return goesOn, false
}

// item judges an item that somebody has done.
func (w *walk) item(e fencing.Event) (check.Finding, bool) {
	item := 0
	for item < w.world.job.Items && w.world.job.effect(item) != e.Key {
		item++
	}
	first := !w.began[e.Actor]
	w.began[e.Actor] = true
	expected := fmt.Sprintf("item %d comes next: %d are committed", w.committed, w.committed)
	if w.committed == w.world.job.Items {
		expected = fmt.Sprintf("nothing is left to do: all %d are committed", w.committed)
	}
	got := fmt.Sprintf("%s did item %d", e.Actor, item)
	fail := func(mistake, think string, events ...int) (check.Finding, bool) {
		return w.Failed(mistake, expected, got, think, append(events, w.last.Seq, e.Seq)...), true
	}
	rejection, told := w.refused[e.Actor]
	timeOut, unanswered := w.timedOut[e.Actor]
	switch {
	case item == w.world.job.Items:
		return w.Failed("an item that there is not", fmt.Sprintf("items 0 to %d", w.world.job.Items-1), fmt.Sprintf("%s did %q", e.Actor, e.Key), "Items are counted from 0, so the last one is job.Items-1.", e.Seq), true
	case told:
		return w.Failed("goes on after it was told", "a holder whose token is refused stops: somebody newer is at work", got+", after the storage had refused its token",
			"Look at the error of every checkpoint. On fencing.ErrFenced return it at once: each further item is done twice.", rejection.Seq, e.Seq), true
	case item < w.committed && !w.holds[e.Actor]:
		// It has lost the lease and does not know it.
	case item < w.committed && unanswered:
		return fail("takes a time-out for not written", "No answer came, and the checkpoint had been written all the same. It may even arrive later. Return the error: the next holder will find what is committed.", timeOut.Seq)
	case item < w.committed && first && item == 0:
		return fail("starts again from the first item", "The claim returns the progress that the holder before you committed. job.Done reads it: begin there.", w.looked[e.Actor].Seq)
	case item < w.committed:
		return fail("does again what is committed", "Every item below the committed progress is done. Compare what your worker has looked at with what it begins with.", w.looked[e.Actor].Seq)
	case item > w.committed && unanswered:
		return fail("takes a time-out for written", "No answer came, and the checkpoint had not been written. If this holder dies now, two items are repeated; and if the checkpoint arrives after the next one, the progress goes back. Return the error.", timeOut.Seq)
	case item > w.committed && first && w.committed > 0:
		return fail("counts work that is not committed", "That an item was done or planned by the holder before, only that holder can know. What the storage does not say does not count: begin with the first item that is not committed.")
	case item > w.committed && !w.done[w.committed]:
		return fail("leaves an item out", "The items are done in their order, from 0 on. Print the numbers that your loop goes through.")
	case item > w.committed:
		return fail("works on without a checkpoint", "If this holder dies now, the next one repeats everything since the last checkpoint. Write the progress after every item.")
	}
	w.done[item] = true
	return goesOn, false
}

// accepted judges a write that was accepted.
func (w *walk) accepted(e fencing.Event) (check.Finding, bool) {
	if e.Key != w.world.job.Batch {
		return w.Failed("another key", "the progress is kept under job.Batch", fmt.Sprintf("%s wrote to %q", e.Client, e.Key), "The next holder looks for the progress under the name of the batch.", e.Seq), true
	}
	count := w.world.job.Done(e.Value)
	before := w.last
	for _, other := range clients {
		look, looking := w.looked[other]
		if other != e.Client && looking && w.holds[other] && !w.holds[e.Client] {
			return w.Failed("reads in place of a claim", "once the next holder has looked, no checkpoint of the holder before it is accepted", fmt.Sprintf("%s had looked, and then the late checkpoint of %s was accepted", other, e.Client),
				"A read tells the storage nothing of the new holder, so its fence is still the old one’s. Claim: raise the fence and read the progress, in one step, before anything else.", look.Seq, e.Seq), true
		}
	}
	switch {
	case count < w.committed && (w.called(e) < w.called(before) || w.overtaken(e)):
		return w.Failed("an older checkpoint comes after a newer one", "the progress never goes back", fmt.Sprintf("it went back from %d to %d", w.committed, count),
			"Both carry the same token, so the fence lets both in. A checkpoint without an answer is still under way: stop there, and let the next holder begin from a claim.", before.Seq, e.Seq), true
	case count < w.committed:
		return w.cleansUp(e), true
	case count > w.committed && !w.done[count-1]:
		return w.Failed("counts an item before it is done", fmt.Sprintf("a checkpoint of %d is written when item %d is done", count, count-1), fmt.Sprintf("%s wrote %q before it", e.Client, e.Value),
			"If this holder dies between the two, the item is counted and never done. First the item, then the checkpoint.", e.Seq), true
	}
	w.committed, w.last = count, e
	delete(w.looked, e.Client)
	return goesOn, false
}

// called returns the number of the event that called the event's operation.
func (w *walk) called(e fencing.Event) int {
	for _, c := range w.Trace.Events {
		if c.Kind == fencing.Called && c.Call == e.Call {
			return c.Seq
		}
	}
	return 0
}

// overtaken reports whether the write's call had been given up when a later one
// was accepted.
func (w *walk) overtaken(e fencing.Event) bool {
	return w.timedOut[e.Client].Call == e.Call && e.Call != 0
}

// rejected judges a request that was refused, and remembers that its client is
// going to be told.
func (w *walk) rejected(e fencing.Event) (check.Finding, bool) {
	if before, told := w.refused[e.Client]; told {
		if e.Op == fencing.OpDelete || e.Op == fencing.OpWrite && w.world.job.Done(e.Value) < w.world.job.Done(before.Value) {
			return w.cleansUp(e), true
		}
		return w.Failed("tries again with the token that was refused", "a holder whose token is refused stops: somebody newer is at work", fmt.Sprintf("%s tried again with token %d", e.Client, e.Token),
			"The fence never goes down again, so that token will be refused for ever. Return the error.", before.Seq, e.Seq), true
	}
	if trial.Fenced(e) {
		w.pending[e.Call] = e
	}
	return goesOn, false
}

func (w *walk) cleansUp(e fencing.Event) check.Finding {
	got := fmt.Sprintf("%s asked the storage to take the progress back", e.Client)
	if e.Kind == fencing.Rejected {
		got += ". Here the fence was in the way; between the next holder’s grant and its claim it would not have been"
	}
	events := []int{w.refused[e.Client].Seq, w.timedOut[e.Client].Seq, e.Seq}
	return w.Failed("cleans up", "a holder that has lost its lease, or got no answer, leaves everything as it is", got,
		"What is committed is committed, and is the next holder’s to go on from. Whoever has lost the lease has nothing left to tidy up.", events...)
}
