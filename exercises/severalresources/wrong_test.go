package severalresources_test

import (
	"errors"
	"runtime"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/severalresources"
	"fencingtokens/exercises/severalresources/stub"
	"fencingtokens/fencing"
)

type (
	client   = fencing.Client
	job      = severalresources.Job
	answer   = severalresources.Answer
	transfer = func(c *client, j job) error
)

func of(f func() answer) prove.Answer {
	return func(seed uint64) check.Result { return severalresources.Evaluate(f, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Transfers, Transfers, catalogue)
}

const (
	healthy  = "nothing goes wrong, and the money moves"
	opposite = "two transfers in opposite directions do not block each other"
	late     = "a late write changes nothing that the next holder has looked at"
	claims   = "nothing is written before everything is claimed"
	crash    = "what a crash leaves behind is what you said"
)

// leases holds the locks of a job, by account.
type leases map[string]fencing.Lease

// lock takes both locks, in the order of the names.
func lock(c *client, j job) leases {
	l := leases{}
	for _, account := range []string{min(j.From, j.To), max(j.From, j.To)} {
		l[account] = c.Acquire(account)
	}
	return l
}

func (l leases) release(c *client, j job) {
	c.Release(l[j.From])
	c.Release(l[j.To])
}

// claimed is the right transfer with two accounts: both claimed, then both written.
func claimed(c *client, j job) error {
	l := lock(c, j)
	from, err := c.Claim(j.From, l[j.From].Token)
	to, err2 := c.Claim(j.To, l[j.To].Token)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	return l.write(c, j, from, to)
}

func (l leases) write(c *client, j job, from, to string) error {
	from, to = j.Move(c, from, to)
	if err := c.Write(j.From, from, l[j.From].Token); err != nil {
		return err
	}
	if err := c.Write(j.To, to, l[j.To].Token); err != nil {
		return err
	}
	l.release(c, j)
	return nil
}

// yes and no hand in a transfer with a prediction.
func yes(t transfer) func() answer {
	return func() answer { return answer{Transfer: t, HalfDone: "yes"} }
}
func no(t transfer) func() answer {
	return func() answer { return answer{Transfer: t, HalfDone: "no"} }
}

var catalogue = []prove.Wrong[func() answer]{
	{Name: "a prediction alone", Check: healthy, Mistake: "no transfer", Answer: func() answer { return answer{HalfDone: "no"} }},
	{Name: "does nothing", Check: healthy, Mistake: "nothing is written", Answer: yes(func(*client, job) error { return nil })},
	{Name: "writes one account", Check: healthy, Mistake: "one side of the transfer is missing", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		from, _ = j.Move(c, from, to)
		err := c.Write(j.From, from, l[j.From].Token)
		l.release(c, j)
		return err
	})},
	{Name: "mixes up the two values", Check: healthy, Mistake: "a wrong balance", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		return l.write(c, j, to+"1", from)
	})},
	{Name: "takes no lock", Check: healthy, Mistake: "no token", Answer: yes(func(c *client, j job) error {
		from, _ := c.Read(j.From)
		to, _ := c.Read(j.To)
		from, to = j.Move(c, from, to)
		return errors.Join(c.Write(j.From, from, 0), c.Write(j.To, to, 0))
	})},
	{Name: "one lock, of the account that gives", Check: healthy, Mistake: "tokens of two locks meet at one key", Answer: yes(func(c *client, j job) error {
		lease := c.Acquire(j.From)
		from, _ := c.Claim(j.From, lease.Token)
		to, _ := c.Claim(j.To, lease.Token)
		return leases{j.From: lease, j.To: lease}.write(c, j, from, to)
	})},
	{Name: "two locks, and one token for both", Check: healthy, Mistake: "tokens of two locks meet at one key", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		token := max(l[j.From].Token, l[j.To].Token) // the higher one, to be sure
		from, _ := c.Claim(j.From, token)
		to, _ := c.Claim(j.To, token)
		from, to = j.Move(c, from, to)
		if err := errors.Join(c.Write(j.From, from, token), c.Write(j.To, to, token)); err != nil {
			return err
		}
		l.release(c, j)
		return nil
	})},
	{Name: "adds the two tokens up", Check: healthy, Mistake: "a token that the client was never granted", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		token := l[j.From].Token + l[j.To].Token
		from, _ := c.Claim(j.From, token)
		to, _ := c.Claim(j.To, token)
		from, to = j.Move(c, from, to)
		return errors.Join(c.Write(j.From, from, token), c.Write(j.To, to, token))
	})},
	{Name: "writes without looking", Check: healthy, Mistake: "writes without a look", Answer: yes(func(c *client, j job) error {
		return lock(c, j).write(c, j, "", "")
	})},
	{Name: "releases nothing", Check: healthy, Mistake: "a lock is never given back", Answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, err := c.Claim(severalresources.Record, lease.Token)
		if err != nil {
			return err
		}
		return c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token)
	})},
	{Name: "returns an error after it is done", Check: healthy, Mistake: "gives up although nothing is wrong", Answer: yes(func(c *client, j job) error {
		return errors.Join(claimed(c, j), errors.New("done"))
	})},

	{Name: "locks the giving account first", Check: opposite, Mistake: "locks in the order of the job", Answer: yes(func(c *client, j job) error {
		l := leases{j.From: c.Acquire(j.From)}
		l[j.To] = c.Acquire(j.To)
		from, err := c.Claim(j.From, l[j.From].Token)
		to, err2 := c.Claim(j.To, l[j.To].Token)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		return l.write(c, j, from, to)
	})},

	{Name: "reads both", Check: late, Mistake: "reads in place of a claim", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Read(j.From)
		to, _ := c.Read(j.To)
		return l.write(c, j, from, to)
	})},
	{Name: "claims one and reads the other", Check: late, Mistake: "reads in place of a claim", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, err := c.Claim(j.From, l[j.From].Token)
		if err != nil {
			return err
		}
		to, _ := c.Read(j.To)
		return l.write(c, j, from, to)
	})},
	{Name: "reads both, computes, then claims both", Check: late, Mistake: "claims after it has computed", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Read(j.From)
		to, _ := c.Read(j.To)
		from, to = j.Move(c, from, to)
		_, err := c.Claim(j.From, l[j.From].Token)
		_, err2 := c.Claim(j.To, l[j.To].Token)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if err := errors.Join(c.Write(j.From, from, l[j.From].Token), c.Write(j.To, to, l[j.To].Token)); err != nil {
			return err
		}
		l.release(c, j)
		return nil
	})},
	{Name: "reads the record", Check: late, Mistake: "reads in place of a claim", Answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, _ := c.Read(severalresources.Record)
		if err := c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	})},
	{Name: "claims, and does not look at the write's error", Check: late, Mistake: "says that the money has moved, and it has not", Answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, err := c.Claim(severalresources.Record, lease.Token)
		if err != nil {
			return err
		}
		c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token)
		c.Release(lease)
		return nil
	})},
	{Name: "tries again when it is refused", Check: late, Mistake: "tries again with the token that was refused", Answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, err := c.Claim(severalresources.Record, lease.Token)
		if err != nil {
			return err
		}
		record = j.MoveIn(c, record)
		for c.Write(severalresources.Record, record, lease.Token) != nil {
		}
		return c.Release(lease)
	})},

	{Name: "claims the second after the first write", Check: claims, Mistake: "claims the second after the first write", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, err := c.Claim(j.From, l[j.From].Token)
		if err != nil {
			return err
		}
		from, _ = j.Move(c, from, "")
		if err := c.Write(j.From, from, l[j.From].Token); err != nil {
			return err
		}
		to, err := c.Claim(j.To, l[j.To].Token)
		if err != nil {
			return err
		}
		_, to = j.Move(c, "", to)
		if err := c.Write(j.To, to, l[j.To].Token); err != nil {
			return err
		}
		l.release(c, j)
		return nil
	})},
	{Name: "does not look at the claims' errors", Check: claims, Mistake: "goes on after a refused claim", Answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		return l.write(c, j, from, to)
	})},

	{Name: "two accounts, and never half done", Check: crash, Mistake: "fencing taken for a transaction", Answer: no(claimed)},
	{Name: "one record, and perhaps half done", Check: crash, Mistake: "expects a half where there is none", Answer: func() answer {
		a := Transfers()
		a.HalfDone = "yes"
		return a
	}},
	{Name: "no prediction", Check: crash, Mistake: "no prediction", Answer: func() answer {
		a := Transfers()
		a.HalfDone = ""
		return a
	}},

	{Name: "a panic", Check: healthy, Mistake: "panic", State: check.Panicked, Answer: no(func(*client, job) error { panic("no idea") })},
	{Name: "an exit", Check: healthy, Mistake: "ends its goroutine", Answer: no(func(*client, job) error { runtime.Goexit(); return nil })},
}
