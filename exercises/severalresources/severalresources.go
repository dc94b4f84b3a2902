package severalresources

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// ErrNotAttempted is what the transfer returns in the cell as it is handed out.
var ErrNotAttempted = errors.New("not attempted yet: write the transfer here")

// Record is a key that may hold the balances of all accounts, for those who keep
// them in one record. Its lock has the same name.
const Record = "all balances"

// opening is what every account holds at the beginning.
const opening = 100

// Job is one transfer. Every account is a key of the storage, and its lock has the
// account's name. A value of "" says that the account still holds what it began with.
type Job struct {
	From, To string        // the accounts
	Amount   int           // what goes from one to the other
	Work     time.Duration // how long it takes to compute
}

// Move works for a while and returns the values of both accounts after the
// transfer, for the values that they hold before it.
func (j Job) Move(c *fencing.Client, from, to string) (newFrom, newTo string) {
	c.Work(j.Work)
	return strconv.Itoa(balance(from) - j.Amount), strconv.Itoa(balance(to) + j.Amount)
}

// MoveIn is Move for the value of a record that holds the balances of all accounts.
func (j Job) MoveIn(c *fencing.Client, record string) string {
	from, to := j.Move(c, find(record, j.From), find(record, j.To))
	return put(put(record, j.From, from), j.To, to)
}

// balance reads a value; what is no number counts as what the account began with.
func balance(value string) int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return opening
	}
	return n
}

// find returns what a record says of an account, "" if nothing.
func find(record, account string) string {
	for line := range strings.Lines(record) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name == account {
			return value
		}
	}
	return ""
}

func put(record, account, value string) string {
	var kept strings.Builder
	for line := range strings.Lines(record) {
		if !strings.HasPrefix(line, account+": ") {
			kept.WriteString(line)
		}
	}
	return kept.String() + fmt.Sprintf("%s: %s\n", account, value)
}

// Answer is what a learner hands in.
type Answer struct {
	// Transfer does one job. It returns nil if the money has moved, and the error
	// that stopped it otherwise.
	Transfer func(c *fencing.Client, job Job) error
	// HalfDone is a prediction, "yes" or "no": may a client that dies, or comes too
	// late, in the middle of Transfer leave one account changed and the other not?
	HalfDone string
}

// Check runs the transfers in several worlds and reports what it found. A seed
// repeats a run; without one, the worlds are new every time.
func Check(t testing.TB, transfers func() Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, transfers, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(transfers func() Answer, seed uint64) check.Result {
	return task.Evaluate(transfers, seed)
}

var task = check.Task[func() Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(transfers func() Answer) bool {
	if transfers == nil {
		return false
	}
	a := transfers()
	if a.Transfer == nil {
		return a.HalfDone != ""
	}
	r := newWorld(1).run(a)
	return a.HalfDone != "" || !errors.Is(r.returned["client 1"], ErrNotAttempted)
}

var exercise = check.Exercise{
	Name: "severalresources",
	Todo: "Write the transfer and your prediction, run that cell, then run this one again.",
	Call: "severalresources.Check(t, Transfers, %d)",
	Right: "every account accepted only what the newest holder of its lock computed from what it had claimed. " +
		"Fencing orders the writes of each key and does not tie two keys together: what has to change together has to be one write, to one record with one fence.",
	Hints: []string{
		"How many fences does a transfer meet, and whose token does each of them want? And what does a claim of the first account tell you about the second?",
		"Lock both accounts, always in the same order whichever way the money goes. Claim both, each with its own lock’s token, before you write anything. Then ask what is left behind if the client dies between its two writes. Or keep all balances in one record.",
		"With one record: lease := c.Acquire(severalresources.Record); record, err := c.Claim(severalresources.Record, lease.Token); c.Write(severalresources.Record, job.MoveIn(c, record), lease.Token); release; and look at every error. It is one write: is it ever half done?",
	},
}

func checks(transfers func() Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: healthyCheck, Judge: nothingGoesWrong},
		{Name: "two transfers in opposite directions do not block each other", Judge: opposite},
		{Name: "a late write changes nothing that the next holder has looked at", Judge: lateWrites},
		{Name: "nothing is written before everything is claimed", Judge: claimsFirst},
		{Name: "what a crash leaves behind is what you said", Judge: halfDone},
	}
	return check.Each(rules, func(number int, rule func(*attempt) check.Finding) check.Finding {
		a := &attempt{answer: transfers(), seed: seed + uint64(number)<<32}
		if a.answer.Transfer == nil {
			return check.Fail("no transfer", "your answer", "a Transfer", "it is nil", "Fill in both fields: what moves the money, and what a crash may leave.")
		}
		return rule(a)
	})
}
