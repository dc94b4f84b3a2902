package checkpoint_test

import (
	"errors"
	"runtime"
	"testing"

	"fencingtokens/exercises/checkpoint"
	"fencingtokens/exercises/checkpoint/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

type (
	client = fencing.Client
	job    = checkpoint.Job
)

func of(f checkpoint.Answer) prove.Answer {
	return func(seed uint64) check.Result { return checkpoint.Evaluate(f, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Process, Process, catalogue)
}

const (
	healthy = "nothing goes wrong, and every item is done once"
	crash   = "after a crash the next holder goes on where the committed work ends"
	paused  = "a holder that was paused stops when it is told"
	late    = "a late checkpoint does not slip in"
	unknown = "a checkpoint without an answer is neither written nor not written"
)

// worker is the right worker with one of its parts exchanged.
type worker struct {
	begin func(j job, progress string) int
	look  func(c *client, j job, lease fencing.Lease) (string, error)
	item  func(c *client, j job, done int, lease fencing.Lease) error
	stop  func(c *client, j job, done int, lease fencing.Lease, err error) error
}

func (w worker) answer(c *client, j job) error {
	lease := c.Acquire(j.Batch)
	look := w.look
	if look == nil {
		look = claim
	}
	progress, err := look(c, j, lease)
	if err != nil {
		return err
	}
	begin := j.Done(progress)
	if w.begin != nil {
		begin = w.begin(j, progress)
	}
	item := w.item
	if item == nil {
		item = one
	}
	for done := begin; done < j.Items; done++ {
		if err := item(c, j, done, lease); err != nil {
			if w.stop != nil {
				err = w.stop(c, j, done, lease, err)
			}
			if err != nil {
				return err
			}
		}
	}
	return c.Release(lease)
}

func claim(c *client, j job, lease fencing.Lease) (string, error) {
	return c.Claim(j.Batch, lease.Token)
}

func read(c *client, j job, _ fencing.Lease) (string, error) { return c.Read(j.Batch) }

// one is one item and its checkpoint.
func one(c *client, j job, done int, lease fencing.Lease) error {
	j.Do(c, done)
	return c.Write(j.Batch, j.Progress(done+1), lease.Token)
}

// plan is what the program remembers of a batch, whoever works on it.
var plan = map[string]int{}

var catalogue = []prove.Wrong[checkpoint.Answer]{
	{Name: "does nothing", Check: healthy, Mistake: "an item is never done", Answer: func(*client, job) error { return nil }},
	{Name: "starts again from 0", Check: healthy, Mistake: "starts again from the first item",
		Answer: worker{begin: func(job, string) int { return 0 }}.answer},
	{Name: "begins one item before", Check: healthy, Mistake: "does again what is committed",
		Answer: worker{begin: func(j job, progress string) int { return max(0, j.Done(progress)-1) }}.answer},
	{Name: "begins with item 1", Check: healthy, Mistake: "leaves an item out",
		Answer: worker{begin: func(j job, progress string) int { return max(1, j.Done(progress)) }}.answer},
	{Name: "one item too many", Check: healthy, Mistake: "an item that there is not", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, _ := claim(c, j, lease)
		for done := j.Done(progress); done <= j.Items; done++ {
			one(c, j, done, lease)
		}
		return c.Release(lease)
	}},
	{Name: "writes the number of the item in place of the count", Check: healthy, Mistake: "works on without a checkpoint",
		Answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			return c.Write(j.Batch, j.Progress(done), lease.Token)
		}}.answer},
	{Name: "counts an item before it is done", Check: healthy, Mistake: "counts an item before it is done",
		Answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			err := c.Write(j.Batch, j.Progress(done+1), lease.Token)
			j.Do(c, done)
			return err
		}}.answer},
	{Name: "writes down that it is going to do all", Check: healthy, Mistake: "counts an item before it is done",
		Answer: worker{look: func(c *client, j job, lease fencing.Lease) (string, error) {
			progress, _ := claim(c, j, lease)
			return progress, c.Write(j.Batch, j.Progress(j.Items), lease.Token)
		}}.answer},
	{Name: "one checkpoint at the end", Check: healthy, Mistake: "works on without a checkpoint",
		Answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			if done+1 < j.Items {
				return nil
			}
			return c.Write(j.Batch, j.Progress(j.Items), lease.Token)
		}}.answer},
	{Name: "forgets the last checkpoint", Check: healthy, Mistake: "the last items are not committed", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, _ := claim(c, j, lease)
		for done := j.Done(progress); done < j.Items; done++ {
			if done > 0 {
				c.Write(j.Batch, j.Progress(done), lease.Token)
			}
			j.Do(c, done)
		}
		return c.Release(lease)
	}},
	{Name: "a checkpoint without a token", Check: healthy, Mistake: "a checkpoint without a token",
		Answer: worker{item: func(c *client, j job, done int, _ fencing.Lease) error {
			j.Do(c, done)
			return c.Write(j.Batch, j.Progress(done+1), 0)
		}}.answer},
	{Name: "another key", Check: healthy, Mistake: "another key",
		Answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			return c.Write("progress", j.Progress(done+1), lease.Token)
		}}.answer},
	{Name: "deletes the progress when all is done", Check: healthy, Mistake: "cleans up", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, err := claim(c, j, lease)
		for done := j.Done(progress); err == nil && done < j.Items; done++ {
			err = one(c, j, done, lease)
		}
		c.Delete(j.Batch, lease.Token)
		c.Release(lease)
		return err
	}},
	{Name: "never releases", Check: healthy, Mistake: "the lock is never given back", Answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, err := claim(c, j, lease)
		for done := j.Done(progress); err == nil && done < j.Items; done++ {
			err = one(c, j, done, lease)
		}
		return err
	}},
	{Name: "returns an error after it is done", Check: healthy, Mistake: "gives up although nothing is wrong", Answer: func(c *client, j job) error {
		return errors.Join(Process(c, j), errors.New("done"))
	}},

	{Name: "goes on from what the program remembers", Check: crash, Mistake: "counts work that is not committed",
		Answer: func(c *client, j job) error {
			return worker{
				begin: func(j job, progress string) int { return max(j.Done(progress), plan[j.Batch]) },
				item: func(c *client, j job, done int, lease fencing.Lease) error {
					j.Do(c, done)
					plan[j.Batch] = done + 1
					err := c.Write(j.Batch, j.Progress(done+1), lease.Token)
					delete(plan, j.Batch) // written, so that other runs begin with nothing
					return err
				}}.answer(c, j)
		}},
	{Name: "assumes that the item under way was finished", Check: crash, Mistake: "counts work that is not committed",
		Answer: worker{begin: func(j job, progress string) int {
			if done := j.Done(progress); done > 0 {
				return done + 1
			}
			return 0
		}}.answer},

	{Name: "does not look at the checkpoint's error", Check: paused, Mistake: "goes on after it was told",
		Answer: worker{stop: func(*client, job, int, fencing.Lease, error) error { return nil }}.answer},
	{Name: "deletes its progress when it is refused", Check: paused, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, _ int, lease fencing.Lease, err error) error {
			c.Delete(j.Batch, lease.Token)
			return err
		}}.answer},
	{Name: "takes its last item back when it is refused", Check: paused, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			c.Write(j.Batch, j.Progress(done), lease.Token)
			return err
		}}.answer},
	{Name: "tries again when it is refused", Check: paused, Mistake: "tries again with the token that was refused",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			for err != nil {
				err = c.Write(j.Batch, j.Progress(done+1), lease.Token)
			}
			return nil
		}}.answer},
	{Name: "asks for a fresh token when it is refused", Check: paused, Mistake: "a token that is not its own",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			token, _ := c.CurrentToken(j.Batch)
			return c.Write(j.Batch, j.Progress(done+1), token)
		}}.answer},
	{Name: "hides that it was refused", Check: paused, Mistake: "hides that it was refused", Answer: func(c *client, j job) error {
		if err := Process(c, j); !errors.Is(err, fencing.ErrFenced) {
			return err
		}
		return nil
	}},

	{Name: "reads in place of a claim", Check: late, Mistake: "reads in place of a claim", Answer: worker{look: read}.answer},
	{Name: "reads, then claims", Check: late, Mistake: "reads in place of a claim",
		Answer: worker{look: func(c *client, j job, lease fencing.Lease) (string, error) {
			progress, _ := read(c, j, lease)
			_, err := claim(c, j, lease)
			return progress, err
		}}.answer},

	{Name: "takes a time-out for not written", Check: unknown, Mistake: "takes a time-out for not written",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if !errors.Is(err, fencing.ErrTimeout) {
				return err
			}
			return one(c, j, done, lease) // the same item again
		}}.answer},
	{Name: "takes a time-out for written", Check: unknown, Mistake: "takes a time-out for written",
		Answer: worker{stop: func(_ *client, _ job, _ int, _ fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return nil
			}
			return err
		}}.answer},
	{Name: "writes again after a time-out, and goes on", Check: unknown, Mistake: "an older checkpoint comes after a newer one",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return c.Write(j.Batch, j.Progress(done+1), lease.Token)
			}
			return err
		}}.answer},
	{Name: "takes the item back after a time-out", Check: unknown, Mistake: "cleans up",
		Answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				c.Write(j.Batch, j.Progress(done), lease.Token)
			}
			return err
		}}.answer},

	{Name: "a panic", Check: healthy, Mistake: "panic", State: check.Panicked, Answer: func(*client, job) error { panic("no idea") }},
	{Name: "an exit", Check: healthy, Mistake: "ends its goroutine", Answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
