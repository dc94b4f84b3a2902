package settlementledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what the worker returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the worker here")

// Job is one account and one period to settle.
type Job struct {
	Account string        // the lock, and the key under which the account's settlements are kept
	Period  string        // for example "day 17"
	Takes   time.Duration // how long it takes to compute
}

// Settled reports whether the account's value has a settlement of the period. The
// value of an account that was never settled is "".
func (j Job) Settled(value string) bool {
	for _, settlement := range settlements(value) {
		if strings.HasPrefix(settlement, j.Period+": ") {
			return true
		}
	}
	return false
}

// Compute reads the bookings of the period, which takes a while, and returns the
// account's value with the settlement of the period added. It writes nothing.
// Bookings still come in: who computes later may find more of them.
func (j Job) Compute(c *fencing.Client, value string) string {
	c.Work(j.Takes)
	settlement := fmt.Sprintf("%s: %d", j.Period, c.Now()/(10*time.Millisecond))
	return strings.Join(append(settlements(value), settlement), separator)
}

const separator = ", "

func settlements(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, separator)
}

// String names the job in a few words.
func (j Job) String() string { return j.Account + ", " + j.Period }

// Answer is what a learner hands in. It returns nil if the account and period is
// settled and paid, and the error that stopped it otherwise.
type Answer = func(c *fencing.Client, job Job) error

// Check runs settle in several worlds and reports what it found. A seed repeats a
// run; without one, the worlds are new every time.
func Check(t testing.TB, settle Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, settle, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(settle Answer, seed uint64) check.Result { return task.Evaluate(settle, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(settle Answer) bool {
	if settle == nil {
		return false
	}
	tries := newWorld(1).run(settle).tries
	return len(tries) == 0 || !errors.Is(tries[0].err, ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "settlementledger",
	Todo: "Write the worker, run its cell, then run this one again.",
	Call: "settlementledger.Check(t, Settle, %d)",
	Right: "the claim shows what is committed and keeps older holders out, so that nobody settles on top of something old. " +
		"Every way out leaves the account to whoever comes next. And because the payout’s key belongs to account and period, whoever comes next may ask for it again.",
	Hints: []string{
		"Go through your steps and let the worker die after each of them. What does the next one find, and what is left for it to do? Look hardest at the moment between the write and the payout.",
		"Claim first. If the account is not settled: compute and write once, with your token, and return any error as it is. Then the payout, also if you found the account settled: the one who settled it may have died before it paid. The key decides whether it is paid twice.",
		"lease := c.Acquire(job.Account); value, err := c.Claim(job.Account, lease.Token), return err; if !job.Settled(value) { err := c.Write(job.Account, job.Compute(c, value), lease.Token), return err }; c.Do(\"payout \" + job.Account + \" \" + job.Period); return c.Release(lease).",
	},
}

func checks(settle Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: healthyCheck, Judge: nothingGoesWrong},
		{Name: "after a crash the next worker finishes", Judge: crashes},
		{Name: "a worker that was paused stops when it is told", Judge: pauses},
		{Name: "a late write replaces nothing", Judge: lateWrites},
		{Name: "no answer is neither written nor not written", Judge: noAnswer},
	}
	return check.Each(rules, func(number int, rule func(*attempt) check.Finding) check.Finding {
		return rule(&attempt{settle: settle, seed: seed + uint64(number)<<32})
	})
}
