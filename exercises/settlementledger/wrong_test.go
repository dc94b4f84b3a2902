package settlementledger_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/settlementledger"
	"fencingtokens/exercises/settlementledger/stub"
	"fencingtokens/fencing"
)

type (
	client = fencing.Client
	job    = settlementledger.Job
	lease  = fencing.Lease
)

func of(f settlementledger.Answer) prove.Answer {
	return func(seed uint64) check.Result { return settlementledger.Evaluate(f, seed) }
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
	prove.Exercise(t, of(stub.Settle), of(Settle), wrong)
}

const (
	healthy = "nothing goes wrong, and every job is settled and paid once"
	crash   = "after a crash the next worker finishes"
	paused  = "a worker that was paused stops when it is told"
	late    = "a late write replaces nothing"
	unknown = "no answer is neither written nor not written"
)

// worker is the right worker with some of its parts exchanged.
type worker struct {
	look    func(c *client, j job, l lease) (string, error)
	settled func(c *client, j job, value string) bool
	write   func(c *client, j job, value string, l lease) error
	stop    func(c *client, j job, value string, l lease, err error) error // after a write with an error; nil goes on
	pay     func(c *client, j job, l lease)
}

func (w worker) answer(c *client, j job) error {
	l := c.Acquire(j.Account)
	if w.look == nil {
		w.look = claim
	}
	value, err := w.look(c, j, l)
	if err != nil {
		return err
	}
	if w.settled == nil {
		w.settled = func(_ *client, j job, value string) bool { return j.Settled(value) }
	}
	if !w.settled(c, j, value) {
		if w.write == nil {
			w.write = write
		}
		err := w.write(c, j, value, l)
		if err != nil && w.stop != nil {
			err = w.stop(c, j, value, l, err)
		}
		if err != nil {
			return err
		}
	}
	if w.pay == nil {
		w.pay = pay
	}
	w.pay(c, j, l)
	return c.Release(l)
}

func claim(c *client, j job, l lease) (string, error) { return c.Claim(j.Account, l.Token) }

func read(c *client, j job, _ lease) (string, error) { return c.Read(j.Account) }

func write(c *client, j job, value string, l lease) error {
	return c.Write(j.Account, j.Compute(c, value), l.Token)
}

func pay(c *client, j job, _ lease) { c.Do("payout " + j.Account + " " + j.Period) }

// leaves is the right worker, but for an account that it finds settled.
func leaves(payment func(c *client, j job, l lease)) settlementledger.Answer {
	return func(c *client, j job) error {
		found := false
		return worker{
			settled: func(_ *client, j job, value string) bool { found = j.Settled(value); return found },
			pay: func(c *client, j job, l lease) {
				if !found {
					payment(c, j, l)
				}
			},
		}.answer(c, j)
	}
}

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               settlementledger.Answer
}{
	{name: "does nothing", check: healthy, mistake: "is not settled", answer: func(*client, job) error { return nil }},
	{name: "looks at its clock, then writes", check: healthy, mistake: "does not look", answer: func(c *client, j job) error {
		l := c.Acquire(j.Account)
		value := j.Compute(c, "")
		if !c.Holds(l) {
			return fencing.ErrLeaseLost
		}
		err := c.Write(j.Account, value, l.Token)
		pay(c, j, l)
		return errors.Join(err, c.Release(l))
	}},
	{name: "does not ask whether it is settled", check: healthy, mistake: "settles again what is settled",
		answer: worker{settled: func(*client, job, string) bool { return false }}.answer},
	{name: "looks before it has the lock", check: healthy, mistake: "writes what an older look led to", answer: func(c *client, j job) error {
		value, _ := c.Read(j.Account)
		return worker{look: func(*client, job, lease) (string, error) { return value, nil }}.answer(c, j)
	}},
	{name: "claims, and computes from nothing", check: healthy, mistake: "computes from something else",
		answer: worker{write: func(c *client, j job, _ string, l lease) error { return write(c, j, "", l) }}.answer},
	{name: "writes a word", check: healthy, mistake: "writes something else",
		answer: worker{write: func(c *client, j job, _ string, l lease) error { return c.Write(j.Account, "settled", l.Token) }}.answer},
	{name: "no token", check: healthy, mistake: "no token",
		answer: worker{write: func(c *client, j job, value string, _ lease) error { return write(c, j, value, lease{}) }}.answer},
	{name: "another key", check: healthy, mistake: "another key",
		answer: worker{write: func(c *client, j job, value string, l lease) error {
			return c.Write("ledger", j.Compute(c, value), l.Token)
		}}.answer},
	{name: "never pays", check: healthy, mistake: "does not pay", answer: worker{pay: func(*client, job, lease) {}}.answer},
	{name: "pays before the write", check: healthy, mistake: "pays before it is settled",
		answer: worker{write: func(c *client, j job, value string, l lease) error {
			value = j.Compute(c, value)
			pay(c, j, l)
			return c.Write(j.Account, value, l.Token)
		}}.answer},
	{name: "a payout key for each token", check: healthy, mistake: "another key for each try",
		answer: worker{pay: func(c *client, j job, l lease) { c.Do(fmt.Sprintf("payout %s %s %d", j.Account, j.Period, l.Token)) }}.answer},
	{name: "a payout key for each worker", check: healthy, mistake: "another key for each try",
		answer: worker{pay: func(c *client, j job, _ lease) {
			c.Do(fmt.Sprintf("payout %s %s by %s", j.Account, j.Period, c.Name()))
		}}.answer},
	{name: "the account's value as the payout key", check: healthy, mistake: "another key for each try", answer: func(c *client, j job) error {
		l := c.Acquire(j.Account)
		value, err := claim(c, j, l)
		if err != nil {
			return err
		}
		if !j.Settled(value) {
			value = j.Compute(c, value)
			if err := c.Write(j.Account, value, l.Token); err != nil {
				return err
			}
		}
		c.Do("payout " + j.Account + ": " + value)
		return c.Release(l)
	}},
	{name: "a payout key without the period", check: healthy, mistake: "one key for two payouts",
		answer: worker{pay: func(c *client, j job, _ lease) { c.Do("payout " + j.Account) }}.answer},
	{name: "a payout key without the account", check: healthy, mistake: "one key for two payouts",
		answer: worker{pay: func(c *client, j job, _ lease) { c.Do("payout " + j.Period) }}.answer},
	{name: "never releases", check: healthy, mistake: "the lock is never given back", answer: func(c *client, j job) error {
		l := c.Acquire(j.Account)
		value, err := claim(c, j, l)
		if err == nil && !j.Settled(value) {
			err = write(c, j, value, l)
		}
		if err == nil {
			pay(c, j, l)
		}
		return err
	}},
	{name: "returns an error after it is done", check: healthy, mistake: "gives up although nothing is wrong", answer: func(c *client, j job) error {
		return errors.Join(Settle(c, j), errors.New("done"))
	}},

	{name: "leaves when it is settled", check: crash, mistake: "a payout is lost", answer: leaves(pay)},
	{name: "leaves when it is settled, with a key for each token", check: crash, mistake: "a payout is lost",
		answer: leaves(func(c *client, j job, l lease) { c.Do(fmt.Sprintf("payout %s %d", j, l.Token)) })},
	{name: "does not wait for the lock", check: crash, mistake: "nobody finishes", answer: func(c *client, j job) error {
		for range 8 { // long enough while nothing is wrong
			l, err := c.TryAcquire(j.Account)
			if err == nil {
				c.Release(l)
				return Settle(c, j)
			}
			c.Sleep(j.Takes / 10)
		}
		return fencing.ErrHeld
	}},

	{name: "does not look at the claim's error", check: paused, mistake: "tries again with the token that was refused",
		answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, _ := claim(c, j, l)
			return value, nil
		}}.answer},
	{name: "does not look at the write's error", check: paused, mistake: "goes on after it was told",
		answer: worker{stop: func(*client, job, string, lease, error) error { return nil }}.answer},
	{name: "deletes when it is refused", check: paused, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, _ string, l lease, err error) error {
			c.Delete(j.Account, l.Token)
			return err
		}}.answer},
	{name: "writes the old value back when it is refused", check: paused, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			c.Write(j.Account, value, l.Token)
			return err
		}}.answer},
	{name: "tries again when it is refused", check: paused, mistake: "tries again with the token that was refused",
		answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			for range 3 {
				if err != nil {
					err = write(c, j, value, l)
				}
			}
			return err
		}}.answer},
	{name: "asks for a fresh token, and tries again", check: paused, mistake: "a token that is not its own",
		answer: worker{stop: func(c *client, j job, value string, _ lease, err error) error {
			token, _ := c.CurrentToken(j.Account)
			return c.Write(j.Account, j.Compute(c, value), token)
		}}.answer},
	{name: "takes a new lease for the old value", check: paused, mistake: "writes what an older look led to",
		answer: worker{stop: func(c *client, j job, value string, _ lease, err error) error {
			if !errors.Is(err, fencing.ErrFenced) {
				return err
			}
			l := c.Acquire(j.Account)
			defer c.Release(l)
			return write(c, j, value, l)
		}}.answer},

	{name: "hides that it was refused", check: late, mistake: "hides that it was refused", answer: func(c *client, j job) error {
		if err := Settle(c, j); !errors.Is(err, fencing.ErrFenced) {
			return err
		}
		return nil
	}},
	{name: "reads in place of a claim", check: late, mistake: "reads in place of a claim", answer: worker{look: read}.answer},
	{name: "reads, then claims", check: late, mistake: "reads in place of a claim",
		answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, _ := read(c, j, l)
			_, err := claim(c, j, l)
			return value, err
		}}.answer},

	{name: "takes a time-out for written", check: unknown, mistake: "takes a time-out for written",
		answer: worker{stop: func(_ *client, _ job, _ string, _ lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return nil
			}
			return err
		}}.answer},
	{name: "takes a time-out for not written", check: unknown, mistake: "takes a time-out for not written",
		answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			for errors.Is(err, fencing.ErrTimeout) {
				err = write(c, j, value, l)
			}
			return err
		}}.answer},
	{name: "looks again after a time-out, under the same lease", check: unknown, mistake: "takes a time-out for not written",
		answer: worker{stop: func(c *client, j job, _ string, l lease, err error) error {
			for errors.Is(err, fencing.ErrTimeout) {
				value, _ := claim(c, j, l)
				if j.Settled(value) {
					return nil
				}
				err = write(c, j, value, l)
			}
			return err
		}}.answer},
	{name: "writes the old value back after a time-out", check: unknown, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) && value != "" {
				c.Write(j.Account, value, l.Token)
			} else if errors.Is(err, fencing.ErrTimeout) {
				c.Delete(j.Account, l.Token)
			}
			return err
		}}.answer},
	{name: "hides that there was no answer", check: unknown, mistake: "hides that there was no answer", answer: func(c *client, j job) error {
		if err := Settle(c, j); !errors.Is(err, fencing.ErrTimeout) {
			return err
		}
		return nil
	}},
	{name: "takes a claim without an answer for an empty account", check: unknown, mistake: "takes no answer for an empty account",
		answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, err := claim(c, j, l)
			if errors.Is(err, fencing.ErrTimeout) {
				err = nil
			}
			return value, err
		}}.answer},

	{name: "a panic", check: healthy, mistake: "panic", state: check.Panicked, answer: func(*client, job) error { panic("no idea") }},
	{name: "an exit", check: healthy, mistake: "ends its goroutine", answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
