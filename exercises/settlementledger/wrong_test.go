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
	prove.Exercise(t, of, stub.Settle, Settle, catalogue)
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

var catalogue = []prove.Wrong[settlementledger.Answer]{
	{Name: "does nothing", Check: healthy, Mistake: "is not settled", Answer: func(*client, job) error { return nil }},
	{Name: "looks at its clock, then writes", Check: healthy, Mistake: "does not look", Answer: func(c *client, j job) error {
		l := c.Acquire(j.Account)
		value := j.Compute(c, "")
		if !c.Holds(l) {
			return fencing.ErrLeaseLost
		}
		err := c.Write(j.Account, value, l.Token)
		pay(c, j, l)
		return errors.Join(err, c.Release(l))
	}},
	{Name: "does not ask whether it is settled", Check: healthy, Mistake: "settles again what is settled",
		Answer: worker{settled: func(*client, job, string) bool { return false }}.answer},
	{Name: "looks before it has the lock", Check: healthy, Mistake: "writes what an older look led to", Answer: func(c *client, j job) error {
		value, _ := c.Read(j.Account)
		return worker{look: func(*client, job, lease) (string, error) { return value, nil }}.answer(c, j)
	}},
	{Name: "claims, and computes from nothing", Check: healthy, Mistake: "computes from something else",
		Answer: worker{write: func(c *client, j job, _ string, l lease) error { return write(c, j, "", l) }}.answer},
	{Name: "writes a word", Check: healthy, Mistake: "writes something else",
		Answer: worker{write: func(c *client, j job, _ string, l lease) error { return c.Write(j.Account, "settled", l.Token) }}.answer},
	{Name: "no token", Check: healthy, Mistake: "no token",
		Answer: worker{write: func(c *client, j job, value string, _ lease) error { return write(c, j, value, lease{}) }}.answer},
	{Name: "another key", Check: healthy, Mistake: "another key",
		Answer: worker{write: func(c *client, j job, value string, l lease) error {
			return c.Write("ledger", j.Compute(c, value), l.Token)
		}}.answer},
	{Name: "never pays", Check: healthy, Mistake: "does not pay", Answer: worker{pay: func(*client, job, lease) {}}.answer},
	{Name: "pays before the write", Check: healthy, Mistake: "pays before it is settled",
		Answer: worker{write: func(c *client, j job, value string, l lease) error {
			value = j.Compute(c, value)
			pay(c, j, l)
			return c.Write(j.Account, value, l.Token)
		}}.answer},
	{Name: "a payout key for each token", Check: healthy, Mistake: "another key for each try",
		Answer: worker{pay: func(c *client, j job, l lease) { c.Do(fmt.Sprintf("payout %s %s %d", j.Account, j.Period, l.Token)) }}.answer},
	{Name: "a payout key for each worker", Check: healthy, Mistake: "another key for each try",
		Answer: worker{pay: func(c *client, j job, _ lease) {
			c.Do(fmt.Sprintf("payout %s %s by %s", j.Account, j.Period, c.Name()))
		}}.answer},
	{Name: "the account's value as the payout key", Check: healthy, Mistake: "another key for each try", Answer: func(c *client, j job) error {
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
	{Name: "a payout key without the period", Check: healthy, Mistake: "one key for two payouts",
		Answer: worker{pay: func(c *client, j job, _ lease) { c.Do("payout " + j.Account) }}.answer},
	{Name: "a payout key without the account", Check: healthy, Mistake: "one key for two payouts",
		Answer: worker{pay: func(c *client, j job, _ lease) { c.Do("payout " + j.Period) }}.answer},
	{Name: "never releases", Check: healthy, Mistake: "the lock is never given back", Answer: func(c *client, j job) error {
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
	{Name: "returns an error after it is done", Check: healthy, Mistake: "gives up although nothing is wrong", Answer: func(c *client, j job) error {
		return errors.Join(Settle(c, j), errors.New("done"))
	}},

	{Name: "leaves when it is settled", Check: crash, Mistake: "a payout is lost", Answer: leaves(pay)},
	{Name: "leaves when it is settled, with a key for each token", Check: crash, Mistake: "a payout is lost",
		Answer: leaves(func(c *client, j job, l lease) { c.Do(fmt.Sprintf("payout %s %d", j, l.Token)) })},
	{Name: "does not wait for the lock", Check: crash, Mistake: "nobody finishes", Answer: func(c *client, j job) error {
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

	{Name: "does not look at the claim's error", Check: paused, Mistake: "tries again with the token that was refused",
		Answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, _ := claim(c, j, l)
			return value, nil
		}}.answer},
	{Name: "does not look at the write's error", Check: paused, Mistake: "goes on after it was told",
		Answer: worker{stop: func(*client, job, string, lease, error) error { return nil }}.answer},
	{Name: "deletes when it is refused", Check: paused, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, _ string, l lease, err error) error {
			c.Delete(j.Account, l.Token)
			return err
		}}.answer},
	{Name: "writes the old value back when it is refused", Check: paused, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			c.Write(j.Account, value, l.Token)
			return err
		}}.answer},
	{Name: "tries again when it is refused", Check: paused, Mistake: "tries again with the token that was refused",
		Answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			for range 3 {
				if err != nil {
					err = write(c, j, value, l)
				}
			}
			return err
		}}.answer},
	{Name: "asks for a fresh token, and tries again", Check: paused, Mistake: "a token that is not its own",
		Answer: worker{stop: func(c *client, j job, value string, _ lease, err error) error {
			token, _ := c.CurrentToken(j.Account)
			return c.Write(j.Account, j.Compute(c, value), token)
		}}.answer},
	{Name: "takes a new lease for the old value", Check: paused, Mistake: "writes what an older look led to",
		Answer: worker{stop: func(c *client, j job, value string, _ lease, err error) error {
			if !errors.Is(err, fencing.ErrFenced) {
				return err
			}
			l := c.Acquire(j.Account)
			defer c.Release(l)
			return write(c, j, value, l)
		}}.answer},

	{Name: "hides that it was refused", Check: late, Mistake: "hides that it was refused", Answer: func(c *client, j job) error {
		if err := Settle(c, j); !errors.Is(err, fencing.ErrFenced) {
			return err
		}
		return nil
	}},
	{Name: "reads in place of a claim", Check: late, Mistake: "reads in place of a claim", Answer: worker{look: read}.answer},
	{Name: "reads, then claims", Check: late, Mistake: "reads in place of a claim",
		Answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, _ := read(c, j, l)
			_, err := claim(c, j, l)
			return value, err
		}}.answer},

	{Name: "takes a time-out for written", Check: unknown, Mistake: "takes a time-out for written",
		Answer: worker{stop: func(_ *client, _ job, _ string, _ lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return nil
			}
			return err
		}}.answer},
	{Name: "takes a time-out for not written", Check: unknown, Mistake: "takes a time-out for not written",
		Answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			for errors.Is(err, fencing.ErrTimeout) {
				err = write(c, j, value, l)
			}
			return err
		}}.answer},
	{Name: "looks again after a time-out, under the same lease", Check: unknown, Mistake: "takes a time-out for not written",
		Answer: worker{stop: func(c *client, j job, _ string, l lease, err error) error {
			for errors.Is(err, fencing.ErrTimeout) {
				value, _ := claim(c, j, l)
				if j.Settled(value) {
					return nil
				}
				err = write(c, j, value, l)
			}
			return err
		}}.answer},
	{Name: "writes the old value back after a time-out", Check: unknown, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, value string, l lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) && value != "" {
				c.Write(j.Account, value, l.Token)
			} else if errors.Is(err, fencing.ErrTimeout) {
				c.Delete(j.Account, l.Token)
			}
			return err
		}}.answer},
	{Name: "hides that there was no answer", Check: unknown, Mistake: "hides that there was no answer", Answer: func(c *client, j job) error {
		if err := Settle(c, j); !errors.Is(err, fencing.ErrTimeout) {
			return err
		}
		return nil
	}},
	{Name: "takes a claim without an answer for an empty account", Check: unknown, Mistake: "takes no answer for an empty account",
		Answer: worker{look: func(c *client, j job, l lease) (string, error) {
			value, err := claim(c, j, l)
			if errors.Is(err, fencing.ErrTimeout) {
				err = nil
			}
			return value, err
		}}.answer},

	{Name: "a panic", Check: healthy, Mistake: "panic", State: check.Panicked, Answer: func(*client, job) error { panic("no idea") }},
	{Name: "an exit", Check: healthy, Mistake: "ends its goroutine", Answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
