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
	prove.Exercise(t, of, stub.AddLine, AddLine, catalogue)
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

var catalogue = []prove.Wrong[claimfirst.Answer]{
	{Name: "does nothing", Check: healthy, Mistake: "nothing is written", Answer: func(*client, job) error { return nil }},
	{Name: "writes without looking", Check: healthy, Mistake: "writes without a look",
		Answer: worker(func(*client, job, fencing.Lease) (string, error) { return "", nil })},
	{Name: "claims, and starts from nothing", Check: healthy, Mistake: "does not use what the claim returned",
		Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
			_, err := claim(c, j, lease)
			return "", err
		})},
	{Name: "writes what the claim returned, without the line", Check: healthy, Mistake: "the line is missing", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := claim(c, j, lease)
		j.Add(c, text)
		c.Write(j.Record, text, lease.Token)
		return c.Release(lease)
	}},
	{Name: "never releases", Check: healthy, Mistake: "the lock is never given back", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		return c.Write(j.Record, j.Add(c, text), lease.Token)
	}},
	{Name: "takes no lock", Check: healthy, Mistake: "no lock", Answer: func(c *client, j job) error {
		text, _ := c.Read(j.Record)
		return c.Write(j.Record, j.Add(c, text), 0)
	}},
	{Name: "returns an error after it is done", Check: healthy, Mistake: "gives up although nothing is wrong", Answer: func(c *client, j job) error {
		if err := AddLine(c, j); err != nil {
			return err
		}
		return errors.New("done")
	}},
	{Name: "adds the line twice", Check: healthy, Mistake: "a line is there twice", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, err := claim(c, j, lease)
		return j.Add(c, text), err
	})},
	{Name: "claims with 0", Check: healthy, Mistake: "no token", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, 0)
	})},
	{Name: "claims with one less", Check: healthy, Mistake: "a token that nobody was granted", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, lease.Token-1)
	})},
	{Name: "claims with one more, to be ahead", Check: healthy, Mistake: "a token that nobody was granted", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Claim(j.Record, lease.Token+100)
	})},

	{Name: "reads", Check: paused, Mistake: "reads in place of a claim", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		return c.Read(j.Record)
	})},
	{Name: "reads, and claims after the write", Check: paused, Mistake: "reads in place of a claim", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, _ := c.Read(j.Record)
		if err := c.Write(j.Record, j.Add(c, text), lease.Token); err != nil {
			return err
		}
		claim(c, j, lease)
		return c.Release(lease)
	}},
	{Name: "reads, and checks its lease before the write", Check: paused, Mistake: "reads in place of a claim", Answer: func(c *client, j job) error {
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
	{Name: "reads, then claims", Check: paused, Mistake: "claims after the read", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, err := c.Read(j.Record)
		if err == nil {
			_, err = claim(c, j, lease)
		}
		return text, err
	})},
	{Name: "reads, works, then claims", Check: paused, Mistake: "claims after the read", Answer: func(c *client, j job) error {
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
	{Name: "reads, and compares the version until it fits", Check: paused, Mistake: "compares versions in place of a claim", Answer: func(c *client, j job) error {
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
	{Name: "ignores the write's error", Check: paused, Mistake: "says that the line is in, and it is not", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Record)
		text, err := claim(c, j, lease)
		if err != nil {
			return err
		}
		c.Write(j.Record, j.Add(c, text), lease.Token)
		c.Release(lease)
		return nil
	}},
	{Name: "writes again with the refused token", Check: paused, Mistake: "tries again with the token that was refused", Answer: func(c *client, j job) error {
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
	{Name: "takes the present token when refused", Check: paused, Mistake: "another holder’s token", Answer: func(c *client, j job) error {
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

	{Name: "takes a timed-out write for done", Check: delayed, Mistake: "says that the line is in, and it is not", Answer: func(c *client, j job) error {
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

	{Name: "claims again with the refused token", Check: refused, Mistake: "tries again with the token that was refused", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		for {
			if text, err := claim(c, j, lease); err == nil {
				return text, nil
			}
		}
	})},
	{Name: "claims with the present token when refused", Check: refused, Mistake: "another holder’s token", Answer: func(c *client, j job) error {
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
	{Name: "ignores the claim's error", Check: refused, Mistake: "goes on after a refused claim", Answer: worker(func(c *client, j job, lease fencing.Lease) (string, error) {
		text, _ := claim(c, j, lease)
		return text, nil
	})},

	{Name: "knows one record", Check: healthy, Mistake: "another record", Answer: func(c *client, j job) error {
		j.Record = "report"
		return AddLine(c, j)
	}},
	{Name: "keeps the token of its first grant", Check: records, Mistake: "the token of an earlier grant", Answer: func(c *client, j job) error {
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

	{Name: "a panic", Check: healthy, Mistake: "panic", State: check.Panicked, Answer: func(*client, job) error { panic("no idea") }},
	{Name: "an exit", Check: healthy, Mistake: "ends its goroutine", Answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
