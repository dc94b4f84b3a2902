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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Length), of(Length), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               leaselength.Answer
}{
	{name: "twice the job", check: keptCheck, mistake: "the length of the job", answer: always(func(m measured) time.Duration { return 2 * m.Job })},
	{name: "three intervals", check: keptCheck, mistake: "a multiple of the interval", answer: always(func(m measured) time.Duration { return 3 * m.RenewEvery })},
	{name: "the pause and the round trip", check: keptCheck, mistake: "no room for the interval", answer: fits(func(m measured) time.Duration { return drift(m, m.P999+m.RoundTrip) })},
	{name: "the p99", check: keptCheck, mistake: "a shorter pause than the p99.9", answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P99+m.RoundTrip) })},
	{name: "the median", check: keptCheck, mistake: "a shorter pause than the p99.9", answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P50+m.RoundTrip) })},
	{name: "a third of a second", check: keptCheck, mistake: "too short", answer: always(func(measured) time.Duration { return 333 * time.Millisecond })},
	{name: "forgets the unit", check: keptCheck, mistake: "no length", answer: always(func(measured) time.Duration { return 30 })},
	{name: "a hundred hours", check: keptCheck, mistake: "no length", answer: always(func(measured) time.Duration { return 100 * time.Hour })},

	{name: "no lost renewal", check: lostCheck, mistake: "no room for a lost renewal", answer: fits(func(m measured) time.Duration { return drift(m, m.RenewEvery+m.P999+m.RoundTrip) })},
	{name: "no round trip", check: lostCheck, mistake: "no room for the round trip", answer: fits(func(m measured) time.Duration { return drift(m, intervals(m)+m.P999) })},
	{name: "no drift", check: lostCheck, mistake: "no room for drift", answer: fits(func(m measured) time.Duration { return intervals(m) + m.P999 + m.RoundTrip })},
	{name: "drift counted for the take-over alone", check: lostCheck, mistake: "no room for drift", answer: func(m measured) (time.Duration, bool) {
		most := (m.TakeOver - m.RoundTrip) * 1_000_000 / time.Duration(1_000_000+m.DriftPPM)
		return most, intervals(m)+m.P999+m.RoundTrip <= most
	}},

	{name: "to outlast the longest pause", check: overCheck, mistake: "the longest pause ever seen", answer: always(func(m measured) time.Duration { return right(m) - m.P999 + m.Longest })},
	{name: "the lease compared with the take-over", check: overCheck, mistake: "the lease alone taken for the take-over", answer: func(m measured) (time.Duration, bool) { return right(m), right(m) <= m.TakeOver }},
	{name: "no drift in the take-over", check: overCheck, mistake: "the lease alone taken for the take-over", answer: func(m measured) (time.Duration, bool) { return right(m), right(m)+m.RoundTrip <= m.TakeOver }},
	{name: "twice what is needed", check: overCheck, mistake: "take-over ignored", answer: always(func(m measured) time.Duration { return min(m.Longest-1, max(m.TakeOver, 2*right(m))) })},

	{name: "impossible if the longest pause does not fit", check: possibleCheck, mistake: "gives up where a length would do", answer: func(m measured) (time.Duration, bool) {
		if m == leaselength.Example {
			return right(m), true
		}
		return right(m), m.Longest < m.TakeOver
	}},

	{name: "a panic", check: keptCheck, mistake: "panic", state: check.Panicked, answer: func(m measured) (time.Duration, bool) {
		zero := m.P50 - m.P50
		return m.P999 / zero, true
	}},
	{name: "an exit", check: keptCheck, mistake: "ends its goroutine", answer: func(measured) (time.Duration, bool) { runtime.Goexit(); return 0, true }},
}

// No fixed length, and no fixed answer, is right for what is drawn.
func TestAFixedLengthNeverPasses(t *testing.T) {
	for seed := range uint64(5) {
		for d := time.Second; d < time.Minute; d += time.Second {
			assert.Equal(t, check.Failed, of(always(func(measured) time.Duration { return d }))(seed).State, "%s, seed %d", d, seed)
		}
	}
}
