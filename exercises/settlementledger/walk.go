package settlementledger

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// walk goes through the events of a run, knows at each of them what is committed
// and paid and what everybody has been told, and stops at the first mistake.
type walk struct {
	*ran
	committed map[string]fencing.Event // by account: the write that its value comes from
	paid      map[string]fencing.Event // by job
	key       map[string]string        // by idempotency key: the job that it paid
	called    map[int]*try             // by call of an operation
	answer    map[int]fencing.Event    // by call: what the storage answered, on its way back
}

func (r *ran) walk() (check.Finding, bool) {
	w := &walk{ran: r, committed: map[string]fencing.Event{}, paid: map[string]fencing.Event{}, key: map[string]string{},
		called: map[int]*try{}, answer: map[int]fencing.Event{}}
	var returns []*try
	for _, t := range r.tries {
		if t.returned {
			returns = append(returns, t)
		}
	}
	slices.SortStableFunc(returns, func(a, b *try) int { return cmp.Compare(a.until, b.until) })
	for _, e := range r.Trace.Events {
		for len(returns) > 0 && returns[0].until < e.At {
			if f, wrong := w.returns(returns[0]); wrong {
				return f, true
			}
			returns = returns[1:]
		}
		if f, wrong := w.step(e); wrong {
			return f, true
		}
	}
	for _, t := range returns {
		if f, wrong := w.returns(t); wrong {
			return f, true
		}
	}
	r.unfinished = slices.DeleteFunc(slices.Clone(r.world.jobs), w.finished)
	return goesOn, false
}

func (w *walk) finished(job Job) bool {
	return job.Settled(w.committed[job.Account].Value) && w.paid[job.String()].Seq > 0
}

var goesOn = check.Finding{}

// at returns the call of the learner's function that a client was in.
func (r *ran) at(client string, at time.Duration) *try {
	var last *try
	for _, t := range r.tries {
		if t.client == client && t.from <= at {
			last = t
		}
	}
	return last
}

func (w *walk) step(e fencing.Event) (check.Finding, bool) {
	switch e.Kind {
	case fencing.Called:
		w.called[e.Call] = w.at(e.Actor, e.At)
	case fencing.Granted:
		t := w.at(e.Client, e.At)
		t.granted, t.told = e, fencing.Event{}
	case fencing.Served, fencing.Claimed:
		w.answer[e.Call] = e
	case fencing.Returned:
		w.isTold(e)
	case fencing.Did:
		return w.payout(w.at(e.Actor, e.At), e)
	case fencing.Rejected:
		return w.rejected(w.called[e.Call], e)
	case fencing.Accepted:
		return w.accepted(w.called[e.Call], e)
	case fencing.Deleted:
		return w.cleansUp(w.called[e.Call], e), true
	}
	return goesOn, false
}

// isTold notes what a worker has learned from an operation that returns.
func (w *walk) isTold(e fencing.Event) {
	t := w.called[e.Call]
	answer, answered := w.answer[e.Call]
	looks := e.Op == fencing.OpRead || e.Op == fencing.OpClaim
	switch {
	case e.Outcome == fencing.Unknown && looks:
		t.unanswered = e
	case e.Outcome == fencing.Unknown && e.Op == fencing.OpWrite:
		t.timedOut = e
	case !answered:
	case answer.Kind == fencing.Rejected:
		t.told = answer
	case looks && (t.look.Seq == 0 || t.look.Seq < t.granted.Seq):
		t.look = answer
	}
}

// payout judges a payout that was asked for, and made unless its key was used.
func (w *walk) payout(t *try, e fencing.Event) (check.Finding, bool) {
	const afterwards = "a payout is made for a settlement that is committed"
	job := t.job.String()
	before, paid := w.paid[job]
	other, used := w.key[e.Key]
	got := fmt.Sprintf("%s asked for the payout of %s", t.client, job)
	commit := w.committed[t.job.Account]
	switch settled := t.job.Settled(commit.Value); {
	case t.told.Seq > 0:
		return w.Failed("goes on after it was told", "a worker whose token is refused stops: somebody newer is at work", got+" after the storage had refused its token",
			"Look at the error of every claim and write. On fencing.ErrFenced return it at once: what comes next is the newer holder’s business.", t.told.Seq, e.Seq), true
	case paid && before.Key != e.Key:
		return w.Failed("another key for each try", "every payout has one key, whoever asks for it", fmt.Sprintf("%s was paid under the key %q, and asked for again under %q", job, before.Key, e.Key),
			"The provider knows a payout by its key alone. The worker, its token and what else the account holds are not what is paid: the next worker finds others. Which key would both of them write?", before.Seq, e.Seq), true
	case used && other != job:
		return w.Failed("one key for two payouts", "every account and period has a key of its own", fmt.Sprintf("%s under the key %q, with which %s had been paid", got, e.Key, other),
			"The provider takes the second payout for the first one, and does not make it. What does your key leave out: the account or the period?", w.paid[other].Seq, e.Seq), true
	case !settled && t.timedOut.Seq > 0:
		return w.Failed("takes a time-out for written", afterwards, got+", and its write, which got no answer, had not been carried out",
			"A request that was sent is not a request that arrived. Return the error: the next worker claims, and sees.", t.timedOut.Seq, e.Seq), true
	case !settled:
		return w.Failed("pays before it is settled", afterwards, got+", and the account was not settled",
			"The write may still be refused, or you may die before it. Whoever settles then may find another balance, and the money is gone already. Commit first, then pay.", e.Seq), true
	}
	if e.Outcome != fencing.Fail {
		w.paid[job], w.key[e.Key] = e, job
	}
	return goesOn, false
}

// accepted judges a write that was accepted.
func (w *walk) accepted(t *try, e fencing.Event) (check.Finding, bool) {
	if e.Key != t.job.Account {
		return w.Failed("another key", "an account’s settlements are kept under job.Account", fmt.Sprintf("%s wrote to %q for %s", t.client, e.Key, t.job),
			"The next worker claims job.Account, and sees nothing of what stands elsewhere.", e.Seq), true
	}
	before := w.committed[e.Key]
	old, now := settlements(before.Value), settlements(e.Value)
	switch {
	case slices.Equal(old, now): // the same write again
	case !t.job.Settled(e.Value) && (t.told.Seq > 0 || t.timedOut.Seq > 0):
		return w.cleansUp(t, e), true
	case !t.job.Settled(e.Value):
		return w.Failed("writes something else", "the write is what job.Compute returned", fmt.Sprintf("%s wrote %q, which has no settlement of %s", t.client, e.Value, t.job.Period),
			"job.Compute returns the whole new value of the account. Write that.", e.Seq), true
	case t.job.Settled(before.Value), len(now) != len(old)+1, !slices.Equal(old, now[:len(old)]):
		return w.replaces(t, before, e), true
	}
	t.wrote = true
	w.committed[e.Key] = e
	return goesOn, false
}

// replaces says why a write changed what had been committed.
func (w *walk) replaces(t *try, before, e fencing.Event) check.Finding {
	fail := func(mistake, think string, events ...int) check.Finding {
		return w.Failed(mistake, fmt.Sprintf("%q stays, and what is new is added once", before.Value), fmt.Sprintf("%s wrote %q for %s", t.client, e.Value, t.job), think, append(events, before.Seq, e.Seq)...)
	}
	switch {
	case t.timedOut.Seq > 0:
		return fail("takes a time-out for not written", "No answer came, and the write was carried out all the same, or still will be. What you compute now settles a second time, and no look under this lease shows what is still on its way. Return the error: the claim of the next lease shuts the old request out.", t.timedOut.Seq)
	case t.look.Seq == 0 && t.unanswered.Seq > 0:
		return fail("takes no answer for an empty account", "The claim returned an error, and its value says nothing. Return the error.", t.unanswered.Seq)
	case t.look.Seq == 0:
		return fail("does not look", "Neither the lease nor a clock says what is committed. Only the storage does: claim, and compute from what the claim returns.")
	case t.look.Seq < t.granted.Seq:
		return fail("writes what an older look led to", "This lease is newer than what you have looked at, and in between the account was another’s. A new token makes an old value no newer: begin again from the claim.", t.look.Seq, t.granted.Seq)
	case t.job.Settled(t.look.Value):
		return fail("settles again what is settled", "Your look showed the settlement. Ask job.Settled of what the claim returns, before you compute.", t.look.Seq)
	case t.look.Kind == fencing.Served:
		return fail("reads in place of a claim", "A read tells the storage nothing of the new holder, so an older holder’s write was accepted after it. Claim: raise the fence and look, in one step, before anything else.", t.look.Seq)
	}
	return fail("computes from something else", "job.Compute adds to the value that it is given. Give it what the claim returned.", t.look.Seq)
}

// rejected judges a request that was refused, and remembers that its worker is
// going to be told.
func (w *walk) rejected(t *try, e fencing.Event) (check.Finding, bool) {
	if t.told.Seq > 0 {
		if e.Op == fencing.OpDelete || e.Op == fencing.OpWrite && !t.job.Settled(e.Value) {
			return w.cleansUp(t, e), true
		}
		return w.Failed("tries again with the token that was refused", "a worker whose token is refused stops: somebody newer is at work", fmt.Sprintf("%s tried again with token %d", t.client, e.Token),
			"The fence never goes down again, so that token will be refused for ever. Return the error.", t.told.Seq, e.Seq), true
	}
	if trial.Fenced(e) {
		w.answer[e.Call] = e
	}
	return goesOn, false
}

func (w *walk) cleansUp(t *try, e fencing.Event) check.Finding {
	got := fmt.Sprintf("%s asked the storage to take back what it holds", t.client)
	if e.Kind == fencing.Rejected {
		got += ". Here the fence was in the way; between the next holder’s grant and its claim it would not have been"
	}
	return w.Failed("cleans up", "a worker that was refused, or got no answer, leaves everything as it is", got,
		"What is committed is committed, and the next worker goes on from it. Whoever has lost the lease has nothing left to tidy up.", t.told.Seq, t.timedOut.Seq, e.Seq)
}

// returns judges what a call of the learner's function says when it returns nil.
func (w *walk) returns(t *try) (check.Finding, bool) {
	const expected = "nil is returned when the account and period is settled and paid"
	commit := w.committed[t.job.Account]
	settled := t.job.Settled(commit.Value)
	state := "not settled"
	if settled {
		state = "settled and not paid"
	}
	got := fmt.Sprintf("%s returned nil at %s, and %s was %s", t.client, fencing.Seconds(t.until), t.job, state)
	switch {
	case t.err != nil, w.finished(t.job):
		return goesOn, false
	case t.told.Seq > 0:
		return w.Failed("hides that it was refused", expected, got, "Whoever called you must learn that this worker did not do it. Return the error that you were given.", t.told.Seq), true
	case t.timedOut.Seq > 0 || t.unanswered.Seq > 0:
		return w.Failed("hides that there was no answer", expected, got, "Without an answer you do not know whether it is settled. Return the error: then somebody looks again.", t.timedOut.Seq, t.unanswered.Seq), true
	case settled && t.wrote:
		return w.Failed("does not pay", expected, got, "Settling is half of the job. After the write, make the payout with c.Do.", commit.Seq), true
	case settled:
		return w.Failed("a payout is lost", expected, got,
			"You found the account settled and left. Whoever settled it died before the payout, and nobody comes after you. With the right key you may ask for it again, whether it was made or not.", commit.Seq, t.look.Seq), true
	}
	return w.Failed("is not settled", expected, got, "Which way through your code returns nil without a write?", t.granted.Seq), true
}
