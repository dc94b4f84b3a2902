package severalresources_test

import (
	"fencingtokens/exercises/severalresources"
	"fencingtokens/fencing"
)

// Transfers moves money between two accounts, and says what a crash may leave.
func Transfers() severalresources.Answer {
	return severalresources.Answer{
		Transfer: func(c *fencing.Client, job severalresources.Job) error {
			lease := c.Acquire(severalresources.Record) // one record, one lock, one fence
			record, err := c.Claim(severalresources.Record, lease.Token)
			if err != nil {
				return err
			}
			if err := c.Write(severalresources.Record, job.MoveIn(c, record), lease.Token); err != nil {
				return err
			}
			return c.Release(lease)
		},
		HalfDone: "no", // one write is carried out or not
	}
}
