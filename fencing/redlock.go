package fencing

import (
	"fmt"
	"slices"
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
	c := t.client
	t.begin(OpTryAcquire, lock, "", 0)
	sent := c.clock()
	votes := t.askNodes(lock)
	deadline := t.deadline(sent)
	err := votes.decided("granted it", ErrHeld)
	if err == nil && c.clock() >= deadline {
		err = fmt.Errorf("%w: %s, but that took as long as the lease", ErrLeaseLost, votes.told("granted it"))
	}
	if err == nil {
		c.believe(lock, 0, deadline)
		t.end(nil, Event{Until: deadline, Note: votes.told("granted it")})
		return Lease{Lock: lock, Until: deadline}, nil
	}
	err = fmt.Errorf("acquire %q: %w", lock, err)
	t.end(err, Event{})
	t.giveBack(lock)
	return Lease{}, err
}

// giveBack releases what some nodes may have granted to a client that has no
// majority.
func (t *thread) giveBack(lock string) {
	t.begin(OpRelease, lock, "", 0)
	var err error
	if votes := t.askNodes(lock); votes.silent() > 0 {
		err = fmt.Errorf("release %q: %w: %s", lock, ErrTimeout, votes.told("released it"))
	}
	t.end(err, Event{})
}

func (t *thread) renewMajority(lease Lease) error {
	return t.askNodes(lease.Lock).decided("renewed it", ErrLeaseLost)
}

func (t *thread) releaseMajority(lease Lease) error {
	t.begin(OpRelease, lease.Lock, "", 0)
	t.client.disbelieveLease(whyReleased, lease)
	err := t.askNodes(lease.Lock).decided("released it", ErrLeaseLost)
	if err != nil {
		err = fmt.Errorf("release %q: %w", lease.Lock, err)
	}
	t.end(err, Event{})
	return err
}

// votes is what the lock nodes have answered, each once.
type votes struct {
	nodes, yes, no int
}

func (v votes) silent() int { return v.nodes - v.yes - v.no }

// decided returns nil if a majority said yes, and the error no if a majority
// cannot have said so. If it hangs on the nodes that were not heard, the outcome
// is unknown: a reply that was lost is not a refusal.
func (v votes) decided(what string, no error) error {
	majority := v.nodes/2 + 1
	switch {
	case v.yes >= majority:
		return nil
	case v.yes+v.silent() >= majority:
		no = ErrTimeout
	}
	return fmt.Errorf("%w: %s", no, v.told(what))
}

// told says what the client has heard.
func (v votes) told(what string) string {
	told := fmt.Sprintf("%d of %d nodes %s", v.yes, v.nodes, what)
	if v.silent() > 0 && v.yes <= v.nodes/2 {
		told += fmt.Sprintf(", and %d gave no reply in time", v.silent())
	}
	return told
}

// askNodes sends a request for the lock to every node at once. It waits until all
// have answered or one wait has timed out. A reply that arrives a second time is
// no second vote.
func (t *thread) askNodes(lock string) votes {
	w := t.client.world
	request := &message{key: lock}
	for _, s := range w.services {
		request.node = s
		w.send(t.address(request))
	}
	v := votes{nodes: len(w.services)}
	var heard [mostNodes]bool
	for v.silent() > 0 {
		reply, err := t.await(w.config.Timeout)
		if outcomeOf(err) == Unknown {
			break
		}
		n := slices.Index(w.services, reply.node)
		switch {
		case heard[n]:
		case err == nil:
			v.yes++
		default:
			v.no++
		}
		heard[n] = true
	}
	return v
}
