package leaselength_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/leaselength"
	"fencingtokens/exercises/leaselength/stub"
)

type measured = leaselength.Measured

func of(answer leaselength.Answer) prove.Answer {
	return func(seed uint64) check.Result { return leaselength.Evaluate(answer, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Length, Length, catalogue)
}

const (
	keptCheck     = "healthy holders keep the lock"
	lostCheck     = "lost renewals are survived"
	overCheck     = "after a crash somebody takes over in time"
	possibleCheck = "impossible only where it is"
)

// drift adds that of a measurement to a length.
func drift(m measured, d time.Duration) time.Duration {
	return d * time.Duration(1_000_000+m.DriftPPM) / 1_000_000
}

func intervals(m measured) time.Duration { return time.Duration(m.Losses+1) * m.RenewEvery }

// fits is a length that is given if the take-over allows it, with all that counts.
func fits(length func(measured) time.Duration) leaselength.Answer {
	return func(m measured) (time.Duration, bool) {
		d := length(m)
		return d, drift(m, d)+m.RoundTrip <= m.TakeOver
	}
}

// always is a length that is given whatever the take-over.
func always(length func(measured) time.Duration) leaselength.Answer {
	return func(m measured) (time.Duration, bool) { return length(m), true }
}

func right(m measured) time.Duration {
	d, _ := Length(m)
	return d
}

var catalogue = []prove.Wrong[leaselength.Answer]{
	{Name: "twice the job", Check: keptCheck, Mistake: "the length of the job", Answer: always(func(m measured) time.Duration { return 2 * m.Job })},
	{Name: "three intervals", Check: keptCheck, Mistake: "a multiple of the interval", Answer: always(func(m measured) time.Duration { return 3 * m.RenewEvery })},
	{Name: "the pause and the round trip", Check: keptCheck, Mistake: "no room for the interval", Answer: fits(func(m measured) time.Duration { return drift(m, m.P999+m.RoundTrip) })},
	{Name: "the p99", Check: keptCheck, Mistake: "a shorter pause than the p99.9", Answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P99+m.RoundTrip) })},
	{Name: "the median", Check: keptCheck, Mistake: "a shorter pause than the p99.9", Answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P50+m.RoundTrip) })},
	{Name: "a third of a second", Check: keptCheck, Mistake: "too short", Answer: always(func(measured) time.Duration { return 333 * time.Millisecond })},
	{Name: "forgets the unit", Check: keptCheck, Mistake: "no length", Answer: always(func(measured) time.Duration { return 30 })},
	{Name: "a hundred hours", Check: keptCheck, Mistake: "no length", Answer: always(func(measured) time.Duration { return 100 * time.Hour })},

	{Name: "no lost renewal", Check: lostCheck, Mistake: "no room for a lost renewal", Answer: fits(func(m measured) time.Duration { return drift(m, m.RenewEvery+m.P999+m.RoundTrip) })},
	{Name: "no round trip", Check: lostCheck, Mistake: "no room for the round trip", Answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P999) })},
	{Name: "no drift", Check: lostCheck, Mistake: "no room for drift", Answer: fits(func(m measured) time.Duration { return intervals(m) + m.P999 + m.RoundTrip })},
	{Name: "drift counted for the take-over alone", Check: lostCheck, Mistake: "no room for drift", Answer: func(m measured) (time.Duration, bool) {
		most := (m.TakeOver - m.RoundTrip) * 1_000_000 / time.Duration(1_000_000+m.DriftPPM)
		return most, intervals(m)+m.P999+m.RoundTrip <= most
	}},

	{Name: "to outlast the longest pause", Check: overCheck, Mistake: "the longest pause ever seen", Answer: always(func(m measured) time.Duration { return right(m) - m.P999 + m.Longest })},
	{Name: "the lease compared with the take-over", Check: overCheck, Mistake: "the lease alone taken for the take-over", Answer: func(m measured) (time.Duration, bool) { return right(m), right(m) <= m.TakeOver }},
	{Name: "no drift in the take-over", Check: overCheck, Mistake: "the lease alone taken for the take-over", Answer: func(m measured) (time.Duration, bool) { return right(m), right(m)+m.RoundTrip <= m.TakeOver }},
	{Name: "twice what is needed", Check: overCheck, Mistake: "take-over ignored", Answer: always(func(m measured) time.Duration { return min(m.Longest-1, max(m.TakeOver, 2*right(m))) })},

	{Name: "impossible if the longest pause does not fit", Check: possibleCheck, Mistake: "gives up where a length would do", Answer: func(m measured) (time.Duration, bool) {
		if m == leaselength.Example {
			return right(m), true
		}
		return right(m), m.Longest < m.TakeOver
	}},

	{Name: "a panic", Check: keptCheck, Mistake: "panic", State: check.Panicked, Answer: func(m measured) (time.Duration, bool) {
		zero := m.P50 - m.P50
		return m.P999 / zero, true
	}},
	{Name: "an exit", Check: keptCheck, Mistake: "ends its goroutine", Answer: func(measured) (time.Duration, bool) { runtime.Goexit(); return 0, true }},
}

// No fixed length, and no fixed answer, is right for what is drawn.
func TestAFixedLengthNeverPasses(t *testing.T) {
	for seed := range uint64(5) {
		for d := time.Second; d < time.Minute; d += time.Second {
			assert.Equal(t, check.Failed, of(always(func(measured) time.Duration { return d }))(seed).State, "%s, seed %d", d, seed)
		}
	}
}
