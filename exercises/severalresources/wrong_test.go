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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Transfers), of(Transfers), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               func() answer
}{
	{name: "a prediction alone", check: healthy, mistake: "no transfer", answer: func() answer { return answer{HalfDone: "no"} }},
	{name: "does nothing", check: healthy, mistake: "nothing is written", answer: yes(func(*client, job) error { return nil })},
	{name: "writes one account", check: healthy, mistake: "one side of the transfer is missing", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		from, _ = j.Move(c, from, to)
		err := c.Write(j.From, from, l[j.From].Token)
		l.release(c, j)
		return err
	})},
	{name: "mixes up the two values", check: healthy, mistake: "a wrong balance", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		return l.write(c, j, to+"1", from)
	})},
	{name: "takes no lock", check: healthy, mistake: "no token", answer: yes(func(c *client, j job) error {
		from, _ := c.Read(j.From)
		to, _ := c.Read(j.To)
		from, to = j.Move(c, from, to)
		return errors.Join(c.Write(j.From, from, 0), c.Write(j.To, to, 0))
	})},
	{name: "one lock, of the account that gives", check: healthy, mistake: "tokens of two locks meet at one key", answer: yes(func(c *client, j job) error {
		lease := c.Acquire(j.From)
		from, _ := c.Claim(j.From, lease.Token)
		to, _ := c.Claim(j.To, lease.Token)
		return leases{j.From: lease, j.To: lease}.write(c, j, from, to)
	})},
	{name: "two locks, and one token for both", check: healthy, mistake: "tokens of two locks meet at one key", answer: yes(func(c *client, j job) error {
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
	{name: "adds the two tokens up", check: healthy, mistake: "a token that the client was never granted", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		token := l[j.From].Token + l[j.To].Token
		from, _ := c.Claim(j.From, token)
		to, _ := c.Claim(j.To, token)
		from, to = j.Move(c, from, to)
		return errors.Join(c.Write(j.From, from, token), c.Write(j.To, to, token))
	})},
	{name: "writes without looking", check: healthy, mistake: "writes without a look", answer: yes(func(c *client, j job) error {
		return lock(c, j).write(c, j, "", "")
	})},
	{name: "releases nothing", check: healthy, mistake: "a lock is never given back", answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, err := c.Claim(severalresources.Record, lease.Token)
		if err != nil {
			return err
		}
		return c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token)
	})},
	{name: "returns an error after it is done", check: healthy, mistake: "gives up although nothing is wrong", answer: yes(func(c *client, j job) error {
		return errors.Join(claimed(c, j), errors.New("done"))
	})},

	{name: "locks the giving account first", check: opposite, mistake: "locks in the order of the job", answer: yes(func(c *client, j job) error {
		l := leases{j.From: c.Acquire(j.From)}
		l[j.To] = c.Acquire(j.To)
		from, err := c.Claim(j.From, l[j.From].Token)
		to, err2 := c.Claim(j.To, l[j.To].Token)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		return l.write(c, j, from, to)
	})},

	{name: "reads both", check: late, mistake: "reads in place of a claim", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Read(j.From)
		to, _ := c.Read(j.To)
		return l.write(c, j, from, to)
	})},
	{name: "claims one and reads the other", check: late, mistake: "reads in place of a claim", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, err := c.Claim(j.From, l[j.From].Token)
		if err != nil {
			return err
		}
		to, _ := c.Read(j.To)
		return l.write(c, j, from, to)
	})},
	{name: "reads both, computes, then claims both", check: late, mistake: "claims after it has computed", answer: yes(func(c *client, j job) error {
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
	{name: "reads the record", check: late, mistake: "reads in place of a claim", answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, _ := c.Read(severalresources.Record)
		if err := c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	})},
	{name: "claims, and does not look at the write's error", check: late, mistake: "says that the money has moved, and it has not", answer: no(func(c *client, j job) error {
		lease := c.Acquire(severalresources.Record)
		record, err := c.Claim(severalresources.Record, lease.Token)
		if err != nil {
			return err
		}
		c.Write(severalresources.Record, j.MoveIn(c, record), lease.Token)
		c.Release(lease)
		return nil
	})},
	{name: "tries again when it is refused", check: late, mistake: "tries again with the token that was refused", answer: no(func(c *client, j job) error {
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

	{name: "claims the second after the first write", check: claims, mistake: "claims the second after the first write", answer: yes(func(c *client, j job) error {
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
	{name: "does not look at the claims' errors", check: claims, mistake: "goes on after a refused claim", answer: yes(func(c *client, j job) error {
		l := lock(c, j)
		from, _ := c.Claim(j.From, l[j.From].Token)
		to, _ := c.Claim(j.To, l[j.To].Token)
		return l.write(c, j, from, to)
	})},

	{name: "two accounts, and never half done", check: crash, mistake: "fencing taken for a transaction", answer: no(claimed)},
	{name: "one record, and perhaps half done", check: crash, mistake: "expects a half where there is none", answer: func() answer {
		a := Transfers()
		a.HalfDone = "yes"
		return a
	}},
	{name: "no prediction", check: crash, mistake: "no prediction", answer: func() answer {
		a := Transfers()
		a.HalfDone = ""
		return a
	}},

	{name: "a panic", check: healthy, mistake: "panic", state: check.Panicked, answer: no(func(*client, job) error { panic("no idea") })},
	{name: "an exit", check: healthy, mistake: "ends its goroutine", answer: no(func(*client, job) error { runtime.Goexit(); return nil })},
}
