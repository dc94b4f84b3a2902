// Package stub is the cell of the exercise as it is handed out.
package stub

import (
	"fencingtokens/exercises/renewingworker"
	"fencingtokens/fencing"
)

// Renewing does the job under its lease, renews on the way, and stops when the lease may be over.
func Renewing(c *fencing.Client, job renewingworker.Job) error {
	for n := range job.Parts {
		c.Work(job.Part)
		if err := c.Write(job.Lease.Lock, job.Value(n), job.Lease.Token); err != nil {
			return err
		}
	}
	return renewingworker.ErrNotAttempted // return nil here when you have begun
}
