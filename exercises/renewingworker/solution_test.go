package renewingworker_test

import (
	"errors"
	"fmt"

	"fencingtokens/exercises/renewingworker"
	"fencingtokens/fencing"
)

// Renewing does the job under its lease, renews on the way, and stops when the lease may be over.
func Renewing(c *fencing.Client, job renewingworker.Job) error {
	deadline := job.Asked + job.Length
	for n := range job.Parts {
		if deadline-c.Now() < job.Length/2 {
			sent := c.Now()
			err := c.Renew(job.Lease)
			switch {
			case err == nil:
				deadline = sent + job.Length
			case errors.Is(err, fencing.ErrLeaseLost):
				return err
			}
		}
		c.Work(job.Part)
		if c.Now() >= deadline {
			return fmt.Errorf("part %d: %w: my own deadline is past", n+1, fencing.ErrLeaseLost)
		}
		if err := c.Write(job.Lease.Lock, job.Value(n), job.Lease.Token); err != nil {
			return err
		}
	}
	return nil
}
