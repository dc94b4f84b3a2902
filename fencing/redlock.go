package fencing

import (
	"fmt"
	"time"
)

// retryAfter is how long a client of several lock nodes waits before it tries
// again.
const retryAfter = time.Second

// driftAllowance is what a client of several lock nodes takes off its lease for
// clocks that run apart: a hundredth of the lease and 2 ms, as Redis' description
// of Redlock suggests (redis.io, "Distributed Locks with Redis").
func driftAllowance(lease time.Duration) time.Duration {
	return lease/100 + 2*time.Millisecond
}

// acquireMajority asks every lock node and holds the lock if a majority grants
// it and enough of the lease is left when the last needed reply is there. It
// tries again until it does. Its lease has no token: no node could number the
// grants of all of them.
func (t *thread) acquireMajority(lock string) Lease {
	for {
		if lease, err := t.tryMajority(lock); err == nil {
			return lease
		}
		if t.sleeps(retryAfter) {
			t.park()
		}
	}
}

func (t *thread) tryMajority(lock string) (Lease, error) {
	c, w := t.client, t.client.world
	t.begin(OpTryAcquire, lock, "", 0)
	sent := c.clock()
	granted := t.askNodes(&message{key: lock})
	deadline := t.deadline(sent)
	enough, inTime := granted > w.config.Nodes/2, c.clock() < deadline
	if enough && inTime {
		c.believe(lock, 0, deadline)
		t.end(nil, Event{Until: deadline, Note: fmt.Sprintf("%d of %d nodes granted it", granted, w.config.Nodes)})
		return Lease{Lock: lock, Until: deadline}, nil
	}
	err := fmt.Errorf("acquire %q: %w: %d of %d nodes granted it", lock, ErrHeld, granted, w.config.Nodes)
	if enough {
		err = fmt.Errorf("acquire %q: %w: %d of %d nodes granted it, but that took as long as the lease", lock, ErrLeaseLost, granted, w.config.Nodes)
	}
	t.end(err, Event{})
	t.begin(OpRelease, lock, "", 0)
	t.askNodes(&message{key: lock})
	t.end(nil, Event{})
	return Lease{}, err
}

func (t *thread) renewMajority(lease Lease) error {
	w := t.client.world
	if renewed := t.askNodes(&message{key: lease.Lock}); renewed <= w.config.Nodes/2 {
		return fmt.Errorf("%w: %d of %d nodes still had the lease", ErrLeaseLost, renewed, w.config.Nodes)
	}
	return nil
}

func (t *thread) releaseMajority(lease Lease) error {
	c, w := t.client, t.client.world
	t.begin(OpRelease, lease.Lock, "", 0)
	c.disbelieveLease(whyReleased, lease)
	released := t.askNodes(&message{key: lease.Lock})
	var err error
	if released <= w.config.Nodes/2 {
		err = fmt.Errorf("release %q: %w: %d of %d nodes still had the lease", lease.Lock, ErrLeaseLost, released, w.config.Nodes)
	}
	t.end(err, Event{})
	return err
}

// askNodes sends a request to every node at once and returns how many said yes.
// It waits until all have answered or one wait has timed out.
func (t *thread) askNodes(request *message) (granted int) {
	w := t.client.world
	for _, s := range w.services {
		request.node = s
		w.send(t.address(request))
	}
	for range w.services {
		_, err := t.await(w.config.Timeout)
		switch {
		case err == nil:
			granted++
		case outcomeOf(err) == Unknown:
			return granted
		}
	}
	return granted
}
