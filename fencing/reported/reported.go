package reported

import (
	"slices"
	"time"

	"fencingtokens/fencing"
)

// Scenario is one reported failure.
type Scenario struct {
	Name    string               // what happens, in a few words
	Source  string               // where it was reported
	Config  fencing.Config       // without fencing
	Clients []fencing.Policy     // of client 1, client 2, ...: each asks a second after the one before
	Program func(*fencing.World) // what the clients do, where no worker does it
	Cure    string               // what is needed besides fencing; "" if fencing is enough

	cure func(*Scenario)
}

// Without runs the scenario without fencing.
func (s Scenario) Without() *fencing.Trace { return s.run() }

// With runs the scenario with fencing.
func (s Scenario) With() *fencing.Trace {
	s.Config.Fencing = true
	return s.run()
}

// Cured runs the scenario with fencing and with its cure, if it needs one.
func (s Scenario) Cured() *fencing.Trace {
	if s.cure != nil {
		s.Clients = slices.Clone(s.Clients)
		s.cure(&s)
	}
	return s.With()
}

func (s Scenario) run() *fencing.Trace {
	s.Config.Name = s.Name
	w := fencing.NewWorld(s.Config)
	for i, policy := range s.Clients {
		policy.Start = time.Duration(i+1) * time.Second
		w.Client(name(i+1), fencing.Worker(policy))
	}
	if s.Program != nil {
		s.Program(w)
	}
	return w.Run()
}

func name(n int) string { return "client " + string(rune('0'+n)) }

// All returns the scenarios.
func All() []Scenario {
	return []Scenario{
		CutOff(), PlainDelete(), StarvedRenewer(), StuckWorker(), FailOver(), RolledBack(), LossIgnored(),
		ForgottenByRestart(), ForgottenByCleanUp(), SleepingLaptop(), LongPause(), OutlivedLock(), EqualityCheck(),
		TheHole(), TimedOutWrite(), RedlockClockJump(), RedlockPause(), RedlockRestart(),
	}
}

const s = time.Second

// job is a worker whose write comes after so much work.
func job(before time.Duration) fencing.Policy { return fencing.Policy{WorkBefore: before} }

// CutOff: the holder cannot reach the lock service any more, but still reaches
// the storage.
func CutOff() Scenario {
	long := fencing.Policy{WorkBefore: 15 * s, RenewEvery: 3 * s}
	return Scenario{
		Name: "cut off from the lock service only", Source: "etcd issue 10811; Redisson issue 3636; Curator issue 727",
		Config: fencing.Config{Timeout: 2 * s, Faults: []fencing.Fault{
			fencing.Cut("client 1", fencing.ActorLockService, 2*s, 20*s),
		}},
		Clients: []fencing.Policy{long, job(1 * s)},
	}
}

// PlainDelete: a release that frees the lock whoever holds it lets a third
// client in beside the second.
func PlainDelete() Scenario {
	byName := fencing.Policy{ReleaseByName: true}
	return Scenario{
		Name: "a plain delete frees the next holder's lock", Source: "Laravel issue 26213",
		Config: fencing.Config{PlainDelete: true, Faults: []fencing.Fault{
			fencing.Pause("client 1", fencing.BeforeRelease, 8*s),
		}},
		Clients: []fencing.Policy{byName, {WorkBefore: 8 * s, RenewEvery: 3 * s}, job(1 * s)},
		Cure:    "compare and delete",
		cure: func(s *Scenario) {
			s.Config.PlainDelete = false
			s.Clients[0].ReleaseByName = false
		},
	}
}

// StarvedRenewer: the renewing thread does not get to run, the worker does.
func StarvedRenewer() Scenario {
	return Scenario{
		Name: "the renewer starves while the worker runs", Source: "Redisson issue 5698",
		Config: fencing.Config{Faults: []fencing.Fault{
			fencing.Pause("client 1", fencing.BeforeRenew, 20*s).ThreadOnly(),
		}},
		Clients: []fencing.Policy{{WorkBefore: 14 * s, RenewEvery: 3 * s}, job(1 * s)},
	}
}

// StuckWorker: the worker is stuck for good, and its renewer keeps the lock for
// it. A few steps show what all the others would.
func StuckWorker() Scenario {
	return Scenario{
		Name: "the renewer lives while the worker is stuck", Source: "RedLock.net issue 68",
		Config: fencing.Config{Steps: 80, Faults: []fencing.Fault{
			fencing.Pause("client 1", fencing.BeforeWrite, 1000*time.Hour).ThreadOnly(),
		}},
		Clients: []fencing.Policy{{RenewEvery: 3 * s}, job(1 * s)},
		Cure:    "an end to renewing",
		cure:    func(sc *Scenario) { sc.Config.MaxHold = 20 * s },
	}
}

// FailOver: the lock service fails over and the new one does not know that the
// lock is held. Nobody pauses.
func FailOver() Scenario {
	return Scenario{
		Name: "a fail-over loses the lock", Source: "Redis documentation, distributed locks; Redisson issue 775",
		Config:  fencing.Config{Faults: []fencing.Fault{fencing.FailOver(3 * s)}},
		Clients: []fencing.Policy{{WorkBefore: 4 * s, ReadModifyWrite: true}, {WorkBefore: 4 * s, ReadModifyWrite: true}},
		Cure:    "claim first",
		cure:    claimFirst,
	}
}

// RolledBack: the new lock service has lost the last grant and gives out its
// token again, so that two clients hold the same one.
func RolledBack() Scenario {
	claiming := fencing.Policy{WorkBefore: 4 * s, ReadModifyWrite: true, ClaimFirst: true}
	return Scenario{
		Name: "a fail-over rolls the counter back", Source: "Redis documentation, distributed locks: asynchronous replication",
		Config:  fencing.Config{Faults: []fencing.Fault{fencing.FailOver(3 * s).CountingBack(1)}},
		Clients: []fencing.Policy{claiming, claiming},
		Cure:    "a generation in the token",
		cure:    func(s *Scenario) { s.Config.Generations = true },
	}
}

// LossIgnored: the client is told that its lease is lost, and goes on.
func LossIgnored() Scenario {
	return Scenario{
		Name: "the loss is noticed and not acted on", Source: "Kubernetes issue 23731",
		Config: fencing.Config{Faults: []fencing.Fault{
			fencing.PauseAt("client 1", 2*s, 12*s),
		}},
		Clients: []fencing.Policy{{WorkBefore: 6 * s, RenewEvery: 3 * s}, job(1 * s)},
	}
}

// ForgottenByRestart: the storage restarts and has forgotten its fence.
func ForgottenByRestart() Scenario {
	return Scenario{
		Name: "the fence is forgotten by a restart", Source: "Oxia issue 87",
		Config: fencing.Config{FenceForgotten: true, Faults: []fencing.Fault{
			fencing.Pause("client 1", fencing.AfterAcquire, 14*s),
			fencing.RestartStorage(14 * s),
		}},
		Clients: []fencing.Policy{job(1 * s), job(1 * s)},
		Cure:    "a durable fence",
		cure:    func(s *Scenario) { s.Config.FenceForgotten = false },
	}
}

// ForgottenByCleanUp: a clean-up deletes the record, and its fence with it.
func ForgottenByCleanUp() Scenario {
	sc := ForgottenByRestart()
	sc.Name, sc.Source = "the fence is forgotten by a clean-up", "SlateDB issue 352"
	sc.Config.Faults[1] = fencing.CleanUp("report", 14*s)
	return sc
}

// SleepingLaptop: the holder's machine sleeps, its clock with it, so that even
// a look at the clock finds nothing wrong. In the report somebody removed the stale
// lock meanwhile; here its lease ends.
func SleepingLaptop() Scenario {
	careful := fencing.Policy{WorkBefore: 4 * s, CheckFirst: true}
	return Scenario{
		Name: "the holder's laptop sleeps", Source: "restic issue 3126",
		Config:  fencing.Config{Faults: []fencing.Fault{fencing.SuspendAt("client 1", 3*s, 30*s)}},
		Clients: []fencing.Policy{careful, careful},
	}
}

// LongPause: a garbage collection of 79 s.
func LongPause() Scenario {
	return Scenario{
		Name: "a garbage collection of 79 s", Source: "a region server of HBase: xgugeng.com, RegionServer stops after full GC",
		Config:  fencing.Config{Lease: 60 * s, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 79*s)}},
		Clients: []fencing.Policy{job(1 * s), job(1 * s)},
	}
}

// OutlivedLock: the job takes longer than its lock and is done twice.
func OutlivedLock() Scenario {
	invoices := fencing.Policy{WorkBefore: 15 * s, Effect: "send the invoices"}
	return Scenario{
		Name: "a job outlives its lock and runs twice", Source: "ShedLock issue 1596; Quartz issue 782",
		Clients: []fencing.Policy{invoices, invoices},
		Cure:    "an idempotency key",
		cure:    func(s *Scenario) { s.Config.Idempotent = true },
	}
}

// EqualityCheck: the storage takes the first token it saw and no other.
func EqualityCheck() Scenario {
	return Scenario{
		Name: "an equality check locks out every later holder", Source: "etcd issue 11788",
		Config:  fencing.Config{Check: fencing.Equal},
		Clients: []fencing.Policy{job(1 * s), job(1 * s)},
		Cure:    "compare with at least",
		cure:    func(s *Scenario) { s.Config.Check = fencing.AtLeast },
	}
}

// TheHole: the old holder's write is late, but the new holder has only read so
// far, so that the fence does not know of it yet.
func TheHole() Scenario {
	appending := fencing.Policy{ReadModifyWrite: true}
	return Scenario{
		Name: "the hole: late, but not stale", Source: "follows from the check: a fence knows only what it has seen",
		Config:  fencing.Config{Faults: []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 9500*time.Millisecond)}},
		Clients: []fencing.Policy{appending, appending},
		Cure:    "claim first",
		cure:    claimFirst,
	}
}

// TimedOutWrite: a holder's write times out, it writes again, and the first one
// arrives after all: with the same token.
func TimedOutWrite() Scenario {
	return Scenario{
		Name: "a write that timed out arrives after the next", Source: "follows from the check: one grant has one token",
		Config: fencing.Config{Timeout: 1 * s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 4*s)}},
		Program: alone(func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Read("report")
			c.Write("report", "draft", lease.Token)
			c.Write("report", "final", lease.Token)
			c.Work(5 * s)
			c.Release(lease)
		}),
		Cure: "a number within the grant",
		cure: func(s *Scenario) { s.Config.NumberedWrites = true },
	}
}

// alone is a program of one client.
func alone(function func(*fencing.Client)) func(*fencing.World) {
	return func(w *fencing.World) { w.Client("client 1", function) }
}

// redlock is two clients that take a majority of five lock nodes. The one fault is
// what the failure is for a single lock service.
func redlock(name string, one fencing.Fault, faults ...fencing.Fault) Scenario {
	appending := fencing.Policy{ReadModifyWrite: true, WorkBefore: 4 * s}
	return Scenario{
		Name: name, Source: "Kleppmann, How to do distributed locking (2016); Redis documentation, distributed locks",
		Config:  fencing.Config{Nodes: 5, Timeout: 500 * time.Millisecond, Faults: faults},
		Clients: []fencing.Policy{appending, appending},
		Cure:    "a lock service that numbers its grants, and claim first",
		cure: func(sc *Scenario) {
			sc.Config.Nodes, sc.Config.Faults = 0, []fencing.Fault{one}
			claimFirst(sc)
		},
	}
}

// RedlockClockJump: client 1 holds nodes A, B and C; the clock of C jumps;
// client 2 gets C, D and E.
func RedlockClockJump() Scenario {
	return redlock("Redlock: the clock of node C jumps", fencing.JumpClock(fencing.ActorLockService, 2500*time.Millisecond, 20*s),
		fencing.Cut("client 1", "node D", 0, 2*s), fencing.Cut("client 1", "node E", 0, 2*s),
		fencing.JumpClock("node C", 2500*time.Millisecond, 20*s))
}

// RedlockPause: client 1 checks how long the majority took, reads, and pauses
// then.
func RedlockPause() Scenario {
	pause := fencing.Pause("client 1", fencing.BeforeWrite, 14*s)
	return redlock("Redlock: a pause after the check of the elapsed time", pause, pause)
}

// RedlockRestart: node C restarts and has forgotten that it granted the lock.
func RedlockRestart() Scenario {
	return redlock("Redlock: node C restarts without its lock", fencing.FailOver(2500*time.Millisecond),
		fencing.Cut("client 1", "node D", 0, 2*s), fencing.Cut("client 1", "node E", 0, 2*s),
		fencing.RestartNode("node C", 2500*time.Millisecond))
}

func claimFirst(s *Scenario) {
	for i := range s.Clients {
		s.Clients[i].ClaimFirst = true
	}
}
