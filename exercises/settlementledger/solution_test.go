package settlementledger_test

import (
	"fencingtokens/exercises/settlementledger"
	"fencingtokens/fencing"
)

// Settle settles one account for one period, once, and makes its payout, once.
func Settle(c *fencing.Client, job settlementledger.Job) error {
	lease := c.Acquire(job.Account)
	value, err := c.Claim(job.Account, lease.Token) // from here on no older holder can change it
	if err != nil {
		return err
	}
	if !job.Settled(value) {
		if err := c.Write(job.Account, job.Compute(c, value), lease.Token); err != nil {
			return err // refused, or no answer: the next worker finds what is committed
		}
	}
	// Also if it was settled already: whoever settled it may have died before this.
	c.Do("payout " + job.Account + " " + job.Period)
	return c.Release(lease)
}
