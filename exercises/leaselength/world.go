package leaselength

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

// String says in one line what a learner must know of the measurement.
func (m Measured) String() string {
	s := func(d time.Duration) string { return fencing.Seconds(d.Round(time.Millisecond)) }
	return fmt.Sprintf("a job of %s; pauses of %s (p50), %s (p99), %s (p99.9), %s (longest); round trip %s; renewed every %s, and %d in a row may be lost; clocks apart by %d ppm; take-over within %s",
		s(m.Job), s(m.P50), s(m.P99), s(m.P999), s(m.Longest), s(m.RoundTrip), s(m.RenewEvery), m.Losses, m.DriftPPM, s(m.TakeOver))
}

// between is the longest time from one renewal that arrives to the next, if so many
// are lost.
func (m Measured) between(losses int) time.Duration {
	return time.Duration(losses+1)*m.RenewEvery + m.P999 + m.RoundTrip
}

func (m Measured) drifted(d time.Duration) time.Duration {
	return d + d*time.Duration(m.DriftPPM)/1_000_000
}

// least is the shortest lease that healthy holders keep.
func (m Measured) least() time.Duration { return m.drifted(m.between(m.Losses)) }

// worlds draws measurements: some with room between the two sides, some in which
// these just miss each other, and one that asks for far too much.
func worlds(seed uint64) []Measured {
	random := rand.New(rand.NewPCG(seed, 0))
	tenths := func(from, to int) time.Duration {
		return time.Duration(from+random.IntN(to-from+1)) * 100 * time.Millisecond
	}
	list := make([]Measured, 7)
	for i := range list {
		m := Measured{P50: time.Duration(1+random.IntN(9)) * time.Millisecond, P999: tenths(60, 120), RoundTrip: tenths(1, 4),
			RenewEvery: tenths(10, 20), Losses: 1 + random.IntN(2), DriftPPM: 500 + random.Int64N(500)}
		m.P99 = m.P999 / 4
		least := m.least()
		switch {
		case i < 3: // room for whoever counts a little more than is needed
			m.TakeOver = m.drifted(least*time.Duration(125+random.IntN(75))/100) + m.RoundTrip
		case i < 6: // too little by half of the smallest part of the sum, which is the drift
			m.TakeOver = m.drifted(least-(least-m.between(m.Losses))/2) + m.RoundTrip
		default:
			m.TakeOver = m.P999
		}
		m.TakeOver = m.TakeOver.Truncate(time.Millisecond)
		m.Longest = m.TakeOver + tenths(50, 400)
		m.Job = tenths(5, 25)
		if i%2 == 1 {
			m.Job = m.TakeOver + tenths(1, 300)
		}
		list[i] = m
	}
	return list
}

// The clients of every run, by their names.
const (
	holder = "holder"
	next   = "next in line"
	lock   = "report"

	// instant is by how much a run stays below what was measured as the most.
	instant = 100 * time.Microsecond
)

// healthy runs a holder that meets the slowest of everything, in the worst order: a
// renewal that arrives at once, so many that are lost, a pause, and a renewal that
// takes the whole round trip; and the lock service's clock is fast.
func (m Measured) healthy(lease time.Duration, losses int) *fencing.Trace {
	decisive := losses + 2
	faults := []fencing.Fault{
		fencing.Pause(holder, fencing.BeforeRenew, m.P999).Time(decisive),
		fencing.Delay(holder, fencing.RenewRequest, m.RoundTrip-instant).Time(decisive),
	}
	for n := 2; n < decisive; n++ {
		faults = append(faults, fencing.Drop(holder, fencing.RenewRequest).Time(n))
	}
	return m.run("a healthy holder", lease, m.DriftPPM, faults)
}

// crash runs a holder that crashes when it has just sent a renewal that takes the
// whole round trip; and the lock service's clock is slow.
func (m Measured) crash(lease time.Duration) *fencing.Trace {
	slow := m.DriftPPM * 1_000_000 / (1_000_000 + m.DriftPPM)
	return m.run("a crash", lease, -slow, []fencing.Fault{
		fencing.Delay(holder, fencing.RenewRequest, m.RoundTrip-instant),
		fencing.CrashAt(holder, m.RenewEvery+instant),
	})
}

func (m Measured) run(name string, lease time.Duration, ppm int64, faults []fencing.Fault) *fencing.Trace {
	world := fencing.NewWorld(fencing.Config{
		Name: name, Lease: lease, Faults: faults, Clocks: []fencing.Clock{{Actor: fencing.ActorLockService, PPM: ppm}},
		Timeout: (m.RoundTrip + m.RenewEvery) / 2, // a renewal that is lost is given up before the next is due
	})
	world.Client(holder, func(c *fencing.Client) {
		held := c.Acquire(lock)
		c.KeepAlive(held, m.RenewEvery)
		c.Work(time.Duration(m.Losses+3)*m.RenewEvery + m.P999)
		_ = c.Release(held)
	})
	world.Client(next, func(c *fencing.Client) {
		c.Sleep(instant)
		_ = c.Release(c.Acquire(lock))
	})
	return world.Run()
}
