package sample

import "time"

// common is what the four cases share; see Cases for why.
func common() Case {
	return Case{
		Lease: 10 * time.Second, Timeout: time.Second,
		Stalls: TypicalStalls(), Delays: TypicalDelays(),
		StalledPPM: 10, DelayedPPM: 10, FailOverPPM: 1,
		LockCentsPerYear: 10_000, FencingCentsPerYear: 40_000, ConsensusCentsPerYear: 300_000, WaitCentsPerHour: 1_000,
		LockLatency: time.Millisecond, ConsensusLatency: 4 * time.Millisecond, ClaimLatency: time.Millisecond,
	}
}

// DailyReport is a report that two machines make every night so that one is
// surely made. Assumptions: it takes 1 to 3 minutes, the clocks of the two agree
// within 2 s, a second report costs computing and an e-mail too many, and that
// one of two equal reports replaces the other costs nothing.
func DailyReport() Case {
	c := common()
	c.Name, c.Once = "daily report", true
	c.JobsPerYear = 365
	c.Work = Uniform(time.Minute, 3*time.Minute)
	c.RivalAfter = Uniform(0, 2*time.Second)
	c.Lease = time.Minute
	c.StalledPPM, c.DelayedPPM, c.FailOverPPM = 1000, 1000, 100
	c.DuplicateCents, c.CorruptedCents = 200, 0
	return c
}

// CacheRebuild is a cache entry that is computed anew when it is missed.
// Assumptions: it takes about half a second, the next miss comes within 10 s,
// computing it twice costs a cent, and an entry that is a little older than it
// could be is worth nothing.
func CacheRebuild() Case {
	c := common()
	c.Name, c.Once = "cache rebuild", true
	c.JobsPerYear = 10_000_000
	c.Work = Percentiles(500*time.Millisecond, 800*time.Millisecond, 2*time.Second, 4*time.Second, 8*time.Second)
	c.RivalAfter = Uniform(0, 10*time.Second)
	c.WaitCentsPerHour = 100
	c.DuplicateCents, c.CorruptedCents = 1, 0
	return c
}

// Ledger is an account whose balance is read, changed and written. Assumptions:
// that takes some milliseconds, the next change of a busy account comes within
// 10 s, and a lost booking costs 200 units until it is found, explained and put
// right. Nothing is done twice: every change is its own.
func Ledger() Case {
	c := common()
	c.Name = "ledger"
	c.JobsPerYear = 20_000_000
	c.Work = Percentiles(20*time.Millisecond, 50*time.Millisecond, 200*time.Millisecond, time.Second, 2*time.Second)
	c.RivalAfter = Uniform(0, 10*time.Second)
	c.DuplicateCents, c.CorruptedCents = 0, 20_000
	return c
}

// JobScheduler is a queue of jobs that idle workers poll. Assumptions: a job
// takes seconds, another worker polls within 5 s, machines are pre-empted more
// often than elsewhere, a job done twice costs 5 units (an e-mail campaign sent
// again, an apology), a run's record overwritten 10.
func JobScheduler() Case {
	c := common()
	c.Name, c.Once = "job scheduler", true
	c.JobsPerYear = 2_000_000
	c.Work = Percentiles(2*time.Second, 10*time.Second, 60*time.Second, 2*time.Minute, 5*time.Minute)
	c.RivalAfter = Uniform(0, 5*time.Second)
	c.Lease = 30 * time.Second
	c.StalledPPM, c.DelayedPPM, c.FailOverPPM = 100, 10, 5
	c.DuplicateCents, c.CorruptedCents = 500, 1_000
	return c
}

// Cases returns the four cases.
//
// Their prices and rates are assumptions of this course, round numbers to think
// with; change them. A single lock node costs 100 units a year, fencing 400, a
// consensus service 3,000. Of a million jobs 10 stall noticeably, 10 have a late
// write, and during 1 the lock service fails over, where a case says nothing else.
//
// The latencies follow from two facts: within a data centre a round trip takes up
// to several hundred microseconds, and making a write durable takes often less
// than 1 ms on an SSD (etcd documentation, "Performance"). With 0.5 ms and 1 ms a
// single node answers acquire and release in 0.5 ms each, from memory; a
// consensus service adds a round trip between its nodes and a durable write to
// each, which makes 4 ms together.
func Cases() []Case { return []Case{DailyReport(), CacheRebuild(), Ledger(), JobScheduler()} }
