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
	prove.Exercise(t, of, stub.Break, Break, catalogue)
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

var catalogue = []prove.Wrong[breakclient.Answer]{
	{Name: "a look of a client that does not look", Check: happens, Mistake: "a fault that never happens", Answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, long(t))}
	})},
	{Name: "the renewal of a client that does not renew", Check: happens, Mistake: "a fault that never happens", Answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewReply, long(t))}
	})},
	{Name: "a time after the end", Check: happens, Mistake: "a fault that never happens", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.PauseAt("client 1", time.Hour, long(t))}
	})},
	{Name: "a client that does not exist", Check: happens, Mistake: "a fault that cannot be", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client1", fencing.AfterCheck, long(t))}
	})},

	{Name: "only the second client broken", Check: once, Mistake: "no fault yet", Answer: against(checksFirst, always())},
	{Name: "the pause of lesson 02", Check: once, Mistake: "the look at the clock catches it", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, long(t))}
	})},
	{Name: "a pause just before the look", Check: once, Mistake: "the look at the clock catches it", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeCheck, long(t))}
	})},
	{Name: "a pause before the acquire", Check: once, Mistake: "before its grant", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeAcquire, long(t))}
	})},
	{Name: "a pause after the write", Check: once, Mistake: "after its write", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterWrite, long(t))}
	})},
	{Name: "a crash after the look", Check: once, Mistake: "a crash", Answer: against(checksFirst, always(fencing.Crash("client 1", fencing.AfterCheck)))},
	{Name: "client 2 paused", Check: once, Mistake: "not even late", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 2", fencing.AfterCheck, long(t))}
	})},
	{Name: "a pause that ends within the lease", Check: once, Mistake: "not even late", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, t.Lease-t.Work-second)}
	})},
	{Name: "a pause that ends in the hole", Check: once, Mistake: "late, but not stale", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, t.Lease-t.Work+second/2)}
	})},
	{Name: "one pause for every world", Check: once, Mistake: "one fault for every world",
		Answer: against(checksFirst, always(fencing.Pause("client 1", fencing.AfterCheck, 13*second)))},

	{Name: "a pause between the two looks", Check: twice, Mistake: "the look at the clock catches it", Answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, long(t))}
	})},
	{Name: "the grant delayed", Check: twice, Mistake: "the look at the clock catches it", Answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, long(t))}
	})},
	{Name: "the request for the lock delayed", Check: twice, Mistake: "before its grant", Answer: against(checksTwice, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireRequest, long(t))}
	})},
	{Name: "the write lost", Check: twice, Mistake: "a message that never arrives", Answer: against(checksTwice, always(fencing.Drop("client 1", fencing.WriteRequest)))},
	{Name: "the reply to the write lost", Check: twice, Mistake: "a message that never arrives", Answer: against(checksTwice, always(fencing.Drop("client 1", fencing.WriteReply)))},
	{Name: "the write hardly delayed", Check: twice, Mistake: "not even late", Answer: against(checksTwice, always(fencing.Delay("client 1", fencing.WriteRequest, second)))},
	{Name: "one delay for every world", Check: twice, Mistake: "one fault for every world",
		Answer: against(checksTwice, always(fencing.Delay("client 1", fencing.WriteRequest, 14*second)))},

	{Name: "the renewal delayed on its way there", Check: renews, Mistake: "the renewal is refused", Answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewRequest, long(t))}
	})},
	{Name: "the grant delayed, and renewed then", Check: renews, Mistake: "the renewal is refused", Answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, long(t))}
	})},
	{Name: "the reply to the renewal lost", Check: renews, Mistake: "a message that never arrives", Answer: against(renewsFirst, always(fencing.Drop("client 1", fencing.RenewReply)))},
	{Name: "the good news as old as the lease", Check: renews, Mistake: "late, but not stale", Answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.RenewReply, t.Lease+second/2)}
	})},

	{Name: "client 1's clock back", Check: margin, Mistake: "the wrong clock", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, -long(t))}
	})},
	{Name: "client 1's clock stopped", Check: margin, Mistake: "the wrong clock", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.StopClock("client 1", t.Start+second, long(t))}
	})},
	{Name: "the lock service's clock stopped", Check: margin, Mistake: "not even late", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.StopClock(fencing.ActorLockService, t.Start+second, long(t))}
	})},
	{Name: "client 1's clock ahead", Check: margin, Mistake: "the look at the clock catches it", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, long(t))}
	})},
	{Name: "client 1's clock a little ahead", Check: margin, Mistake: "the client stops by itself", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock("client 1", t.Start+second, t.Lease-t.Work-second)}
	})},
	{Name: "the lock service's clock ahead before the grant", Check: margin, Mistake: "not even late", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start-second/2, long(t))}
	})},
	{Name: "the lock service's clock ahead just before the write", Check: margin, Mistake: "late, but not stale", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start+t.Work-second/2, long(t))}
	})},

	{Name: "client 2 crashed as well", Check: twins, Mistake: "harms the correct program too", Answer: against(checksFirst, func(t target) faults {
		return append(Break(t), fencing.Crash("client 2", fencing.AfterWrite))
	})},
	{Name: "client 2's release reply lost as well", Check: twins, Mistake: "harms the correct program too", Answer: against(renewsFirst, func(t target) faults {
		return append(Break(t), fencing.Drop("client 2", fencing.ReleaseReply))
	})},

	{Name: "two pauses that are long enough together", Check: within, Mistake: "more than one fault", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, second), fencing.Pause("client 1", fencing.BeforeWrite, t.Lease)}
	})},
	{Name: "the write of the first client delayed", Check: within, Mistake: "not with a pause of client 1", Answer: against(checksFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, long(t))}
	})},
	{Name: "one pause before the write for all", Check: within, Mistake: "not with one message of client 1", Answer: func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, long(t))}
	}},
	{Name: "the write after the renewal delayed", Check: within, Mistake: "not with one message between client 1 and the lock service", Answer: against(renewsFirst, func(t target) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, long(t))}
	})},
	{Name: "a pause longer than the margin", Check: within, Mistake: "not with a clock", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, long(t))}
	})},
	{Name: "an hour", Check: within, Mistake: "longer than it need be", Answer: against(checksFirst, always(fencing.Pause("client 1", fencing.AfterCheck, time.Hour)))},
	{Name: "a day on the clock", Check: within, Mistake: "longer than it need be", Answer: against(keepsMargin, func(t target) faults {
		return faults{fencing.JumpClock(fencing.ActorLockService, t.Start+second, 24*time.Hour)}
	})},

	{Name: "a panic", Check: happens, Mistake: "index out of range", State: check.Panicked, Answer: func(t target) faults {
		var made faults
		made[0] = fencing.Pause("client 1", fencing.AfterCheck, long(t))
		return made
	}},
	{Name: "an exit", Check: happens, Mistake: "ends its goroutine", Answer: func(target) faults { runtime.Goexit(); return nil }},
}
