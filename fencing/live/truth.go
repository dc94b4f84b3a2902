package live

import (
	"context"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// observation is what the lock service said of a lock, when it said something new.
type observation struct {
	at     time.Duration
	lock   string
	client string // "" if nobody held it
}

// looking is how often the lock service is asked who holds a lock.
const looking = 20 * time.Millisecond

// lookingLong is how long it has for an answer. When a run waits for nothing else
// any more and has had no answer for the time silent, none is expected: a service
// that restarts is silent for a while, and its clients may hear of it again before
// the run does.
const (
	lookingLong = 2 * time.Second
	silent      = 10 * time.Second
)

// observe asks the lock service who holds the locks, again and again, until the
// function that it returns is called.
func (c *conductor) observe() (stop func()) {
	ctx, cancel := context.WithCancel(c.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			for _, lock := range c.locks {
				c.look(ctx, lock)
			}
			select {
			case <-time.After(looking):
			case <-ctx.Done():
			}
		}
	}()
	return func() { cancel(); <-done }
}

// look notes who holds the lock, if that is new. A service that does not answer
// says nothing.
func (c *conductor) look(ctx context.Context, lock string) {
	asking, cancel := context.WithTimeout(ctx, lookingLong)
	defer cancel()
	asked := c.now()
	client, _, err := c.server.Holder(asking, c.name, lock)
	if err != nil {
		c.changed(func() {
			if c.isBusy() {
				c.heard = c.now()
			}
		})
		return
	}
	now := observation{c.now(), lock, client}
	c.changed(func() {
		c.heard, c.looked[lock] = c.now(), asked
		if c.holderOf(lock) != client {
			c.truth = append(c.truth, now)
		}
	})
}

// holderOf returns whom the lock service named last, "" if nobody.
func (c *conductor) holderOf(lock string) string {
	for _, o := range slices.Backward(c.truth) {
		if o.lock == lock {
			return o.client
		}
	}
	return ""
}

// isFree reports whether the lock service, asked after the last grant, says that
// nobody holds a lock any more.
func (c *conductor) isFree() bool {
	return !slices.ContainsFunc(c.locks, func(lock string) bool {
		return c.holderOf(lock) != "" || c.looked[lock] < c.lastGrant(lock)
	})
}

func (c *conductor) lastGrant(lock string) (last time.Duration) {
	for _, events := range c.streams {
		for _, e := range events {
			if e.Kind == fencing.Granted && e.Key == lock {
				last = max(last, e.At)
			}
		}
	}
	return last
}

// locksOf are those that a run has granted.
func locksOf(t *fencing.Trace) []string {
	var locks []string
	for _, g := range t.Grants() {
		if !slices.Contains(locks, g.Lock) {
			locks = append(locks, g.Lock)
		}
	}
	return locks
}

func (c *conductor) now() time.Duration {
	return time.Duration(time.Now().UnixNano() - c.start.UnixNano())
}
