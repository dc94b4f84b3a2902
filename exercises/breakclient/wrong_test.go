package breakclient_test

import (
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/breakclient"
	"fencingtokens/exercises/breakclient/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

const second = time.Second

type (
	target = breakclient.Target
	faults = []fencing.Fault
)

func of(answer breakclient.Answer) prove.Answer {
	return func(seed uint64) check.Result { return breakclient.Evaluate(answer, seed) }
}

// against hands in faults for one precaution and the right one for the others.
func against(p breakclient.Precaution, f func(target) faults) breakclient.Answer {
	return func(t target) faults {
		if t.Precaution == p {
			return f(t)
		}
		return Break(t)
	}
}

// always returns the same faults, whatever the target.
func always(fs ...fencing.Fault) func(target) faults { return func(target) faults { return fs } }

// long is a length within the budget that is long enough.
func long(t target) time.Duration { return t.Lease + 2*second }

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Break), of(Break), wrong)
}

const (
	happens = "every fault happens"
	once    = "the client that checks its lease first loses data"
	twice   = "the client that checks its lease twice loses data"
	renews  = "the client that renews before it writes loses data"
	margin  = "the client that keeps a margin loses data"
	twins   = "the correct twins, the same clients with fencing on, survive"
	within  = "one fault each, of the kind allowed and within the budget"

	checksFirst = breakclient.ChecksFirst
	checksTwice = breakclient.ChecksTwice
	renewsFirst = breakclient.RenewsFirst
	keepsMargin = breakclient.KeepsMargin
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               breakclient.Answer
}{
	{name: "a look of a client that does not look", check: happens, mistake: "a fault that never happens", answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, long(t))}
	})},
	{name: "the renewal of a client that does not renew", check: happens, mistake: "a fault that never happens", answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewReply, long(t))}
	})},
	{name: "a time after the end", check: happens, mistake: "a fault that never happens", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.PauseAt("client 1", time.Hour, long(t))}
	})},
	{name: "a client that does not exist", check: happens, mistake: "a fault that cannot be", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client1", fencing.AfterCheck, long(t))}
	})},

	{name: "only the second client broken", check: once, mistake: "no fault yet", answer: against(checksFirst, always())},
	{name: "the pause of lesson 02", check: once, mistake: "the look at the clock catches it", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, long(t))}
	})},
	{name: "a pause just before the look", check: once, mistake: "the look at the clock catches it", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeCheck, long(t))}
	})},
	{name: "a pause before the acquire", check: once, mistake: "before its grant", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeAcquire, long(t))}
	})},
	{name: "a pause after the write", check: once, mistake: "after its write", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterWrite, long(t))}
	})},
	{name: "a crash after the look", check: once, mistake: "a crash", answer: against(checksFirst, always(fencing.Crash("client 1", fencing.AfterCheck)))},
	{name: "client 2 paused", check: once, mistake: "not even late", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 2", fencing.AfterCheck, long(t))}
	})},
	{name: "a pause that ends within the lease", check: once, mistake: "not even late", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, t.Lease-t.Work-second)}
	})},
	{name: "a pause that ends in the hole", check: once, mistake: "late, but not stale", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, t.Lease-t.Work+second/2)}
	})},
	{name: "one pause for every world", check: once, mistake: "one fault for every world",
		answer: against(checksFirst, always(fencing.Pause("client 1", fencing.AfterCheck, 13*second)))},

	{name: "a pause between the two looks", check: twice, mistake: "the look at the clock catches it", answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, long(t))}
	})},
	{name: "the grant delayed", check: twice, mistake: "the look at the clock catches it", answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, long(t))}
	})},
	{name: "the request for the lock delayed", check: twice, mistake: "before its grant", answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireRequest, long(t))}
	})},
	{name: "the write lost", check: twice, mistake: "a message that never arrives", answer: against(checksTwice, always(fencing.Drop("client 1", fencing.WriteRequest)))},
	{name: "the reply to the write lost", check: twice, mistake: "a message that never arrives", answer: against(checksTwice, always(fencing.Drop("client 1", fencing.WriteReply)))},
	{name: "the write hardly delayed", check: twice, mistake: "not even late", answer: against(checksTwice, always(fencing.Delay("client 1", fencing.WriteRequest, second)))},
	{name: "one delay for every world", check: twice, mistake: "one fault for every world",
		answer: against(checksTwice, always(fencing.Delay("client 1", fencing.WriteRequest, 14*second)))},

	{name: "the renewal delayed on its way there", check: renews, mistake: "the renewal is refused", answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewRequest, long(t))}
	})},
	{name: "the grant delayed, and renewed then", check: renews, mistake: "the renewal is refused", answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, long(t))}
	})},
	{name: "the reply to the renewal lost", check: renews, mistake: "a message that never arrives", answer: against(renewsFirst, always(fencing.Drop("client 1", fencing.RenewReply)))},
	{name: "the good news as old as the lease", check: renews, mistake: "late, but not stale", answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewReply, t.Lease+second/2)}
	})},

	{name: "client 1's clock back", check: margin, mistake: "the wrong clock", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, -long(t))}
	})},
	{name: "client 1's clock stopped", check: margin, mistake: "the wrong clock", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.StopClock("client 1", t.Start+second, long(t))}
	})},
	{name: "the lock service's clock stopped", check: margin, mistake: "not even late", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.StopClock(fencing.ActorLockService, t.Start+second, long(t))}
	})},
	{name: "client 1's clock ahead", check: margin, mistake: "the look at the clock catches it", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, long(t))}
	})},
	{name: "client 1's clock a little ahead", check: margin, mistake: "the client stops by itself", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, t.Lease-t.Work-second)}
	})},
	{name: "the lock service's clock ahead before the grant", check: margin, mistake: "not even late", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start-second/2, long(t))}
	})},
	{name: "the lock service's clock ahead just before the write", check: margin, mistake: "late, but not stale", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start+t.Work-second/2, long(t))}
	})},

	{name: "client 2 crashed as well", check: twins, mistake: "harms the correct program too", answer: against(checksFirst, func(t target) faults {
		return append(Break(t), fencing.Crash("client 2", fencing.AfterWrite))
	})},
	{name: "client 2's release reply lost as well", check: twins, mistake: "harms the correct program too", answer: against(renewsFirst, func(t target) faults {
		return append(Break(t), fencing.Drop("client 2", fencing.ReleaseReply))
	})},

	{name: "two pauses that are long enough together", check: within, mistake: "more than one fault", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, second), fencing.Pause("client 1", fencing.BeforeWrite, t.Lease)}
	})},
	{name: "the write of the first client delayed", check: within, mistake: "not with a pause of client 1", answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, long(t))}
	})},
	{name: "one pause before the write for all", check: within, mistake: "not with one message of client 1", answer: func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, long(t))}
	}},
	{name: "the write after the renewal delayed", check: within, mistake: "not with one message between client 1 and the lock service", answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, long(t))}
	})},
	{name: "a pause longer than the margin", check: within, mistake: "not with a clock", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, long(t))}
	})},
	{name: "an hour", check: within, mistake: "longer than it need be", answer: against(checksFirst, always(fencing.Pause("client 1", fencing.AfterCheck, time.Hour)))},
	{name: "a day on the clock", check: within, mistake: "longer than it need be", answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start+second, 24*time.Hour)}
	})},

	{name: "a panic", check: happens, mistake: "index out of range", state: check.Panicked, answer: func(t target) faults {
		var made faults
		made[0] = fencing.Pause("client 1", fencing.AfterCheck, long(t))
		return made
	}},
	{name: "an exit", check: happens, mistake: "ends its goroutine", answer: func(target) faults { runtime.Goexit(); return nil }},
}
