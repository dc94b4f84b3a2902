package leaselength

import (
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
)

// Measured is what is known of the machines, of the network, and of what is wanted.
type Measured struct {
	Job time.Duration // how long a job takes, at the median

	P50, P99, P999 time.Duration // pauses of a holder, by percentile
	Longest        time.Duration // the longest pause ever seen

	RoundTrip  time.Duration // to the lock service and back, at the slowest; it may all be on the way there
	RenewEvery time.Duration // how often a holder renews
	Losses     int           // so many renewals in a row may be lost; the next try is the next renewal
	DriftPPM   int64         // the lock service’s clock and a true one run apart by at most so many parts per million

	TakeOver time.Duration // after a crash somebody else must have the lock within this time
}

// Example is a measurement to try an answer with. The check takes others.
var Example = Measured{
	Job: 12 * time.Second,
	P50: 5 * time.Millisecond, P99: 1 * time.Second, P999: 4 * time.Second, Longest: 70 * time.Second,
	RoundTrip: 200 * time.Millisecond, RenewEvery: 2 * time.Second, Losses: 1, DriftPPM: 500,
	TakeOver: 20 * time.Second,
}

// Answer returns how long the lease should be, and false if no length will do.
type Answer = func(Measured) (time.Duration, bool)

// Check runs the lengths that answer chooses for several measurements and reports
// what it found. A seed repeats a run; without one, the numbers are new every time.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

// attempted: for the example there is a length.
func attempted(answer Answer) bool {
	if answer == nil {
		return false
	}
	lease, possible := answer(Example)
	return lease != 0 || possible
}

var exercise = check.Exercise{
	Name: "leaselength",
	Todo: "Return a length in Length (there is one for leaselength.Example), run its cell, then run this one again.",
	Call: "leaselength.Check(t, Length, %d)",
	Right: "the lease outlasts what healthy holders meet, and ends soon enough for the take-over; where the two do not meet, it says so. " +
		"It keeps nothing safe: one pause in a thousand is longer than the p99.9, and then only a fence helps.",
	Hints: []string{
		"There are two sides. How much time can lie between two renewals that reach the lock service, if a holder is healthy? And how long does a crash keep the lock from everybody else?",
		"From one renewal that arrives to the next: the intervals (one more than may be lost), a pause just before the last one, and its way to the lock service. The lock service’s clock may be fast. After a crash: a renewal may still be on its way, and the clock may be slow.",
		"At least (m.Losses+1)*m.RenewEvery + m.P999 + m.RoundTrip, and m.DriftPPM millionths of that more. At most such that the lease, its drift and m.RoundTrip together are not above m.TakeOver. If the first is above the second: 0, false.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: "healthy holders keep the lock", Judge: kept},
		{Name: "lost renewals are survived", Judge: survived},
		{Name: "after a crash somebody takes over in time", Judge: takenOver},
		{Name: "impossible only where it is", Judge: notGivenUp},
	}
	return check.Each(rules, func(_ int, rule func(*attempt) check.Finding) check.Finding { return judge(answer, seed, rule) })
}
