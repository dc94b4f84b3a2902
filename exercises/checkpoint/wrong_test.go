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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Process), of(Process), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               checkpoint.Answer
}{
	{name: "does nothing", check: healthy, mistake: "an item is never done", answer: func(*client, job) error { return nil }},
	{name: "starts again from 0", check: healthy, mistake: "starts again from the first item",
		answer: worker{begin: func(job, string) int { return 0 }}.answer},
	{name: "begins one item before", check: healthy, mistake: "does again what is committed",
		answer: worker{begin: func(j job, progress string) int { return max(0, j.Done(progress)-1) }}.answer},
	{name: "begins with item 1", check: healthy, mistake: "leaves an item out",
		answer: worker{begin: func(j job, progress string) int { return max(1, j.Done(progress)) }}.answer},
	{name: "one item too many", check: healthy, mistake: "an item that there is not", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, _ := claim(c, j, lease)
		for done := j.Done(progress); done <= j.Items; done++ {
			one(c, j, done, lease)
		}
		return c.Release(lease)
	}},
	{name: "writes the number of the item in place of the count", check: healthy, mistake: "works on without a checkpoint",
		answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			return c.Write(j.Batch, j.Progress(done), lease.Token)
		}}.answer},
	{name: "counts an item before it is done", check: healthy, mistake: "counts an item before it is done",
		answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			err := c.Write(j.Batch, j.Progress(done+1), lease.Token)
			j.Do(c, done)
			return err
		}}.answer},
	{name: "writes down that it is going to do all", check: healthy, mistake: "counts an item before it is done",
		answer: worker{look: func(c *client, j job, lease fencing.Lease) (string, error) {
			progress, _ := claim(c, j, lease)
			return progress, c.Write(j.Batch, j.Progress(j.Items), lease.Token)
		}}.answer},
	{name: "one checkpoint at the end", check: healthy, mistake: "works on without a checkpoint",
		answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			if done+1 < j.Items {
				return nil
			}
			return c.Write(j.Batch, j.Progress(j.Items), lease.Token)
		}}.answer},
	{name: "forgets the last checkpoint", check: healthy, mistake: "the last items are not committed", answer: func(c *client, j job) error {
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
	{name: "a checkpoint without a token", check: healthy, mistake: "a checkpoint without a token",
		answer: worker{item: func(c *client, j job, done int, _ fencing.Lease) error {
			j.Do(c, done)
			return c.Write(j.Batch, j.Progress(done+1), 0)
		}}.answer},
	{name: "another key", check: healthy, mistake: "another key",
		answer: worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			j.Do(c, done)
			return c.Write("progress", j.Progress(done+1), lease.Token)
		}}.answer},
	{name: "deletes the progress when all is done", check: healthy, mistake: "cleans up", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, err := claim(c, j, lease)
		for done := j.Done(progress); err == nil && done < j.Items; done++ {
			err = one(c, j, done, lease)
		}
		c.Delete(j.Batch, lease.Token)
		c.Release(lease)
		return err
	}},
	{name: "never releases", check: healthy, mistake: "the lock is never given back", answer: func(c *client, j job) error {
		lease := c.Acquire(j.Batch)
		progress, err := claim(c, j, lease)
		for done := j.Done(progress); err == nil && done < j.Items; done++ {
			err = one(c, j, done, lease)
		}
		return err
	}},
	{name: "returns an error after it is done", check: healthy, mistake: "gives up although nothing is wrong", answer: func(c *client, j job) error {
		return errors.Join(Process(c, j), errors.New("done"))
	}},

	{name: "goes on from what the program remembers", check: crash, mistake: "counts work that is not committed",
		answer: func(c *client, j job) error {
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
	{name: "assumes that the item under way was finished", check: crash, mistake: "counts work that is not committed",
		answer: worker{begin: func(j job, progress string) int {
			if done := j.Done(progress); done > 0 {
				return done + 1
			}
			return 0
		}}.answer},

	{name: "does not look at the checkpoint's error", check: paused, mistake: "goes on after it was told",
		answer: worker{stop: func(*client, job, int, fencing.Lease, error) error { return nil }}.answer},
	{name: "deletes its progress when it is refused", check: paused, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, _ int, lease fencing.Lease, err error) error {
			c.Delete(j.Batch, lease.Token)
			return err
		}}.answer},
	{name: "takes its last item back when it is refused", check: paused, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			c.Write(j.Batch, j.Progress(done), lease.Token)
			return err
		}}.answer},
	{name: "tries again when it is refused", check: paused, mistake: "tries again with the token that was refused",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			for err != nil {
				err = c.Write(j.Batch, j.Progress(done+1), lease.Token)
			}
			return nil
		}}.answer},
	{name: "asks for a fresh token when it is refused", check: paused, mistake: "a token that is not its own",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			token, _ := c.CurrentToken(j.Batch)
			return c.Write(j.Batch, j.Progress(done+1), token)
		}}.answer},
	{name: "hides that it was refused", check: paused, mistake: "hides that it was refused", answer: func(c *client, j job) error {
		if err := Process(c, j); !errors.Is(err, fencing.ErrFenced) {
			return err
		}
		return nil
	}},

	{name: "reads in place of a claim", check: late, mistake: "reads in place of a claim", answer: worker{look: read}.answer},
	{name: "reads, then claims", check: late, mistake: "reads in place of a claim",
		answer: worker{look: func(c *client, j job, lease fencing.Lease) (string, error) {
			progress, _ := read(c, j, lease)
			_, err := claim(c, j, lease)
			return progress, err
		}}.answer},

	{name: "takes a time-out for not written", check: unknown, mistake: "takes a time-out for not written",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if !errors.Is(err, fencing.ErrTimeout) {
				return err
			}
			return one(c, j, done, lease) // the same item again
		}}.answer},
	{name: "takes a time-out for written", check: unknown, mistake: "takes a time-out for written",
		answer: worker{stop: func(_ *client, _ job, _ int, _ fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return nil
			}
			return err
		}}.answer},
	{name: "writes again after a time-out, and goes on", check: unknown, mistake: "an older checkpoint comes after a newer one",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				return c.Write(j.Batch, j.Progress(done+1), lease.Token)
			}
			return err
		}}.answer},
	{name: "takes the item back after a time-out", check: unknown, mistake: "cleans up",
		answer: worker{stop: func(c *client, j job, done int, lease fencing.Lease, err error) error {
			if errors.Is(err, fencing.ErrTimeout) {
				c.Write(j.Batch, j.Progress(done), lease.Token)
			}
			return err
		}}.answer},

	{name: "a panic", check: healthy, mistake: "panic", state: check.Panicked, answer: func(*client, job) error { panic("no idea") }},
	{name: "an exit", check: healthy, mistake: "ends its goroutine", answer: func(*client, job) error { runtime.Goexit(); return nil }},
}
