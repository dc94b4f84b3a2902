package placethepause

import (
	"fmt"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

func everyFaultHappens(a *attempt) check.Finding {
	const expected = "the world can do it, and does"
	switch {
	case check.Happened(a.trace, fencing.Unreached, client1)+check.Happened(a.trace, fencing.Unreached, client2) > 0:
		return a.failed("a fault that never happens", expected, a.trace.Err().Error(),
			"The worker of this world asks for the lock, works, writes, works and releases. It does not look at its lease before it writes, and does not renew it: there is no such moment for a fault to fall on.")
	case a.trace.Err() != nil && len(a.trace.Events) == 0:
		return a.failed("a fault that cannot be", expected, a.trace.Err().Error(),
			"The clients are called \"client 1\" and \"client 2\". A pause needs a client, a point of its life and a length above 0 s.")
	}
	return check.Pass("the run met every fault that you declared")
}

func writeIsStale(a *attempt) check.Finding {
	w, wrote := a.write(client1)
	if wrote && w.Accepted && w.Stale {
		f := check.Pass("in all three worlds client 1 wrote after client 2, with the lower token, and client 2’s data was gone")
		f.Trace, f.Run = a.trace, "The timeline of your own code, in the first of the three worlds:"
		return f
	}
	f := a.whyNotStale(w, wrote)
	f.Expected = "client 1’s write arrives after client 2’s, with the lower token"
	return f
}

// whyNotStale finds the misconception, from the roughest to the finest.
func (a *attempt) whyNotStale(w fencing.Attempt, wrote bool) check.Finding {
	crash := check.Happened(a.trace, fencing.Crashed, client1)
	grant, granted := a.grant(client1)
	grant2, granted2 := a.grant(client2)
	pause, paused := a.pause(client1)
	other, wrote2 := a.write(client2)
	switch {
	case !a.aims(client1) && (!a.aims(client2) || !wrote || w.Late):
		return a.failed("client 1 not stopped", "", "none of your faults strikes client 1",
			"The harm comes from a client that stands still at the wrong moment. Name the client that your fault shall stop.", w.Event)
	case !a.aims(client1):
		return a.failed("the wrong client", "", "client 1 was never disturbed: it wrote while it held the lock",
			"The holder must be stopped, not the one that waits. A waiting client that stands still only gets the lock later.", w.Event)
	case crash > 0:
		return a.failed("a crash in place of a pause", "", "client 1 was gone, and wrote nothing afterwards",
			"A crashed client does no harm: its lease ends, and the next one takes over. Harm comes from a client that everybody takes for dead and that comes back.", crash, grant2.Event)
	case granted2 && (!granted || grant.Token > grant2.Token):
		return a.failed("stopped before its grant", "", "client 1 did not hold the lock yet when it was stopped, so client 2 got it first",
			"A client that holds nothing has nothing to lose: it waits for its turn, and its token will be the higher one. Stop it while it holds the lock.", pause.Event, grant2.Event, grant.Event)
	case !wrote:
		return a.failed("the write never arrives", "", "client 1’s write never reached the storage",
			"A write that does not arrive cannot be stale. Client 1 must come to its write, only too late.", grant.Event)
	case paused && pause.Event > w.Event:
		return a.failed("stopped after its write", "", fmt.Sprintf("client 1’s write had arrived at %s already, before it was stopped", fencing.Seconds(w.At)),
			"After its write client 1 holds the lock with nothing left to do harm with. Which moment lies between its grant and its write?", w.Event, pause.Event)
	case a.same:
		return a.failed("one pause for every world", "", "the same faults that fit the world before do not fit this one",
			"The worlds have other leases and other work. Compute the pause from world.Lease: how does client 2’s write move when the lease gets longer?", grant.End, w.Event)
	case w.Late && !wrote2:
		return a.failed("client 2 never writes", "", fmt.Sprintf("client 1’s write arrived at %s, after the end of its lease, and client 2 wrote nothing", fencing.Seconds(w.At)),
			"A write is stale if another one with a higher token came before it. Leave client 2 alone, so that it can write.", grant.End, w.Event)
	case w.Late && w.At == other.At:
		return a.failed("late, but not stale", "", fmt.Sprintf("client 1’s write arrived at %s, after the end of its lease at %s; client 2’s arrived at the same second, and client 1’s came first", fencing.Seconds(w.At), fencing.Seconds(grant.Until)),
			lateNotStale, grant.End, w.Event, other.Event)
	case w.Late:
		return a.failed("late, but not stale", "", fmt.Sprintf("client 1’s write arrived at %s: after the end of its lease at %s, but before client 2 had written", fencing.Seconds(w.At), fencing.Seconds(grant.Until)),
			lateNotStale, grant.End, w.Event, other.Event)
	case !paused:
		return a.failed("not even late", "", fmt.Sprintf("client 1’s write arrived at %s, while it held the lock", fencing.Seconds(w.At)),
			"What you did to client 1 did not keep its write from arriving within the lease. What would?", grant.Event, w.Event)
	}
	return a.failed("shorter than the rest of the lease", "", fmt.Sprintf("client 1’s write arrived at %s, and its lease ran until %s: it was not even late", fencing.Seconds(w.At), fencing.Seconds(grant.From+a.world.Lease)),
		"A pause within the lease does no harm: that is what the lease’s length is for. When does the lease end, and when does client 2 write?", grant.Event, w.Event)
}

const lateNotStale = "This is the hole: late is not stale. Until client 2’s first write arrives, no higher token has been accepted, so no storage could reject client 1’s write, not even one with fencing. Client 2 works before it writes: client 1 must stand still for that as well."

func predictionHolds(a *attempt) check.Finding {
	w, wrote := a.write(client1)
	if !wrote || !w.Stale {
		return check.Finding{State: check.NotRun, Mistake: "no stale write", Expected: "a stale write, to compare your prediction with",
			Got: "client 1’s write was not stale", Think: "Place the pause first; then say what it will lead to."}
	}
	said := a.answer
	if said.StaleWriter == w.Client && said.ArrivesAt == w.At {
		return check.Pass("you knew beforehand whose write it would be, and when it would arrive")
	}
	f := a.whyNotForeseen(w)
	f.Expected = "you name the stale write before the run: " + at(w.Client, w.At)
	f.Got = "you named " + at(said.StaleWriter, said.ArrivesAt)
	switch {
	case said.StaleWriter == "":
		f.Got = "you named no client"
	case said.ArrivesAt == 0:
		f.Got = "you named " + said.StaleWriter + ", and no time"
	}
	f.Events = check.Lines(a.trace, w.Before, w.Event)
	return f
}

// lesson is when the stale write of lesson 02 arrives.
const lesson = 16 * time.Second

// whyNotForeseen finds what was taken for the write's arrival. A number that is
// another moment's in one world may be so by chance, so it must be that moment's
// in all of them.
func (a *attempt) whyNotForeseen(w fencing.Attempt) check.Finding {
	said := a.answer
	undisturbed := func(b *attempt) time.Duration { return b.world.Start + b.world.Work }
	switch {
	case said.StaleWriter == "" || said.ArrivesAt == 0:
		return a.failed("no prediction", "", "", "Set StaleWriter and ArrivesAt before you run it. What you said beforehand is what you can learn from.")
	case said.StaleWriter != client1 && said.StaleWriter != client2:
		return a.failed("no such client", "", "", "StaleWriter takes a client by its name, \"client 1\" or \"client 2\", to the letter.")
	case said.StaleWriter != w.Client:
		return a.failed("the wrong writer", "", "", "Stale is the write that comes with a token lower than one accepted before. The other write is the one whose data is lost.")
	case a.says(func(*attempt) time.Duration { return lesson }):
		return a.failed("the lesson’s number", "", "", "At 16 s the stale write of the lesson’s run arrives. Every world here has other numbers: compute the time from world.Start, world.Work and your pause.")
	case a.says(func(*attempt) time.Duration { return said.ArrivesAt }) && !a.says(undisturbed):
		return a.failed("one time for every world", "", "", "You named the same second in all three worlds, and they differ in all their numbers. Compute the time from the world that you are given.")
	case a.says(func(b *attempt) time.Duration { p, _ := b.pause(client1); return p.Until }):
		return a.failed("waking taken for writing", "", "", "You named the moment at which client 1 goes on. It has its work still before it, and writes when that is done.")
	case a.says(undisturbed):
		return a.failed("the pause left out", "", "", "You named the moment at which client 1 would have written without the pause.")
	case a.says(func(b *attempt) time.Duration { w, _ := b.write(client2); return w.At }):
		return a.failed("the time of the other write", "", "", "You named the moment at which client 2’s write arrives, the one that is overwritten.")
	case a.says(func(b *attempt) time.Duration { return b.world.Start + b.world.Lease }):
		return a.failed("the end of the lease taken for the write", "", "", "You named the moment at which client 1’s lease ends. Nothing arrives then: client 1 stands still.")
	}
	return a.failed("another time", "", "", "Add up what happens to client 1: when it asks for the lock, how long it stands still, how long it works before it writes.")
}

func twinSurvives(a *attempt) check.Finding {
	twin := a.world.run(true, a.answer.Faults)
	why, event := check.Harm(twin, client2)
	if why == "" {
		f := check.Pass("with fencing on, the same fault did no harm: client 2’s data stayed, and both clients came to an end")
		f.Trace, f.Run = twin, "The same faults with fencing on:"
		return f
	}
	f := a.failed("harms the correct program too", "with fencing on, the same program survives the same faults: client 2’s data stays, and both clients come to an end", why,
		"What breaks every program shows nothing about leases. Leave only the fault that the storage’s check makes harmless.")
	f.Trace, f.Run, f.Events = twin, "Your faults with fencing on:", check.Lines(twin, event)
	return f
}

func withinBudget(a *attempt) check.Finding {
	const expected = "one fault, which is a pause"
	faults := a.answer.Faults
	if len(faults) != 1 {
		return a.failed("more than one fault", expected, fmt.Sprintf("%d faults", len(faults)),
			"One is enough. Take the others away, one after another, and look what still happens.")
	}
	f := faults[0]
	if f.Action != fencing.PauseIt {
		return a.failed("another fault than a pause", expected, "a "+f.Action.String(),
			"You found another way to a stale write: a message that the network holds back does it too, and lesson 04 is about that. Here, find the pause.")
	}
	if longest := a.world.Lease + Room; f.For > longest {
		return a.failed("longer than it need be", fmt.Sprintf("a pause of at most %s, which is %s longer than the lease", fencing.Seconds(longest), fencing.Seconds(Room)), "a pause of "+fencing.Seconds(f.For),
			"Any pause that is long enough does harm. How long is long enough? Compute when client 2’s write arrives, and let client 1 write just after it.")
	}
	return check.Pass("one pause was enough, and its length stayed within the budget")
}
