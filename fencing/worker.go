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
	Key             string        // name of the lock, and key it writes; "" means "report"
	Start           time.Duration // when it asks for the lock
	WorkBefore      time.Duration // work between the grant and the write; 0 means 1 s
	WorkAfter       time.Duration // work between the write and the release; 0 means 5 s
	RenewEvery      time.Duration // renew this often on the way; 0 never renews
	CheckFirst      bool          // look at the clock before the write, and stop if the lease is over
	StopWhenLost    bool          // stop as soon as a reply has said that the lease is lost
	ClaimFirst      bool          // claim the key right after the grant
	ReadModifyWrite bool          // read the key after the grant, and write what was read with a line of its own added
	FreshToken      bool          // before the write, ask for the lock's present token and send that one: a mistake
	ReleaseByName   bool          // release whoever holds the lock: a mistake, see Config.PlainDelete
	Effect          string        // after the write, have this effect on the world outside
	Writes          int           // how many writes, each after work of its own; 0 means 1
	Rounds          int           // how often it does its job; 0 means once
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
	p.Writes, p.Rounds = max(p.Writes, 1), max(p.Rounds, 1)
	return p
}

// check reports the first mistake.
func (p Policy) check() error {
	for _, f := range []struct {
		name  string
		value time.Duration
		hint  string
	}{
		{"Start", p.Start, "to begin at once"},
		{"WorkBefore", p.WorkBefore, "for 1 s"},
		{"WorkAfter", p.WorkAfter, "for 5 s"},
		{"RenewEvery", p.RenewEvery, "for a lease that is never renewed"},
	} {
		if f.value < 0 || f.value > Longest {
			return fmt.Errorf("Policy.%s is %s: give a positive length, or leave it out %s (the longest is %s)", f.name, f.value, f.hint, longestInWords)
		}
		if lacksUnit(f.value) {
			return noUnit("Policy."+f.name+" is", f.value)
		}
	}
	switch {
	case p.Writes < 0:
		return fmt.Errorf("Policy.Writes is %d: give a positive number, or leave it out for 1", p.Writes)
	case p.Rounds < 0:
		return fmt.Errorf("Policy.Rounds is %d: give a positive number, or leave it out for 1", p.Rounds)
	}
	return nil
}

// String says in a few words what differs from the default, "" if nothing does.
func (p Policy) String() string {
	var parts []string
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(p.ClaimFirst, "claims first")
	add(p.ReadModifyWrite, "writes on top of what it read")
	add(p.CheckFirst, "the lease is checked before the write")
	add(p.FreshToken, "sends the lock’s present token")
	add(p.RenewEvery != 0, "renews every %s", Seconds(p.RenewEvery))
	add(p.StopWhenLost, "stops when told that its lease is lost")
	add(p.ReleaseByName, "releases by name")
	add(p.Effect != "", "has the effect %q", p.Effect)
	p, standard := p.withDefaults(), Policy{}.withDefaults()
	add(p.Writes != 1, "writes %d times", p.Writes)
	add(p.Rounds != 1, "%d rounds", p.Rounds)
	add(p.WorkBefore != standard.WorkBefore || p.WorkAfter != standard.WorkAfter,
		"works %s before the write and %s after it", Seconds(p.WorkBefore), Seconds(p.WorkAfter))
	return strings.Join(parts, ", ")
}

// Worker returns the function that every preset's clients run: acquire, work,
// write, work, release. It stops when the storage tells it that a newer holder
// has written. When it does not learn what became of its write, it releases and
// leaves the rest to the next holder. Restarted with its memory, it goes on with the
// lease that it remembers. A negative number in the policy ends the run ([Trace.Err]).
func Worker(p Policy) func(*Client) {
	mistake := p.check()
	p = p.withDefaults()
	return func(c *Client) {
		c.mistake(mistake)
		c.Sleep(p.Start)
		lease, recalled := c.Recall()
		for n := range p.Rounds {
			if n > 0 || !recalled {
				lease = c.Acquire(p.Key)
			}
			if !p.job(c, lease) {
				return
			}
		}
	}
}

// job is one round. It reports whether the worker may go on with another.
func (p Policy) job(c *Client, lease Lease) bool {
	if p.RenewEvery != 0 {
		c.KeepAlive(lease, p.RenewEvery)
	}
	before, err := p.look(c, lease)
	if err != nil {
		return p.giveUp(c, lease, err)
	}
	for n := range p.Writes {
		c.Work(p.WorkBefore)
		if p.CheckFirst && !c.Holds(lease) || p.StopWhenLost && c.Lost(lease) {
			return false
		}
		before = p.next(c, before, n+1)
		if err := c.Write(p.Key, before, p.token(c, lease)); err != nil {
			return p.giveUp(c, lease, err)
		}
	}
	if p.Effect != "" {
		c.Do(p.Effect)
	}
	c.Work(p.WorkAfter)
	return p.release(c, lease) == nil
}

// look claims or reads the key, if the policy says so.
func (p Policy) look(c *Client, lease Lease) (value string, err error) {
	if p.ClaimFirst {
		value, err = c.Claim(p.Key, lease.Token)
	}
	if p.ReadModifyWrite && !p.ClaimFirst {
		value, err = c.Read(p.Key)
	}
	if !p.ReadModifyWrite {
		return "", err
	}
	return value, err
}

// next returns what the n-th write of a job writes.
func (p Policy) next(c *Client, before string, n int) string {
	line := "from " + c.Name()
	if n > 1 {
		line += fmt.Sprintf(", no. %d", n)
	}
	if p.ReadModifyWrite {
		return before + line + "\n"
	}
	return line
}

func (p Policy) token(c *Client, lease Lease) uint64 {
	if p.FreshToken {
		if token, err := c.CurrentToken(lease.Lock); err == nil {
			return token
		}
	}
	return lease.Token
}

// giveUp ends a job whose write failed: at once if a newer holder is at work,
// with a polite release if the outcome is unknown.
func (p Policy) giveUp(c *Client, lease Lease, err error) bool {
	if !errors.Is(err, ErrFenced) {
		p.release(c, lease)
	}
	return false
}

func (p Policy) release(c *Client, lease Lease) error {
	if p.ReleaseByName {
		return c.ReleaseByName(lease.Lock)
	}
	return c.Release(lease)
}
