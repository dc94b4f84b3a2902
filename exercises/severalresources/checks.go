package severalresources

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

// later is when client 2 begins, if client 1 has got its locks before.
const later = 5 * time.Second

const healthyCheck = "nothing goes wrong, and the money moves"

// attempt is a learner's answer, before it is run in a world.
type attempt struct {
	answer Answer
	seed   uint64
}

// nothingGoesWrong lets one transfer follow another. The lock of the first account
// is granted more often than that of the second.
func nothingGoesWrong(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.jobs["client 1"] = nil
	for range 3 {
		w.add("client 1", 0, 0, 2)
	}
	w.add("client 2", 50*time.Second, 0, 1)
	w.add("client 3", 70*time.Second, 1, 2)
	if f, failed := w.run(a.answer).judgeQuiet(); failed {
		return f
	}
	return check.Pass("each transfer found what the one before it had left, and no key was sent the tokens of two locks")
}

func opposite(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.add("client 2", 1*time.Second, 1, 0)
	r := w.run(a.answer)
	waits := r.Trace.Waits()
	for _, g := range r.Trace.Grants() {
		if g.Ended == fencing.Expired && len(waits) > 1 {
			return r.Failed("locks in the order of the job", "both transfers come to their end within their leases", fmt.Sprintf("each client holds one lock and waits for the other’s, until the lease of %s ends at %s", g.Client, fencing.Seconds(g.Until)),
				"This is a deadlock, and only the end of a lease breaks it: then two clients believe. Lock the accounts in one order that does not depend on the direction, for example by their names.", waits[0].Event, waits[1].Event, g.End)
		}
	}
	if f, failed := r.judgeQuiet(); failed {
		return f
	}
	return check.Pass("whoever came second waited for the first, and nobody’s lease ran out")
}

func lateWrites(a *attempt) check.Finding {
	tried := 0
	for _, direction := range [][2]int{{0, 1}, {1, 0}} {
		w := newWorld(a.seed)
		w.add("client 2", later, direction[0], direction[1])
		run := w.with(a.answer)
		for _, fault := range append(trial.Pauses(run, "client 1", "client 2", 1), trial.Pauses(run, "client 1", "client 2", 2)...) {
			tried++
			r := w.run(a.answer, fault)
			if f, failed := r.judge(); failed {
				return f
			}
			if f, failed := r.judgeReturned(); failed {
				return f
			}
		}
	}
	if tried == 0 {
		return nothingToDisturb()
	}
	return check.Pass(fmt.Sprintf("wherever client 1’s writes arrived, they were seen by client 2 or refused (%d moments tried)", tried))
}

func nothingToDisturb() check.Finding {
	return check.Depends(healthyCheck, "nothing to disturb", "your transfer, to see when it looks and writes", "both clients come to the storage", "one of them does not, or never lets the other one in", "First let two transfers follow each other.")
}

// before says at which point a client comes to an operation of the storage.
var before = map[fencing.Op]fencing.Point{fencing.OpRead: fencing.BeforeRead, fencing.OpClaim: fencing.BeforeClaim, fencing.OpWrite: fencing.BeforeWrite}

// claimsFirst stops client 1 before it first calls the storage, until client 2 has
// come and gone. Client 2 shares one account with it: once the first, once the
// second.
func claimsFirst(a *attempt) check.Finding {
	for shared := range 2 {
		w := newWorld(a.seed)
		w.add("client 2", later, shared, 2)
		at := slices.IndexFunc(w.run(a.answer).Trace.Events, func(e fencing.Event) bool {
			return e.Kind == fencing.Called && e.Actor == "client 1" && before[e.Op] != 0
		})
		if at < 0 {
			return nothingToDisturb()
		}
		first := w.run(a.answer).Trace.Events[at]
		fault := w.untilGone(a.answer, fencing.Pause("client 1", before[first.Op], time.Hour))
		r := w.run(a.answer, fault)
		if f, failed := r.judgeClaims(); failed {
			return f
		}
		if f, failed := r.judge(); failed {
			return f
		}
	}
	return check.Pass("a transfer that had lost one of its locks wrote nothing at all")
}

// untilGone shortens a pause of client 1, so that it ends when client 2 has
// finished.
func (w *world) untilGone(answer Answer, pause fencing.Fault) fencing.Fault {
	var from, gone time.Duration
	for _, e := range w.run(answer, pause).Trace.Events {
		switch {
		case e.Kind == fencing.Paused && e.Actor == "client 1":
			from = e.At
		case e.Kind == fencing.Finished && e.Actor == "client 2":
			gone = e.At
		}
	}
	if gone > from {
		pause.For = gone + time.Second - from
	}
	return pause
}

// judgeClaims looks for something that client 1 wrote although it had lost one of
// its locks before it began.
func (r *ran) judgeClaims() (check.Finding, bool) {
	writes := r.Events("client 1", fencing.Accepted)
	if len(writes) == 0 {
		return check.Finding{}, false
	}
	const expected = "client 1, which has lost one of its locks, notices before it writes, and writes nothing"
	job := r.world.jobs["client 1"][0]
	got := fmt.Sprintf("it changed %q, and then its other account was refused: half a transfer", writes[0].Key)
	events := []int{writes[0].Seq}
	for _, e := range r.Events("client 1", fencing.Claimed, fencing.Rejected) {
		events = append(events, e.Seq)
	}
	claims := r.Events("client 1", fencing.Claimed)
	both := map[string]bool{}
	for _, e := range r.Events("client 1", fencing.Claimed, fencing.Rejected) {
		if e.Op == fencing.OpClaim {
			both[e.Key] = true
			if e.Kind == fencing.Rejected && e.Seq < writes[0].Seq {
				return r.Failed("goes on after a refused claim", expected, got, "A refused claim says that a newer holder is at work on that account. Look at the error of every claim before you write anything.", events...), true
			}
		}
	}
	switch {
	case len(both) == 0:
		return r.Failed("writes without a claim", expected, got, "Nobody had told the storage, or been told by it. Claim both accounts first: a claim that is refused costs nothing, a write that is accepted cannot be taken back.", events...), true
	case !both[job.From] || !both[job.To]:
		return r.Failed("claims one of the accounts", expected, got, "A claim of one key says nothing about the other. Each has its own lock and its own fence: claim both.", events...), true
	case len(claims) > 0 && writes[0].Seq < r.lastClaim():
		return r.Failed("claims the second after the first write", expected, got, "By then it was too late: the first account had been changed already. Do everything that may be refused before the first thing that cannot be taken back.", events...), true
	}
	return r.Failed("a transfer of somebody who had lost his lock", expected, got, "Go through the timeline from the moment at which client 1 goes on: what does it ask for, and what is it told?", events...), true
}

// lastClaim returns the number of client 1's last claim, accepted or refused.
func (r *ran) lastClaim() int {
	last := 0
	for _, e := range r.Events("client 1", fencing.Claimed, fencing.Rejected) {
		if e.Op == fencing.OpClaim {
			last = e.Seq
		}
	}
	return last
}

// halfDone lets client 1 die after its first write, and in another run stop there
// until client 2 has come and gone.
func halfDone(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.add("client 2", later, 1, 0)
	if len(w.run(a.answer).Events("client 1", fencing.Accepted)) == 0 {
		return nothingToDisturb()
	}
	crashed := w.run(a.answer, fencing.Crash("client 1", fencing.AfterWrite))
	late := w.run(a.answer, w.untilGone(a.answer, fencing.Pause("client 1", fencing.AfterWrite, time.Hour)))
	half := crashed
	if !half.leftHalf() && late.leftHalf() {
		half = late
	}
	const expected = "what you said beforehand, \"yes\" or \"no\", is what your own code does"
	events := append([]int{half.firstWrite()}, half.ends()...)
	switch said := a.answer.HalfDone; {
	case said != "yes" && said != "no":
		return half.Failed("no prediction", expected, fmt.Sprintf("HalfDone is %q", said), "Say it before you run it: if the client dies between any two lines of yours, may one account be changed and the other not?")
	case said == "no" && half.leftHalf():
		return half.Failed("fencing taken for a transaction", expected, "you said \"no\", and "+half.sum(),
			"Between two writes a client may die, and no fence undoes the first. Either say so, or make it one write: all balances in one record (severalresources.Record and job.MoveIn).", events...)
	case said == "yes" && !half.leftHalf():
		return half.Failed("expects a half where there is none", expected, "you said \"yes\", and "+half.sum(),
			"Your transfer is a single write, and a write is carried out or not. You have built more than you think: which two states can a crash leave?", events...)
	case said == "yes":
		f := check.Pass("as you said: " + half.sum() + ". That is not the fence’s to prevent. (It is if all balances are in one record: write that too.)")
		f.Trace, f.Run = half.Trace, "The timeline of your own code, in which client 1 dies between its two writes:"
		return f
	}
	f := check.Pass("as you said: " + half.sum() + ", wherever client 1 dies: one write is carried out or not")
	f.Trace, f.Run = half.Trace, "The timeline of your own code, in which client 1 dies after its write:"
	return f
}

func (r *ran) leftHalf() bool { return r.accepted()["client 1"][0].half() }

func (r *ran) firstWrite() int { return r.Events("client 1", fencing.Accepted)[0].Seq }

// ends returns what ended client 1's work.
func (r *ran) ends() []int {
	for _, e := range r.Trace.Events {
		if e.Actor == "client 1" && (e.Kind == fencing.Crashed || e.Kind == fencing.Paused) {
			return []int{e.Seq}
		}
	}
	return nil
}

func (r *ran) sum() string {
	sum := 0
	for _, account := range r.world.accounts {
		sum += r.holds(account)
	}
	return fmt.Sprintf("the three accounts hold %d together, after %d at the beginning", sum, len(r.world.accounts)*opening)
}
