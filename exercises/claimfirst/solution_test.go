package claimfirst_test

import (
	"fencingtokens/exercises/claimfirst"
	"fencingtokens/fencing"
)

// AddLine adds job.Line to the record job.Record, and loses nobody's line.
func AddLine(c *fencing.Client, job claimfirst.Job) error {
	lease := c.Acquire(job.Record)
	text, err := c.Claim(job.Record, lease.Token) // raises the fence and reads, in one step
	if err != nil {
		return err
	}
	if err := c.Write(job.Record, job.Add(c, text), lease.Token); err != nil {
		return err
	}
	return c.Release(lease)
}
