package leaselength

import (
	"errors"
	"fmt"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// attempt is an answer for one measurement.
type attempt struct {
	m        Measured
	lease    time.Duration
	possible bool
}

// judge asks for a length for each measurement and returns what the rule says about
// the first one that it does not hold for.
func judge(answer Answer, seed uint64, rule func(*attempt) check.Finding) check.Finding {
	var shown check.Finding
	for _, m := range worlds(seed) {
		a := &attempt{m: m}
		a.lease, a.possible = answer(m)
		tried := "your Length says that none will do, for " + m.String()
		if a.possible {
			tried = fmt.Sprintf("your lease of %s, for %s", seconds(a.lease), m)
		}
		f := a.valid()
		if f.State == check.Passed {
			f = rule(a)
		}
		if f.State != check.Passed {
			f.Tried = tried
			return f
		}
		if shown.Got == "" || shown.Trace == nil && a.possible {
			shown = f
		}
	}
	return shown
}

func (a *attempt) valid() check.Finding {
	if a.possible && (a.lease < time.Millisecond || a.lease > 24*time.Hour) {
		return check.Fail("no length", "", "a length between a millisecond and a day", "it is "+a.lease.String(), "Write seconds as 10*time.Second. If no length will do, return 0, false.")
	}
	return check.Pass("")
}

func seconds(d time.Duration) string { return fencing.Seconds(d.Round(time.Millisecond)) }

func failed(trace *fencing.Trace, title, mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	f.Events, f.Trace, f.Run = check.Lines(trace, events...), trace, title
	return f
}

// expired returns the holder's grant, if its lease ended by the clock. A run in
// which it did may be over before all of its faults have happened.
func expired(trace *fencing.Trace) (fencing.Grant, check.Finding, bool) {
	g := trace.Grants()[0]
	if g.Ended == fencing.Expired {
		return g, check.Finding{}, true
	}
	if errors.Is(trace.Err(), fencing.ErrUnreached) {
		return g, check.Finding{}, false
	}
	f, bad := check.RunFailed(trace)
	return g, f, bad
}

func kept(a *attempt) check.Finding { return a.outlasts(0) }

func survived(a *attempt) check.Finding { return a.outlasts(a.m.Losses) }

// outlasts asks whether a healthy holder keeps the lock, if so many renewals are
// lost.
func (a *attempt) outlasts(losses int) check.Finding {
	if !a.possible {
		return check.Pass("where a length was given, healthy holders keep the lock")
	}
	trace := a.m.healthy(a.lease, losses)
	g, f, ended := expired(trace)
	if !ended {
		f = check.Pass(fmt.Sprintf("a pause of %s, %d lost and a slow renewal together leave the holder its lease", seconds(a.m.P999), losses))
		if losses > 0 {
			f.Trace, f.Run = trace, "One of your leases, with the slowest of everything:"
		}
		return f
	}
	if f.State != 0 {
		return f
	}
	mistake, think := a.tooShort(losses)
	return failed(trace, "The run with your lease:", mistake, "a holder that meets nothing worse than was measured keeps the lock",
		fmt.Sprintf("its lease ended at %s, while it was at work; up to %s may lie between two renewals that arrive, by the lock service’s clock", seconds(g.Until), seconds(a.m.drifted(a.m.between(losses)))),
		think, g.Event, g.End)
}

// tooShort names what was left out, if the length is just the sum without it.
func (a *attempt) tooShort(losses int) (mistake, think string) {
	m, all := a.m, a.m.between(a.m.Losses)
	near := func(sum time.Duration) bool {
		off := a.lease - sum
		return max(off, -off) <= sum/500 // with drift or without it
	}
	switch {
	case near(m.Job) || near(2*m.Job) || near(3*m.Job):
		return "the length of the job", "A holder renews: the lease need not outlast the job. It must outlast the time between two renewals that arrive."
	case near(m.RenewEvery) || near(2*m.RenewEvery) || near(3*m.RenewEvery):
		return "a multiple of the interval", "A few intervals leave room for lost renewals. What does a holder do that stands still?"
	case near(m.P999) || near(m.P999+m.RoundTrip):
		return "no room for the interval", "The pause may begin just before a renewal is due. By then a whole interval has gone by since the last one."
	case near(all-m.P999) || near(all-m.P999+m.P99) || near(all-m.P999+m.P50):
		return "a shorter pause than the p99.9", "One pause in a hundred is longer than the p99. With a renewal every few seconds, how often a day is that?"
	case losses > 0 && near(m.between(0)):
		return "no room for a lost renewal", "If a renewal is lost, the next one comes a whole interval later. How many may be lost?"
	case losses > 0 && a.lease < all && near(all-m.RoundTrip):
		return "no room for the round trip", "A renewal counts when the lock service has it. How long may it be on its way?"
	case losses > 0 && a.lease >= all:
		return "no room for drift", "The lock service measures the lease by its own clock, and that may be fast. How much longer must a lease be then?"
	}
	return "too short", "Follow the run from one renewal that arrives to the next, and add up all that lies between them."
}

func takenOver(a *attempt) check.Finding {
	if !a.possible {
		return check.Pass("where a length was given, the take-over comes in time")
	}
	trace := a.m.crash(a.lease)
	crashed := a.m.RenewEvery + instant
	for _, g := range trace.Grants() {
		took := g.From - crashed
		if g.Client != next || took <= a.m.TakeOver {
			continue
		}
		mistake, think := "take-over ignored", "Who waits for the lock waits until the lease is over. If healthy holders need a longer one than the take-over allows, say so: return 0, false."
		switch {
		case a.lease >= a.m.Longest:
			mistake, think = "the longest pause ever seen", "To outlast the longest pause is to let everybody wait for that long after every crash. A pause beyond the p99.9 costs a lease now and then, and no length is safe."
		case a.lease < a.m.TakeOver:
			mistake, think = "the lease alone taken for the take-over", "The crashed holder may have a renewal on its way, which counts when it arrives. And the lock service’s clock may be slow."
		}
		return failed(trace, "The run with your lease:", mistake, "after a crash somebody else has the lock within "+seconds(a.m.TakeOver),
			"it took "+seconds(took), think, trace.Grants()[0].End, g.Event)
	}
	f := check.Pass("at the longest, the take-over waits for a renewal that was still on its way, and for the lease")
	f.Trace, f.Run = trace, "One of your leases, after a crash:"
	return f
}

func notGivenUp(a *attempt) check.Finding {
	least := a.m.least()
	if a.possible || a.m.drifted(least)+a.m.RoundTrip > a.m.TakeOver {
		return check.Pass("where none was given, the shortest lease that holders keep is too long for the take-over")
	}
	trace := a.m.crash(least)
	return failed(trace, fmt.Sprintf("A crash with a lease of %s:", seconds(least)), "gives up where a length would do", "the two sides do not meet",
		fmt.Sprintf("a lease of %s is kept by healthy holders, and the take-over comes in time", seconds(least)),
		"Which of the numbers must the lease outlast? Not the longest pause ever seen, and not the job.", trace.Grants()[0].End)
}
