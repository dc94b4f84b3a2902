package claimfirst

import (
	"fmt"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

const healthyCheck = "nothing goes wrong, and both lines are in"

// attempt is a learner's worker, before it is run in a world.
type attempt struct {
	addLine Answer
	seed    uint64
}

func nothingGoesWrong(a *attempt) check.Finding {
	r := newWorld(a.seed).run(a.addLine)
	if f, failed := r.judgeQuiet(); failed {
		return f
	}
	return check.Pass("each worker found the line of the one before it, and added its own")
}

func twoRecords(a *attempt) check.Finding {
	w := newWorld(a.seed)
	clear(w.jobs)
	w.clients = nil
	one, other := w.record(), w.record()+" b"
	for i, record := range []string{one, other, one, other} {
		w.add(fmt.Sprintf("client %d", i+1), time.Duration(i+1)*time.Second, record, 2)
	}
	if f, failed := w.run(a.addLine).judgeQuiet(); failed {
		return f
	}
	return check.Pass("every line went to its own record, under the lock and with the token of that record")
}

// judgeQuiet judges a run without faults: all lines must be in, and all locks
// given back.
func (r *ran) judgeQuiet() (check.Finding, bool) {
	if f, failed := r.judge(); failed {
		return f, true
	}
	for _, g := range r.Trace.Grants() {
		if g.Ended == fencing.Expired {
			return r.Failed("the lock is never given back", "the worker releases the lock when it is done", fmt.Sprintf("%s keeps it until the lease ends by itself, at %s, and the next one waits for nothing", g.Client, fencing.Seconds(g.Until)),
				"A lease that runs out is for a holder that died. Give yours back with c.Release when the line is in.", g.Event, g.End), true
		}
	}
	for _, client := range r.world.clients {
		for _, job := range r.world.jobs[client] {
			if f, failed := r.judgeJob(client, job); failed {
				return f, true
			}
		}
	}
	return check.Finding{}, false
}

// judgeJob judges one job of a run without faults.
func (r *ran) judgeJob(client string, job Job) (check.Finding, bool) {
	expected := fmt.Sprintf("%q holds the line %q, once", job.Record, job.Line)
	writes := r.Events(client, fencing.Accepted)
	switch text := r.text(job.Record); {
	case len(writes) == 0:
		return r.Failed("nothing is written", expected, client+" wrote nothing", "The worker has to write what job.Add returns, under job.Record.", r.Granted(client)), true
	case writes[0].Key != job.Record:
		return r.Failed("another record", expected, fmt.Sprintf("%s wrote to %q", client, writes[0].Key), "The record is not always the same one: it comes with the job, and so does the name of its lock.", writes[0].Seq), true
	case strings.Count(text, job.Line+"\n") != 1:
		return r.Failed("the line is missing", expected, fmt.Sprintf("it holds %q", text), "What job.Add returns is what must be written: the text that was there, with the job’s line below it.", writes[0].Seq), true
	case !r.done[job.Line]:
		return r.Failed("gives up although nothing is wrong", "it returns nil: the line is in", fmt.Sprintf("it returned %v", r.returned[client]), "An error says that the line may not be in. Which of your calls returned it, and why do you pass it on?", writes[0].Seq), true
	}
	return check.Finding{}, false
}

func pausedWrite(a *attempt) check.Finding {
	w := newWorld(a.seed)
	faults := trial.Pauses(w.with(a.addLine), "client 1", "client 2", 1)
	f := a.attack(w, faults, "wherever the paused holder’s write arrived, it was seen by client 2 or refused")
	if f.State == check.Passed {
		// The last moment is after client 2's write, the one before it is in the hole.
		f.Trace = w.run(a.addLine, faults[len(faults)-2]).Trace
		f.Run = "The timeline of your own worker, with client 1’s write between the claim and the write of client 2:"
	}
	return f
}

func delayedWrite(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.timeout = 2 * time.Second
	return a.attack(w, trial.Delays(w.with(a.addLine), "client 1", "client 2", 1),
		"wherever the delayed write arrived, it was seen by client 2 or refused")
}

// refused stops client 1 between its grant and its look, until client 2 has
// looked.
func refused(a *attempt) check.Finding {
	w := newWorld(a.seed)
	run := w.with(a.addLine)
	const far = time.Hour
	quiet, away := run(), run(fencing.Pause("client 1", fencing.AfterAcquire, far))
	var faults []fencing.Fault
	if sent, ok := firstLook(quiet, "client 1"); ok {
		for _, moment := range trial.Moments(away, "client 2") {
			if d := moment - w.latency - sent; d > 0 {
				faults = append(faults, fencing.Pause("client 1", fencing.AfterAcquire, d))
			}
		}
	}
	return a.attack(w, faults, "a claim that came too late was refused, and the worker stopped there")
}

// firstLook returns when the client called the storage for the first time.
func firstLook(trace *fencing.Trace, client string) (time.Duration, bool) {
	for _, e := range trace.Events {
		if e.Kind == fencing.Called && e.Actor == client && (e.Op == fencing.OpRead || e.Op == fencing.OpClaim || e.Op == fencing.OpWrite) {
			return e.At, true
		}
	}
	return 0, false
}

func (w *world) with(addLine Answer) trial.Run {
	return func(faults ...fencing.Fault) *fencing.Trace { return w.run(addLine, faults...).Trace }
}

// attack runs the world once with every fault.
func (a *attempt) attack(w *world, faults []fencing.Fault, shown string) check.Finding {
	if len(faults) == 0 {
		return check.Depends(healthyCheck, "nothing to disturb", "your worker, to see when it looks and writes", "both clients come to the storage", "one of them does not, or never lets the other one in", "First let two workers add their lines one after the other.")
	}
	for _, fault := range faults {
		r := w.run(a.addLine, fault)
		if f, failed := r.judge(); failed {
			return f
		}
		if f, failed := r.judgeReturned(); failed {
			return f
		}
	}
	return check.Pass(fmt.Sprintf("%s (%d moments tried)", shown, len(faults)))
}

// judge judges what must hold in every run.
func (r *ran) judge() (check.Finding, bool) {
	if f, failed := r.judgeRefused(); failed {
		return f, true
	}
	if f, bad := r.Bad(); bad {
		return f, true
	}
	if f, failed := r.judgeTokens(); failed {
		return f, true
	}
	if f, failed := r.judgeLost(); failed {
		return f, true
	}
	return r.judgeUndisturbed()
}

// judgeReturned compares what a worker returned with what the record holds.
func (r *ran) judgeReturned() (check.Finding, bool) {
	for client, jobs := range r.inOrder() {
		for _, job := range jobs {
			if r.done[job.Line] && !hasLine(r.text(job.Record), job.Line) {
				return r.Failed("says that the line is in, and it is not", "nil only if the line is in; an error otherwise", fmt.Sprintf("%s returned nil, and %q does not hold its line", client, job.Record),
					"Every call at the storage may be refused. Which error did you not look at?", r.lastOf(client)), true
			}
		}
	}
	return check.Finding{}, false
}

// inOrder goes through the clients' jobs in the order of the clients.
func (r *ran) inOrder() func(func(string, []Job) bool) {
	return func(yield func(string, []Job) bool) {
		for _, client := range r.world.clients {
			if !yield(client, r.world.jobs[client]) {
				return
			}
		}
	}
}

func (r *ran) lastOf(client string) int {
	events := r.Events(client, fencing.Accepted, fencing.Rejected, fencing.Claimed, fencing.Served)
	if len(events) == 0 {
		return 0
	}
	return events[len(events)-1].Seq
}

// judgeRefused looks at what a client does after the storage has refused its
// token.
func (r *ran) judgeRefused() (check.Finding, bool) {
	const expected = "a worker whose token is refused stops, with the error: a newer holder is at work"
	for _, client := range r.world.clients {
		var refusal fencing.Event
		for _, e := range r.Events(client, fencing.Accepted, fencing.Rejected, fencing.Claimed) {
			switch {
			case refusal.Seq > 0 && e.Token == refusal.Token && e.Op == refusal.Op:
				return r.Failed("tries again with the token that was refused", expected, fmt.Sprintf("%s tried again with token %d", client, e.Token),
					"The fence never goes down again, so that token will be refused for ever. Return the error.", refusal.Seq, e.Seq), true
			case refusal.Seq > 0 && e.Token == refusal.Token && refusal.Op == fencing.OpClaim:
				return r.Failed("goes on after a refused claim", expected, fmt.Sprintf("%s’s claim with token %d was refused, and it went on to write", client, e.Token),
					"A refused claim returned no text that you could add to. Look at its error before you do anything else.", refusal.Seq, e.Seq), true
			case e.Token == r.ownToken(e) && trial.Fenced(e):
				refusal = e
			}
		}
	}
	return check.Finding{}, false
}

// ownToken returns the token of the last grant of the key's lock that the client
// had when it made the call, 0 if it had none.
func (r *ran) ownToken(e fencing.Event) uint64 {
	token := uint64(0)
	for _, g := range r.Held(e) {
		if g.Lock == e.Key {
			token = g.Token
		}
	}
	return token
}

// judgeTokens looks at the token of everything that changes the storage.
func (r *ran) judgeTokens() (check.Finding, bool) {
	const expected = "every claim and every write carries the token of the lease that the worker has just got for that record"
	for _, client := range r.world.clients {
		for _, e := range r.Events(client, fencing.Claimed, fencing.Accepted, fencing.Rejected) {
			own := r.ownToken(e)
			got := fmt.Sprintf("%s sent token %d with its %s of %q, and its lease has token %d", client, e.Token, e.Op, e.Key, own)
			switch {
			case own == e.Token && own != 0:
			case own == 0 && e.Key != r.world.jobs[client][0].Record:
				return r.Failed("another record", expected, fmt.Sprintf("%s’s %s went to %q, and its job is for %q", client, e.Op, e.Key, r.world.jobs[client][0].Record),
					"The record is not always the same one: it comes with the job, and so does the name of its lock.", e.Seq), true
			case own == 0:
				return r.Failed("no lock", expected, fmt.Sprintf("%s did its %s of %q without holding the lock %q", client, e.Op, e.Key, e.Key),
					"First c.Acquire(job.Record): the lease that it returns has the token.", e.Seq), true
			case e.Token == 0:
				return r.Failed("no token", expected, got, "Pass lease.Token: a write or a claim without a token tells the storage nothing.", r.Granted(client), e.Seq), true
			case r.granteeOf(e) == client:
				return r.Failed("the token of an earlier grant", expected, got, "Every grant has a token of its own, for the same client too. Take it from the lease that this job’s c.Acquire returned, and keep nothing between jobs.", e.Seq), true
			case r.granteeOf(e) != "":
				return r.Failed("another holder’s token", expected, fmt.Sprintf("%s; token %d was granted to %s", got, e.Token, r.granteeOf(e)),
					"A token is the proof of your own grant. With somebody else’s number the storage cannot tell you from the rightful holder, and the fence is of no use.", r.Granted(client), r.Granted(r.granteeOf(e)), e.Seq), true
			default:
				return r.Failed("a token that nobody was granted", expected, got, "Do not compute with tokens. The claim raises the fence to exactly what you send: send lease.Token as it is.", r.Granted(client), e.Seq), true
			}
		}
	}
	return check.Finding{}, false
}

// granteeOf returns whom the event's token was granted to, "" if nobody.
func (r *ran) granteeOf(e fencing.Event) string {
	for _, g := range r.Trace.Grants() {
		if g.Lock == e.Key && g.Token == e.Token {
			return g.Client
		}
	}
	return ""
}

// judgeLost looks for a line that was accepted and is gone, and for the reason.
func (r *ran) judgeLost() (check.Finding, bool) {
	a, job, lost := r.lost()
	if !lost {
		return check.Finding{}, false
	}
	var over fencing.Attempt
	for _, b := range r.Trace.Attempts() {
		if b.Key == a.Key && b.Accepted && b.Event > a.Event && !hasLine(b.Value, job.Line) {
			over = b
			break
		}
	}
	expected := fmt.Sprintf("the line %q was accepted at %s, so it is in %q at the end, once", job.Line, fencing.Seconds(a.At), a.Key)
	if over.Event == 0 {
		return r.Failed("a line is there twice", expected, fmt.Sprintf("%q holds %q", a.Key, r.text(a.Key)), "The line was in already when it was added again. What do you do after an error?", a.Event), true
	}
	got := fmt.Sprintf("%s’s write at %s was made without it, and the line is gone", over.Client, fencing.Seconds(over.At))
	read, claim := r.Looks(over)
	switch {
	case claim.Seq == 0 && read.Seq == 0:
		return r.Failed("writes without a look", expected, got, "Whoever writes without having looked writes over what was there. First get the text that the record holds.", a.Event, over.Event), true
	case claim.Seq == 0:
		return r.Failed("reads in place of a claim", expected, got, "This is the hole: at the read the storage learns nothing of the new holder, and goes on taking the old one’s writes. The look itself must raise the fence.", read.Seq, a.Event, over.Event), true
	case read.Seq > 0 && read.Seq < a.Event && a.Event < claim.Seq:
		return r.Failed("claims after the read", expected, got, "Between your read and your claim there is a hole as well, and here it was hit. The claim returns the value: use that one, and read nothing before it.", read.Seq, a.Event, claim.Seq, over.Event), true
	case hasLine(claim.Value, job.Line):
		return r.Failed("does not use what the claim returned", expected, got+", although the claim had returned it", "job.Add must be given the text that c.Claim returned, not another one.", a.Event, claim.Seq, over.Event), true
	}
	return r.Failed("a line is lost", expected, got, "Follow the line from write to write in the timeline: which worker did not have it in its text?", a.Event, claim.Seq, over.Event), true
}

// judgeUndisturbed looks for a write that came between the look and the write of
// the rightful holder. Nothing need be lost by it: a holder that compares
// versions notices, and has to do its work again.
func (r *ran) judgeUndisturbed() (check.Finding, bool) {
	for _, e := range r.Events("client 2", fencing.Rejected) {
		if trial.Fenced(e) {
			continue
		}
		for _, a := range r.Trace.Attempts() {
			if a.Accepted && a.Event < e.Seq && a.Late {
				return r.Failed("compares versions in place of a claim", "once the rightful holder has looked, nobody’s late write gets in before its own", fmt.Sprintf("client 1’s late write got in at %s, and client 2, whose lease ran, was sent back to do its work again", fencing.Seconds(a.At)),
					"That loses no line, and it is the other cure of the lesson. But it lets whoever comes first win, and the holder does its work twice. Let the look raise the fence, and it is the late one that is refused.", a.Event, e.Seq), true
			}
		}
	}
	return check.Finding{}, false
}
