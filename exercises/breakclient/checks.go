package breakclient

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

func everyFaultHappens(a *attempt) check.Finding {
	const expected = "the world can do it, and does"
	unreached := first(a.trace, func(e fencing.Event) bool { return e.Kind == fencing.Unreached })
	switch {
	case unreached > 0:
		return a.failed("a fault that never happens", expected, a.trace.Err().Error(),
			"Not every client comes to every point: only those that look have a check, and only those that renew a renewal. Look at the run without a fault.")
	case a.trace.Err() != nil && len(a.trace.Events) == 0:
		return a.failed("a fault that cannot be", expected, a.trace.Err().Error(),
			"The clients are called \"client 1\" and \"client 2\", and the other clock is that of fencing.ActorLockService. A length must be above 0 s; only a clock may jump back.")
	}
	return check.Pass("the runs met every fault that you declared")
}

func losesData(a *attempt) check.Finding {
	if w, lost := a.lost(); lost {
		return check.Pass(fmt.Sprintf("in all three worlds client 1 overwrote client 2’s data; in the first at %s, with token %d after %d", fencing.Seconds(w.At), w.Token, w.Fence))
	}
	f := a.whyNothingLost()
	f.Expected = "client 1’s write is accepted after client 2’s, with the lower token, and client 2’s data is gone"
	return f
}

// whyNothingLost finds the misconception, from the roughest to the finest.
func (a *attempt) whyNothingLost() check.Finding {
	w, wrote := a.write(client1)
	grant, grant2 := a.grant(client1), a.grant(client2)
	paused := check.Happened(a.trace, fencing.Paused, client1)
	crashed := check.Happened(a.trace, fencing.Crashed, client1)
	lost := first(a.trace, func(e fencing.Event) bool { return e.Kind == fencing.Lost && e.Client == client1 })
	looked := first(a.trace, func(e fencing.Event) bool {
		return e.Kind == fencing.Checked && e.Actor == client1 && e.Outcome == fencing.Fail
	})
	clock := max(check.Happened(a.trace, fencing.ClockJumped, client1), check.Happened(a.trace, fencing.ClockStopped, client1))
	refused := first(a.trace, func(e fencing.Event) bool {
		return e.Kind == fencing.Refused && e.Client == client1 && e.Op == fencing.OpRenew
	})
	switch {
	case len(a.faults) == 0:
		return a.failed("no fault yet", "", "you returned no fault for it, and nothing went wrong",
			"Let Break return one fault for this client too.")
	case crashed > 0:
		return a.failed("a crash", "", "client 1 was gone, and wrote nothing afterwards",
			"A crashed client does no harm: its lease ends and the next one takes over. Harm comes from one that goes on.", crashed)
	case lost > 0:
		return a.failed("a message that never arrives", "", "a message of client 1 was lost, and so it waits for ever or never wrote",
			"What never arrives overwrites nothing. It must arrive, only too late.", lost)
	case grant2.Token != 0 && (grant.Token == 0 || grant.Token > grant2.Token):
		return a.failed("before its grant", "", "client 2 got the lock before client 1",
			"A client that holds nothing yet has nothing to lose: it waits for its turn, and its token will be the higher one.", grant2.Event, grant.Event)
	case looked > 0:
		return a.failed("the look at the clock catches it", "", "client 1 looked at its clock after your fault, found its lease over, and stopped",
			"The precaution works against what comes before it. Your fault must strike after the last look, or where no look can see it.", looked)
	case refused > 0:
		return a.failed("the renewal is refused", "", "client 1’s renewal reached the lock service after the lease had ended, and was refused",
			"The lock service must say yes in time. What can happen to a yes before the client acts on it?", refused)
	case !wrote:
		return a.failed("the client stops by itself", "", "client 1 did not write: too little of its lease was left by its own clock",
			"Client 1 counts on its own clock, and gives up early when that runs ahead. Another clock decides when the lease really ends.", grant.Event)
	case paused > w.Event:
		return a.failed("after its write", "", fmt.Sprintf("client 1’s write had arrived at %s already", fencing.Seconds(w.At)),
			"After its write client 1 has nothing left to do harm with. Which moment lies between what it learns and its write?", w.Event, paused)
	case clock > 0 && !w.Late:
		return a.failed("the wrong clock", "", fmt.Sprintf("client 1’s write arrived at %s, while it held the lock", fencing.Seconds(w.At)),
			"Client 1’s own clock tells client 1 when to stop, and nothing else. Which clock ends its lease?", clock, w.Event)
	case a.same:
		return a.failed("one fault for every world", "", "the same fault that fits the world before does not fit this one",
			"The worlds have other leases. Compute the length from target.Lease.", grant.End, w.Event)
	case w.Late:
		return a.failed("late, but not stale", "", fmt.Sprintf("client 1’s write arrived at %s, after the end of its lease, but before client 2 had written", fencing.Seconds(w.At)),
			"Client 2 is granted the lock when the lease ends, and works 1 s before it writes. Client 1’s write must come later than that.", grant.End, w.Event)
	}
	return a.failed("not even late", "", fmt.Sprintf("client 1’s write arrived at %s, while it held the lock", fencing.Seconds(w.At)),
		"Your fault did not part the write from what client 1 knew. Which fault lets the lease end, by the lock service’s clock, before the write arrives?", grant.Event, w.Event)
}

func twinSurvives(a *attempt) check.Finding {
	twin := a.target.run(true, a.faults)
	why, event := check.Harm(twin, client2)
	if why == "" {
		f := check.Pass("with fencing on, none of your faults did harm: client 2’s data stayed, and both clients came to an end")
		f.Trace, f.Run = twin, "Your first fault with fencing on:"
		return f
	}
	f := a.failed("harms the correct program too", "with fencing on, the same client survives the same fault: client 2’s data stays, and both clients come to an end", why,
		"What breaks every program shows nothing about this client. Leave only the fault that the storage’s check makes harmless.")
	f.Trace, f.Run, f.Events = twin, "Your faults with fencing on:", check.Lines(twin, event)
	return f
}

// means is what the world may do to a client with a precaution.
type means struct {
	words  string
	may    func(fencing.Fault) bool
	insist string // what to think about, where something else was done
}

var meansOf = [...]means{
	ChecksFirst: {"a pause of client 1", isPause,
		"You found another way past the look at the clock. Here, find the pause: between which two lines does it fall?"},
	ChecksTwice: {"one message of client 1", isMessage,
		"Two looks do not help against a pause after the second one; that is what you have shown for the client that looks once. Here nobody stands still: what else can come late?"},
	RenewsFirst: {"one message between client 1 and the lock service", func(f fencing.Fault) bool { return isMessage(f) && !isWrite(f.Point) },
		"You parted the write from the renewal, and that does harm. Here the way to the storage is good: which message from the lock service is old news when it comes?"},
	KeepsMargin: {"a clock", func(f fencing.Fault) bool { return f.Action == fencing.JumpIt || f.Action == fencing.StopIt },
		"A fault that is longer than the margin gets past it. Here nothing stands still and nothing is late: two clocks count the one lease."},
}

func isPause(f fencing.Fault) bool {
	return f.Actor == client1 && (f.Action == fencing.PauseIt || f.Action == fencing.SuspendIt)
}

func isMessage(f fencing.Fault) bool {
	return f.Actor == client1 && (f.Action == fencing.DelayIt || f.Action == fencing.DropIt || f.Action == fencing.DuplicateIt)
}

func isWrite(p fencing.Point) bool { return p == fencing.WriteRequest || p == fencing.WriteReply }

func withinMeans(a *attempt) check.Finding {
	m := meansOf[a.target.Precaution]
	expected := "one fault against the client that " + a.target.Precaution.String() + ": " + m.words
	if len(a.faults) != 1 {
		return a.failed("more than one fault", expected, fmt.Sprintf("%d faults", len(a.faults)),
			"One is enough. Take the others away, one after another, and look what still happens.")
	}
	f := a.faults[0]
	if !m.may(f) {
		return a.failed("not with "+m.words, expected, "another fault: "+f.String(), m.insist)
	}
	if longest := a.target.Lease + Room; f.For > longest {
		return a.failed("longer than it need be", fmt.Sprintf("a length of at most %s, which is %s longer than the lease", fencing.Seconds(longest), fencing.Seconds(Room)), fencing.Seconds(f.For),
			"Any fault that is long enough does harm. How long is long enough? Compute when client 2’s write arrives.")
	}
	return check.Pass("each client fell to one fault, of the kind that was allowed")
}
