package timedoutwrite

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// session is one reaction and the world that one check tries it in.
type session struct {
	reaction Reaction
	world    world
}

// failed is a finding about a run, with the events that decide it.
func (r *run) failed(mistake, expected, got, think string, events ...int) check.Finding {
	slices.Sort(events)
	f := check.Fail(mistake, "", expected, got, think)
	f.Events = check.Lines(r.trace, events...)
	return f
}

// explain adds what is the same for every finding about a run.
func (r *run) explain(f check.Finding, what string) check.Finding {
	if f.State == check.Passed || f.Tried != "" { // explained already, by a run of its own
		return f
	}
	f.Tried = fmt.Sprintf("your reaction, with a lease of %s, a time-out of %s and the first token %d: %s",
		fencing.Seconds(r.world.lease), fencing.Seconds(r.world.timeout), r.world.token, what)
	f.Replay = check.Choices(r.faults)
	f.Trace = r.trace
	return f
}

// judge returns the finding of the first rule that does not hold, or nothing. A
// run that has an error comes first, and then what no world excuses.
func (r *run) judge(what string, rules ...func() (check.Finding, bool)) (check.Finding, bool) {
	if f, bad := check.RunFailed(r.trace); bad {
		if f.Tried == "" {
			f.Tried = "your reaction was run"
		}
		return f, true
	}
	f, broken := check.FirstBroken(append([]func() (check.Finding, bool){r.ownTokenOnly}, rules...)...)
	if broken {
		f = r.explain(f, what)
	}
	return f, broken
}

// ownTokenOnly looks for a write that was sent with a token of another grant.
func (r *run) ownTokenOnly() (check.Finding, bool) {
	for _, e := range r.sent() {
		if e.Token != r.world.token {
			return r.failed("a token of another grant", fmt.Sprintf("every write of this grant carries its token, %d", r.world.token),
				fmt.Sprintf("a write with token %d was sent at %s", e.Token, fencing.Seconds(e.At)),
				"A newer token gets past the fence because it says that its writer knows what the newest holder knows. This value was made under the old grant. Stop, and let whoever holds the lock begin from what is stored.", e.Seq), true
		}
	}
	return check.Finding{}, false
}

// truthful compares what every Save returned with what the whole run shows.
func (r *run) truthful() (check.Finding, bool) {
	for _, s := range r.saves {
		accepted := r.accepted(s.value)
		timedOut := r.returned(fencing.Unknown)
		switch {
		case s.outcome == fencing.OK && accepted == 0 && len(r.returned(fencing.Fail)) > 0:
			return r.failed("a rejection taken for success", "fencing.OK only for a value that the storage has taken", fmt.Sprintf("Save returned ok for %q at %s, and the storage had rejected it", s.value, fencing.Seconds(s.at)),
				"Write returned an error. Which errors does your code tell apart?", r.returned(fencing.Fail)...), true
		case s.outcome == fencing.OK && len(timedOut) == 0 && accepted == 0:
			return r.failed("nothing is written", "fencing.OK only for a value that the storage has taken", fmt.Sprintf("Save returned ok for %q at %s, and never sent it", s.value, fencing.Seconds(s.at)),
				"Save has to write the value that it is given, under the lock’s name."), true
		case s.outcome == fencing.OK && (accepted == 0 || r.trace.Events[accepted-1].At > s.at):
			return r.failed("timed out taken for written", "fencing.OK only for a value that the storage has taken", fmt.Sprintf("Save returned ok for %q at %s, and the storage had not taken it", s.value, fencing.Seconds(s.at)),
				"A request that was sent is not a request that arrived. Only a reply says that it did.", timedOut...), true
		case s.outcome == fencing.Fail && accepted > 0 && len(r.returned(fencing.Fail)) > 0:
			return r.failed("a rejection taken for an answer to the first", "fencing.Fail only for a value that the storage never takes",
				fmt.Sprintf("Save returned fail for %q, and the storage took it at %s", s.value, fencing.Seconds(r.trace.Events[accepted-1].At)),
				"The rejection answered your last request. The one before it had timed out, and may have been carried out before anybody rejected anything. What do you know of it?", append(timedOut, accepted)...), true
		case s.outcome == fencing.Fail && accepted > 0:
			return r.failed("timed out taken for not written", "fencing.Fail only for a value that the storage never takes",
				fmt.Sprintf("Save returned fail for %q, and the storage took it at %s", s.value, fencing.Seconds(r.trace.Events[accepted-1].At)),
				"No reply is not a no. The request may have been carried out, or may still be under way.", append(timedOut, accepted)...), true
		case s.outcome != fencing.OK && s.outcome != fencing.Fail && s.outcome != fencing.Unknown:
			return r.failed("no outcome", "fencing.OK, fencing.Fail or fencing.Unknown", fmt.Sprintf("Save returned %q for %q", s.outcome, s.value),
				"Save has to say what it knows in every case. Which way through your code returns fencing.None?"), true
		}
	}
	return check.Finding{}, false
}

// allSaved asks for OK for every value, in worlds in which the lease runs for
// long enough to find out.
func (r *run) allSaved() (check.Finding, bool) {
	if last := r.saves[len(r.saves)-1]; last.outcome != fencing.OK {
		return r.failed("gives up while its lease runs", "the value is saved, and Save returns ok: the lease runs, and the storage answers",
			fmt.Sprintf("Save returned %s for %q at %s", last.outcome, last.value, fencing.Seconds(last.at)),
			"It is true that one time-out leaves you in the dark. But you hold the lock: what may its holder do to get an answer?", r.returned(fencing.Unknown)...), true
	}
	return check.Finding{}, false
}

// holdsTheLast asks that the key holds the last value to the end.
func (r *run) holdsTheLast() (check.Finding, bool) {
	last := r.world.values[len(r.world.values)-1]
	held := r.holds()
	if held.Value == last {
		return check.Finding{}, false
	}
	return r.failed("a late write undoes the next", fmt.Sprintf("at the end the key holds %q", last),
		fmt.Sprintf("it holds %q, which arrived at %s", held.Value, fencing.Seconds(held.From)),
		"Your first request of that value timed out, and was still under way. It carries the same token as everything of this grant, so the fence lets it pass. What else could the storage compare: which write of the grant it is, or which version it was made for?",
		r.accepted(last), held.Event), true
}

func undisturbed(s *session) check.Finding {
	r := s.world.run(s.reaction, false)
	f, bad := r.judge("nothing goes wrong", r.truthful, func() (check.Finding, bool) {
		if last := r.saves[len(r.saves)-1]; last.outcome != fencing.OK {
			return r.failed("a yes not taken for one", "Save returns ok: the storage has answered", fmt.Sprintf("Save returned %s for %q", last.outcome, last.value),
				"Write returns nil when the storage has taken the value. That is the one case in which you know.", r.accepted(last.value)), true
		}
		if n := len(r.sent()); n > len(s.world.values) {
			return r.failed("written more often than once", "one write for each value", fmt.Sprintf("%d writes for %d values", n, len(s.world.values)),
				"Send again what was not answered, and nothing else."), true
		}
		return check.Finding{}, false
	})
	if bad {
		return f
	}
	return check.Pass("three values, three writes, three answers")
}

// everyWrite runs the worlds in which the fault strikes the first, second, ...
// write of client 1.
func (s *session) everyWrite(what string, upTo int, fault func(nth int) fencing.Fault, rules func(*run) []func() (check.Finding, bool)) (check.Finding, *run) {
	var r *run
	for nth := 1; nth <= upTo; nth++ {
		r = s.world.run(s.reaction, false, fault(nth))
		if f, bad := r.judge(fmt.Sprintf(what, nth), rules(r)...); bad {
			return f, nil
		}
	}
	return check.Finding{}, r
}

func lostReply(s *session) check.Finding {
	f, r := s.everyWrite("the reply to write %d is lost", len(s.world.values),
		func(nth int) fencing.Fault { return fencing.Drop(client1, fencing.WriteReply).Time(nth) },
		func(r *run) []func() (check.Finding, bool) {
			return []func() (check.Finding, bool){r.truthful, r.allSaved, r.holdsTheLast}
		})
	if r == nil {
		return f
	}
	return check.Pass("the value had been written, and you found out")
}

func lostRequest(s *session) check.Finding {
	f, r := s.everyWrite("the request of write %d is lost", len(s.world.values),
		func(nth int) fencing.Fault { return fencing.Drop(client1, fencing.WriteRequest).Time(nth) },
		func(r *run) []func() (check.Finding, bool) {
			return []func() (check.Finding, bool){r.truthful, func() (check.Finding, bool) { return s.readForAnAnswer(r) }, r.allSaved, r.holdsTheLast}
		})
	if r == nil {
		return f
	}
	return check.Pass("the value had not been written, and you wrote it")
}

// readForAnAnswer finds those who read, do not find the value and call that a
// no. Here it is true by chance, so the world in which it is not is the proof.
func (s *session) readForAnAnswer(r *run) (check.Finding, bool) {
	if r.saves[len(r.saves)-1].outcome != fencing.Fail {
		return check.Finding{}, false
	}
	late := s.late(1, 2*s.world.lease)
	saved := late.saves[len(late.saves)-1]
	accepted := late.accepted(saved.value)
	if saved.outcome != fencing.Fail || accepted == 0 {
		return check.Finding{}, false
	}
	f := late.explain(late.failed("not there taken for not written", "fencing.Fail only for a value that the storage never takes",
		fmt.Sprintf("Save returned fail for %q at %s, and the storage took it at %s", saved.value, fencing.Seconds(saved.at), fencing.Seconds(late.trace.Events[accepted-1].At)),
		"You may know what the key holds now. What you sent may still be under way, and no read shows that.", accepted), "the request of write 1 is lost, or late by "+fencing.Seconds(2*s.world.lease)+", which looks the same to Save. Here it is late")
	return f, true
}

// late runs the world in which a write is held up by so much.
func (s *session) late(nth int, by time.Duration) *run {
	return s.world.run(s.reaction, false, fencing.Delay(client1, fencing.WriteRequest, by).Time(nth))
}

func lateRequest(s *session) check.Finding {
	// Just after the last value was saved, and when the lease has long ended.
	soon := time.Duration(len(s.world.values))*time.Second + 2*s.world.timeout
	var shown *run
	for _, by := range []time.Duration{soon, 2 * s.world.lease} {
		for nth := 1; nth < len(s.world.values); nth++ {
			r := s.late(nth, by)
			if f, bad := r.judge(fmt.Sprintf("the request of write %d is late by %s", nth, fencing.Seconds(by)), r.truthful, r.allSaved, r.holdsTheLast); bad {
				return f
			}
			if shown == nil {
				shown = r
			}
		}
	}
	f := check.Pass("the late request of your own did not undo the values that came after it")
	f.Trace, f.Run = shown.trace, "The timeline of your own code, when its first write is late:"
	return f
}

func rejection(s *session) check.Finding {
	r := s.world.run(s.reaction, true, fencing.Pause(client1, fencing.BeforeWrite, s.world.lease+3*time.Second))
	f, bad := r.judge("client 1 stands still before its first write until client 2 has claimed the key", func() (check.Finding, bool) {
		if n := len(r.sent()); n > 1 {
			return r.failed("goes on after a rejection", "nothing more is sent after fencing.ErrFenced", fmt.Sprintf("%d more writes were sent", n-1),
				"A newer holder is at work. Trying again with a lower token is in vain, and the storage has given you the one answer that it has.", r.returned(fencing.Fail)...), true
		}
		return check.Finding{}, false
	}, r.truthful, func() (check.Finding, bool) {
		if first := r.saves[0]; first.outcome != fencing.Fail {
			return r.failed("a no not taken for one", "Save returns fail: its only write was rejected", fmt.Sprintf("Save returned %s", first.outcome),
				"Nothing of this value is under way any more: it was sent once, and the storage said no. That you do know.", r.returned(fencing.Fail)...), true
		}
		return check.Finding{}, false
	})
	if bad {
		return f
	}
	return check.Pass("rejected is an answer: the value was not written, and nothing more was sent")
}

func rejectionAfter(s *session) check.Finding {
	for _, point := range []struct {
		fault fencing.Fault
		words string
	}{
		{fencing.Pause(client1, fencing.AfterWrite, s.world.lease+3*time.Second), "after its time-out"},
		{fencing.Pause(client1, fencing.BeforeWrite, s.world.lease+3*time.Second).Time(2), "before its second write"},
	} {
		for _, lost := range []fencing.Point{fencing.WriteReply, fencing.WriteRequest} {
			r := s.world.run(s.reaction, true, fencing.Drop(client1, lost), point.fault)
			if f, bad := r.judge(fmt.Sprintf("the first %s is lost, and client 1 stands still %s until client 2 has claimed the key", lost, point.words), r.truthful, r.unknown); bad {
				return f
			}
		}
	}
	return check.Pass("the first write timed out and nobody can tell any more: you said so")
}

// unknown asks for Unknown for every value that has timed out and of which
// nothing was heard afterwards, neither a write's answer nor a read that found it.
func (r *run) unknown() (check.Finding, bool) {
	for _, s := range r.saves {
		timedOut, heard := 0, false
		for _, e := range r.trace.Events {
			if e.Actor == client1 && e.Kind == fencing.Returned && e.Value == s.value {
				heard = heard || e.Outcome == fencing.OK
				if e.Outcome == fencing.Unknown {
					timedOut = e.Seq
				}
			}
		}
		if timedOut > 0 && !heard && s.outcome != fencing.Unknown {
			return r.failed("a guess", "Save returns unknown", fmt.Sprintf("Save returned %s for %q, which is true here by chance", s.outcome, s.value),
				"To the client this run and the one in which it is otherwise look the same. Return fencing.Unknown where only the trace knows.", timedOut), true
		}
	}
	return check.Finding{}, false
}

func outOfReach(s *session) check.Finding {
	for _, way := range [][2]string{{fencing.ActorStorage, client1}, {client1, fencing.ActorStorage}} {
		r := s.world.run(s.reaction, false, fencing.Cut(way[0], way[1], 1500*time.Millisecond, 3*s.world.lease))
		if f, bad := r.judge(fmt.Sprintf("messages from %s to %s are lost until long after the lease has ended", way[0], way[1]), r.truthful, r.unknown, r.stopsInTime); bad {
			return f
		}
	}
	return check.Pass("no write was sent after the deadline, and you said that you do not know")
}

// stopsInTime looks for a write that was sent when the lease was over by the
// client's own clock, which is true time here.
func (r *run) stopsInTime() (check.Finding, bool) {
	deadline, granted := time.Duration(0), 0
	for _, e := range r.trace.Events {
		renewed := e.Kind == fencing.Returned && e.Op == fencing.OpRenew && e.Outcome == fencing.OK
		if e.Actor == client1 && (e.Kind == fencing.BeliefBegan || renewed) {
			deadline, granted = e.Until, e.Seq
		}
		if e.Actor == client1 && e.Kind == fencing.Called && e.Op == fencing.OpWrite && e.At >= deadline {
			return r.failed("sends on after its deadline", fmt.Sprintf("nothing is sent from %s on: the lease is over then", fencing.Seconds(deadline)), fmt.Sprintf("a write was sent at %s", fencing.Seconds(e.At)),
				"The lease gave you the time to find out, and it is over. Ask before every try whether you still hold it.", granted, e.Seq), true
		}
	}
	return check.Finding{}, false
}
