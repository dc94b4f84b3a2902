package fencing

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Policy says how a [Worker] goes about its job. Zero is off, or the default
// that the field's comment names.
type Policy struct {
	Key        string        // name of the lock, and key it writes; "" means "report"
	Start      time.Duration // when it asks for the lock
	WorkBefore time.Duration // work between the grant and the write; 0 means 1 s
	WorkAfter  time.Duration // work between the write and the release; 0 means 5 s
	CheckFirst bool          // look at the clock before the write, and stop if the lease is over
	RenewEvery time.Duration // renew this often on the way; 0 never renews
}

func (p Policy) withDefaults() Policy {
	if p.Key == "" {
		p.Key = "report"
	}
	if p.WorkBefore == 0 {
		p.WorkBefore = time.Second
	}
	if p.WorkAfter == 0 {
		p.WorkAfter = 5 * time.Second
	}
	return p
}

// String says in a few words what differs from the default, "" if nothing does.
func (p Policy) String() string {
	var parts []string
	if p.CheckFirst {
		parts = append(parts, "the lease is checked before the write")
	}
	if p.RenewEvery != 0 {
		parts = append(parts, "renews every "+seconds(p.RenewEvery))
	}
	p, standard := p.withDefaults(), Policy{}.withDefaults()
	if p.WorkBefore != standard.WorkBefore || p.WorkAfter != standard.WorkAfter {
		parts = append(parts, fmt.Sprintf("works %s before the write and %s after it", seconds(p.WorkBefore), seconds(p.WorkAfter)))
	}
	return strings.Join(parts, ", ")
}

// Worker returns the function that every preset's clients run: acquire, work,
// write, work, release. It stops when the storage tells it that a newer holder
// has written. When it does not learn what became of its write, it releases and
// leaves the rest to the next holder.
func Worker(p Policy) func(*Client) {
	p = p.withDefaults()
	return func(c *Client) {
		c.Sleep(p.Start)
		lease := c.Acquire(p.Key)
		if p.RenewEvery != 0 {
			c.KeepAlive(lease, p.RenewEvery)
		}
		c.Work(p.WorkBefore)
		if p.CheckFirst && !c.Holds(lease) {
			return
		}
		err := c.Write(p.Key, "from "+c.Name(), lease.Token)
		if errors.Is(err, ErrFenced) {
			return
		}
		if err == nil {
			c.Work(p.WorkAfter)
		}
		c.Release(lease)
	}
}
