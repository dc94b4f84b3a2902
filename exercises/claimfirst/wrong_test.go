package claimfirst_test

import (
	"errors"
	"runtime"
	"testing"

	"fencingtokens/exercises/claimfirst"
	"fencingtokens/exercises/claimfirst/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

type (
	client = fencing.Client
	job    = claimfirst.Job
)

func of(f claimfirst.Answer) prove.Answer {
	return func(seed uint64) check.Result {
		clear(kept) // package variables are empty when a cell runs again
		return claimfirst.Evaluate(f, seed)
	}
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
	prove.Exercise(t, of(stub.AddLine), of(AddLine), wrong)
}

const (
	healthy = "nothing goes wrong, and both lines are in"
	paused  = "a paused holder’s write loses no line"
	delayed = "a delayed write loses no line"
	refused = "whoever is refused stops"
	records = "two records, and two jobs each"
)

// look gets the text, and the lease to write with.
type look = func(c *client, j job, lease fencing.Lease) (string, error)

// worker is the right worker with another look.
func worker(look look) claimfirst.Answer {
	return func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := look(c, j, lease)
		if err != nil {
			return err
		}
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	}
}

func claim(c *client, j job, lease fencing.Lease) (string, error) {
	return c.Claim(j.Record, lease.Token)
}

// kept is what a worker keeps from one job to the next.
var kept = map[*client]fencing.Lease{}

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               claimfirst.Answer
}{
	{name: "does nothing", check: healthy, mistake: "nothing is written", answer: func(*client, job) error { return nil }},
	{name: "writes without looking", check: healthy, mistake: "writes without a look",
		answer: worker(func(*client, job, fencing.Lease) (string, error) { return "", nil })},
	{name: "claims, and starts from nothing", check: healthy, mistake: "does not use what the claim returned",
		answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
			_, err := claim(c, j, lease)
			return "", err
		})},
	{name: "writes what the claim returned, without the line", check: healthy, mistake: "the line is missing", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := claim(c, j, lease)
		j.Add(c, text)
		c.Write(j.Record, text, lease.Token)
		return c.Release(lease)
	}},
	{name: "never releases", check: healthy, mistake: "the lock is never given back", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		return c.Write(j.Record, j.Add(c, text), lease.Token)
	}},
	{name: "takes no lock", check: healthy, mistake: "no lock", answer: func(c *client, j job) error {
		text, _ := c.Read(j.Record)
		return c.Write(j.Record, j.Add(c, text), 0)
	}},
	{name: "returns an error after it is done", check: healthy, mistake: "gives up although nothing is wrong", answer: func(c *client, j job) error {
		if err := AddLine(c, j); err != nil {
			return err
		}
		return errors.New("done")
	}},
	{name: "adds the line twice", check: healthy, mistake: "a line is there twice", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, err := claim(c, j, lease)
		return j.Add(c, text), err
	})},
	{name: "claims with 0", check: healthy, mistake: "no token", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, 0)
	})},
	{name: "claims with one less", check: healthy, mistake: "a token that nobody was granted", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, lease.Token-1)
	})},
	{name: "claims with one more, to be ahead", check: healthy, mistake: "a token that nobody was granted", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, lease.Token+100)
	})},

	{name: "reads", check: paused, mistake: "reads in place of a claim", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Read(j.Record)
	})},
	{name: "reads, and claims after the write", check: paused, mistake: "reads in place of a claim", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := c.Read(j.Record)
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil {
			return err
		}
		claim(c, j, lease)
		return c.Release(lease)
	}},
	{name: "reads, and checks its lease before the write", check: paused, mistake: "reads in place of a claim", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := c.Read(j.Record)
		text = j.Add(c, text)
		if !c.Holds(lease) {
			return fencing.ErrLeaseLost
		}
		if err := c.Write(j.Record, text, lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	}},
	{name: "reads, then claims", check: paused, mistake: "claims after the read", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, err := c.Read(j.Record)
		if err == nil {
			_, err = claim(c, j, lease)
		}
		return text, err
	})},
	{name: "reads, works, then claims", check: paused, mistake: "claims after the read", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := c.Read(j.Record)
		text = j.Add(c, text)
		if _, err := claim(c, j, lease); err != nil {
			return err
		}
		if err := c.Write(j.Record, text, lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	}},
	{name: "reads, and compares the version until it fits", check: paused, mistake: "compares versions in place of a claim", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		for {
			text, _ := c.Read(j.Record)
			err := c.WriteIf(j.Record, j.Add(c, text), lease.Token)
			if errors.Is(err, fencing.ErrConflict) {
				continue
			}
			if err != nil {
				return err
			}
			return c.Release(lease)
		}
	}},
	{name: "ignores the write's error", check: paused, mistake: "says that the line is in, and it is not", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		c.Write(j.Record, j.Add(c, text), lease.Token)
		c.Release(lease)
		return nil
	}},
	{name: "writes again with the refused token", check: paused, mistake: "tries again with the token that was refused", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		text = j.Add(c, text)
		for c.Write(j.Record, text, lease.Token) != nil {
		}
		return c.Release(lease)
	}},
	{name: "takes the present token when refused", check: paused, mistake: "another holder’s token", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		text = j.Add(c, text)
		err = c.Write(j.Record, text, lease.Token)
		if errors.Is(err, fencing.ErrFenced) {
			token, _ := c.CurrentToken(j.Record)
			err = c.Write(j.Record, text, token)
		}
		if err != nil {
			return err
		}
		return c.Release(lease)
	}},

	{name: "takes a timed-out write for done", check: delayed, mistake: "says that the line is in, and it is not", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil && !errors.Is(err, fencing.ErrTimeout) {
			return err
		}
		c.Release(lease)
		return nil
	}},

	{name: "claims again with the refused token", check: refused, mistake: "tries again with the token that was refused", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		for {
			if text, err := claim(c, j, lease); err == nil {
				return text, nil
			}
		}
	})},
	{name: "claims with the present token when refused", check: refused, mistake: "another holder’s token", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if errors.Is(err, fencing.ErrFenced) {
			lease.Token, _ = c.CurrentToken(j.Record)
			text, err = claim(c, j, lease)
		}
		if err != nil {
			return err
		}
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	}},
	{name: "ignores the claim's error", check: refused, mistake: "goes on after a refused claim", answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, _ := claim(c, j, lease)
		return text, nil
	})},

	{name: "knows one record", check: healthy, mistake: "another record", answer: func(c *client, j job) error {
		j.Record = "report"
		return AddLine(c, j)
	}},
	{name: "keeps the token of its first grant", check: records, mistake: "the token of an earlier grant", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		if first, known := kept[c]; known {
			lease.Token = first.Token
		}
		kept[c] = lease
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil {
			return err
		}
		return c.Release(lease)
	}},

	{name: "a panic", check: healthy, mistake: "panic", state: check.Panicked, answer: func(*client, job) error { panic("no idea") }},
	{name: "an exit", check: healthy, mistake: "ends its goroutine", answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
