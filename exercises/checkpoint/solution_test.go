package checkpoint_test

import (
	"fencingtokens/exercises/checkpoint"
	"fencingtokens/fencing"
)

// Process does the items of the batch that are not done yet.
func Process(c *fencing.Client, job checkpoint.Job) error {
	lease := c.Acquire(job.Batch)
	progress, err := c.Claim(job.Batch, lease.Token) // from here on no older holder can change it
	if err != nil {
		return err
	}
	for done := job.Done(progress); done < job.Items; done++ {
		job.Do(c, done)
		if err := c.Write(job.Batch, job.Progress(done+1), lease.Token); err != nil {
			return err // refused, or no answer: the next holder finds what is committed
		}
	}
	return c.Release(lease)
}
