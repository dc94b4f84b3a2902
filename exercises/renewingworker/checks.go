package renewingworker

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// doneCheck is the check that others depend on.
const doneCheck = "undisturbed, the job is done"

// session is one worker and the world that one check tries it in.
type session struct {
	worker Worker
	world  world
}

// failed is a finding about a run, with the events that decide it.
func (r *run) failed(mistake, what, expected, got, think string, events ...int) check.Finding {
	job := r.world.job
	slices.Sort(events)
	f := check.Fail(mistake, fmt.Sprintf("a job of %d parts of %s, with leases of %s: %s", job.Parts, fencing.Seconds(job.Part), fencing.Seconds(job.Length), what), expected, got, think)
	f.Events = check.Lines(r.trace, events...)
	f.Replay, f.Trace = check.Choices(r.faults), r.trace
	return f
}

// judge returns the finding of the first rule that does not hold, or nothing. A
// run that has an error comes first, and a worker that says it is done comes last.
func (r *run) judge(what string, rules ...func(what string) (check.Finding, bool)) (check.Finding, bool) {
	if f, bad := check.RunFailed(r.trace); bad {
		if f.Tried == "" {
			f.Tried = "your worker was run"
		}
		return f, true
	}
	for _, rule := range append(rules, r.honest) {
		if f, bad := rule(what); bad {
			return f, true
		}
	}
	return check.Finding{}, false
}

// honest looks for a worker that returned nil with parts left.
func (r *run) honest(what string) (check.Finding, bool) {
	if r.err != nil || !r.back || r.done() {
		return check.Finding{}, false
	}
	return r.failed("says that it is done", what, "nil only if every part is stored", fmt.Sprintf("nil, and %d of %d parts are stored", len(r.stored()), r.world.job.Parts),
		"Whoever gave out the job would not give it out again. Return the error that made you stop."), true
}

// undisturbed runs the worker without a fault, to see where its work and its
// renewals are. Nothing can be said of one that does not do its job then.
func (s *session) undisturbed() (r *run, f check.Finding, ok bool) {
	r = s.world.run(s.worker, true)
	if f, bad := check.RunFailed(r.trace); bad {
		return r, f, false
	}
	if !r.done() || r.err != nil {
		return r, check.Depends(doneCheck, "the job is not done", "your worker, undisturbed", "the job is done", "it is not", "First let it do its job when nothing goes wrong."), false
	}
	return r, check.Finding{}, true
}

func jobDone(s *session) check.Finding {
	r := s.world.run(s.worker, true)
	f, bad := r.judge("nothing goes wrong", func(what string) (check.Finding, bool) {
		job := s.world.job
		const expected = "every part is done and stored, in order, and nil is returned"
		worked := time.Duration(0)
		for _, e := range r.works() {
			worked += e.Until - e.At
		}
		switch end := r.expired(); {
		case r.done() && worked < time.Duration(job.Parts)*job.Part:
			return r.failed("the work is left out", what, expected, fmt.Sprintf("%s of work for %d parts", fencing.Seconds(worked), job.Parts),
				"Every part is job.Part of work, and then its write."), true
		case r.done() && r.err != nil:
			return r.failed("done, and an error all the same", what, expected, fmt.Sprintf("the job is done, and the error is: %v", r.err),
				"Return nil when all parts are done."), true
		case r.err == nil:
			return check.Finding{}, false // honest looks at it
		case end > 0 && len(r.renewals()) == 0:
			return r.failed("never renews", what, expected, fmt.Sprintf("the lease ended in the middle of the job, with %d parts stored", len(r.stored())),
				"The job takes longer than a lease. Renew on the way.", end), true
		case end > 0 && r.renewals()[len(r.renewals())-1].Seq > end:
			return r.failed("renews too late", what, expected, fmt.Sprintf("the lease ended in the middle of the job, and the renewal came after that, with %d parts stored", len(r.stored())),
				"At its end a lease is over, and an ended one cannot be renewed. Renew well before that.", end, r.renewals()[len(r.renewals())-1].Seq), true
		}
		return r.failed("stops without a reason", what, expected, fmt.Sprintf("%d of %d parts are stored, and the error is: %v", len(r.stored()), job.Parts, r.err),
			"Which of your comparisons stopped it, or what did it leave undone before that?"), true
	})
	if bad {
		return f
	}
	return check.Pass(fmt.Sprintf("%d parts on leases of %s, and the lease never ended", s.world.job.Parts, fencing.Seconds(s.world.job.Length)))
}

func withinBudget(s *session) check.Finding {
	r, f, ok := s.undisturbed()
	if !ok {
		return f
	}
	n := len(r.renewals())
	if n > s.world.job.Renewals {
		return r.failed("renews more often than it need", "nothing goes wrong", fmt.Sprintf("at most %d renewals", s.world.job.Renewals), fmt.Sprintf("%d renewals", n),
			"Every renewal is a request to a lock service that has others to serve. Renew when a good part of the lease is used up, and not whenever you come by.")
	}
	return check.Pass(fmt.Sprintf("%d renewals were enough, and %d were allowed", n, s.world.job.Renewals))
}

const (
	timeOutMoves = "a time-out moves the deadline"
	timeOutThink = "A renewal without an answer may not have been granted, so nothing has prolonged the lease as far as you know. What does your code do with its deadline when Renew returns an error?"
)

func noAnswer(s *session) check.Finding {
	if _, f, ok := s.undisturbed(); !ok {
		return f
	}
	for nth := 1; nth <= 2; nth++ {
		for _, lost := range []fencing.Point{fencing.RenewRequest, fencing.RenewReply} {
			r := s.world.run(s.worker, true, fencing.Drop(client1, lost).Time(nth))
			if f, bad := r.judge(fmt.Sprintf("the %s no. %d is lost", lost, nth), r.writesInTime(timeOutMoves, timeOutThink), r.goesOn); bad {
				return f
			}
		}
	}
	return check.Pass("one lost message cost a second, and not the job")
}

// goesOn asks that the job is done although a renewal has timed out.
func (r *run) goesOn(what string) (check.Finding, bool) {
	if r.done() && r.err == nil {
		return check.Finding{}, false
	}
	const expected = "the lease still runs, so the worker goes on, renews again and does its job"
	got := fmt.Sprintf("it stopped with %d of %d parts stored: %v", len(r.stored()), r.world.job.Parts, r.err)
	timedOut := r.events(func(e fencing.Event) bool {
		return e.Kind == fencing.Returned && e.Op == fencing.OpRenew && e.Outcome == fencing.Unknown
	})
	if len(timedOut) == 0 {
		return r.failed("stops without a reason", what, expected, got, "Which of your comparisons stopped it?"), true
	}
	last := timedOut[len(timedOut)-1]
	later := r.events(func(e fencing.Event) bool {
		return e.Seq > last.Seq && (e.Kind == fencing.Called || e.Kind == fencing.Working)
	})
	if len(later) == 0 {
		return r.failed("gives up at a time-out", what, expected, got,
			"No answer is not a refusal. Your lease runs for as long as it ran before you asked: until when is that?", last.Seq), true
	}
	return r.failed("renews too late to try again", what, expected, got,
		"When the renewal timed out, too little of the lease was left for another try. Renew earlier, or ask again at once.", last.Seq, r.expired()), true
}

// everyPart runs the worker with a fault in the middle of each of its parts.
func (s *session) everyPart(what string, two bool, fault func(at time.Duration) fencing.Fault, rule func(*run) func(string) (check.Finding, bool)) (check.Finding, *run) {
	calm, f, ok := s.undisturbed()
	if !ok {
		return f, nil
	}
	var r *run
	for _, work := range calm.works() {
		r = s.world.run(s.worker, two, fault(work.At+s.world.job.Part/10))
		if f, bad := r.judge(what, rule(r)); bad {
			return f, nil
		}
	}
	return check.Finding{}, r
}

func paused(s *session) check.Finding {
	f, r := s.everyPart("client 1 stands still in the middle of a part, until its lease is over", true,
		func(at time.Duration) fencing.Fault {
			return fencing.PauseAt(client1, at, s.world.job.Length+3*time.Second)
		},
		func(r *run) func(string) (check.Finding, bool) {
			return r.writesInTime("no look before the write",
				"The work before a write may take longer than you think, because the world can stop it. Look at your deadline between the work and its write.")
		})
	if r == nil {
		return f
	}
	return check.Pass("whichever part the pause fell into, the worker looked before it wrote, and stopped")
}

func cutOff(s *session) check.Finding {
	f, r := s.everyPart("from the middle of a part on, nothing gets from client 1 to the lock service; the storage it reaches", true,
		func(at time.Duration) fencing.Fault {
			return fencing.Cut(client1, fencing.ActorLockService, at, time.Hour)
		},
		func(r *run) func(string) (check.Finding, bool) {
			return r.writesInTime(timeOutMoves, timeOutThink)
		})
	if r == nil {
		return f
	}
	return check.Pass("nobody renewed the lease, and no write was begun after it")
}

func slowReply(s *session) check.Finding {
	calm, f, ok := s.undisturbed()
	if !ok {
		return f
	}
	half := s.world.job.Length / 2
	asked := calm.events(func(e fencing.Event) bool { return e.Kind == fencing.Called && e.Op == fencing.OpAcquire })
	shown := &run{}
	for nth, request := range slices.Concat(asked[:1], calm.renewals()) {
		if nth > 3 {
			break
		}
		pause, what := fencing.Pause(client1, fencing.OnAcquireReply, half), "the grant"
		if nth > 0 {
			pause, what = fencing.Pause(client1, fencing.OnRenewReply, half).Time(nth), fmt.Sprintf("renewal no. %d", nth)
		}
		r := s.world.run(s.worker, true, pause, fencing.Cut(client1, fencing.ActorLockService, request.At+time.Millisecond, time.Hour))
		what = fmt.Sprintf("the reply to %s lies unread for %s, because client 1 stands still; no later renewal gets through", what, fencing.Seconds(half))
		if f, bad := r.judge(what, r.writesInTime("the deadline counted from the reply",
			"The lock service counted from when your request arrived, and you from when you read its reply. All the time in between is not yours. (c.Holds and Lease.Until count from the reply here.)")); bad {
			return f
		}
		shown = r
	}
	f = check.Pass("however old the reply was when it was read, the lease was counted from the request")
	f.Trace, f.Run = shown.trace, "The timeline of your own code, when a reply is read late:"
	return f
}

// writesInTime looks for a write that was begun after the true deadline: a lease's
// length after the last request that was granted had been sent. What is late by no
// more than a message's way to and fro may be the mistake of slowReply, which lets
// it grow, and is left to that check.
func (r *run) writesInTime(mistake, think string) func(string) (check.Finding, bool) {
	return func(what string) (check.Finding, bool) {
		var request, asked fencing.Event // the last that was granted, and the last at all
		for _, e := range r.events(func(fencing.Event) bool { return true }) {
			about := e.Op == fencing.OpRenew || e.Op == fencing.OpAcquire
			deadline := request.At + r.world.job.Length
			switch {
			case about && e.Kind == fencing.Called:
				asked = e
			case about && e.Kind == fencing.Returned && e.Outcome == fencing.OK:
				request = asked
			case e.Kind == fencing.Called && e.Op == fencing.OpWrite && e.At > deadline+2*latency:
				return r.failed(mistake, what, fmt.Sprintf("no write is begun from %s on: the last request that was granted was sent at %s, and a lease is %s", fencing.Seconds(deadline), fencing.Seconds(request.At), fencing.Seconds(r.world.job.Length)),
					fmt.Sprintf("a write was begun at %s", fencing.Seconds(e.At)), think, request.Seq, e.Seq), true
			}
		}
		return check.Finding{}, false
	}
}

func refused(s *session) check.Finding {
	f, r := s.everyPart("another lock service takes over in the middle of a part, and knows nothing of the lease", false,
		func(at time.Duration) fencing.Fault { return fencing.FailOver(at) },
		func(r *run) func(string) (check.Finding, bool) {
			return r.endsAt(fencing.OpRenew, "goes on after a refused renewal",
				"Refused is an answer: somebody else may hold the lock by now, however much of your own deadline is left. Return.")
		})
	if r == nil {
		return f
	}
	return check.Pass("told that the lease was lost, it started nothing more")
}

func fenced(s *session) check.Finding {
	f, r := s.everyPart("another lock service takes over in the middle of a part and grants the lock to client 2, which claims the key", true,
		func(at time.Duration) fencing.Fault { return fencing.FailOver(at) },
		func(r *run) func(string) (check.Finding, bool) {
			return r.endsAt(fencing.OpWrite, "goes on after fencing.ErrFenced",
				"The storage knows of a newer holder. What you still have to write would be rejected too, and a renewal would not help. Return the error.")
		})
	if r == nil {
		return f
	}
	return check.Pass("told that a newer holder is at work, it started nothing more")
}

// endsAt looks for what client 1 asked for after it was told no.
func (r *run) endsAt(op fencing.Op, mistake, think string) func(string) (check.Finding, bool) {
	return func(what string) (check.Finding, bool) {
		told := r.events(func(e fencing.Event) bool {
			return e.Kind == fencing.Returned && e.Op == op && e.Outcome == fencing.Fail
		})
		if len(told) == 0 {
			return check.Finding{}, false
		}
		after := r.events(func(e fencing.Event) bool {
			return e.Seq > told[0].Seq && e.Kind == fencing.Called && e.Op != fencing.OpRelease
		})
		if len(after) == 0 {
			return check.Finding{}, false
		}
		if after[0].Op == fencing.OpAcquire || after[0].Op == fencing.OpTryAcquire {
			mistake, think = "acquires anew in the middle", "A new grant is a new job: what you have done so far you did under the old one, and others may have changed what it rests on. Return, and let the job begin again from what is stored."
		}
		return r.failed(mistake, what, "nothing more is asked for", fmt.Sprintf("%s at %s, and %d more", after[0].Op, fencing.Seconds(after[0].At), len(after)-1), think, told[0].Seq, after[0].Seq), true
	}
}
