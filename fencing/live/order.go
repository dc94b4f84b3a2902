package live

import (
	"slices"

	"fencingtokens/fencing"
)

// This file takes the order of the run from the simulated one: where a fault ends
// in the simulation after something that others do, it does so in the run.

// deeds counts what clients other than one have had done to them: how many
// leases they were granted, and how many steps of their requests the storage has taken.
type deeds struct{ grants, handled int }

func (d deeds) atLeast(other deeds) bool {
	return d.grants >= other.grants && d.handled >= other.handled
}

// othersThan counts in the events of a trace or of a part.
func othersThan(client string, events []fencing.Event) (d deeds) {
	for _, e := range events {
		if e.Client == client {
			continue
		}
		switch e.Kind {
		case fencing.Granted:
			d.grants++
		case fencing.Passed, fencing.Accepted, fencing.Rejected, fencing.Served, fencing.Claimed, fencing.Deleted:
			d.handled++
		}
	}
	return d
}

// holds are the points at which a client waits for others: before its first
// acquire, if another one comes first in the simulation.
func (c *conductor) holds(client string) []fencing.Label {
	if c.beforeAcquire(client).grants == 0 {
		return nil
	}
	return []fencing.Label{{Client: client, Point: fencing.BeforeAcquire, Nth: 1}}
}

func (c *conductor) beforeAcquire(client string) deeds {
	return c.before(client, 0, func(e fencing.Event) bool {
		return e.Actor == client && e.Kind == fencing.Called && (e.Op == fencing.OpAcquire || e.Op == fencing.OpTryAcquire)
	})
}

// beforeResume counts what others do before the pause at a point ends.
func (c *conductor) beforeResume(r reached) deeds {
	client := r.Label.Client
	return c.before(client, c.chosen(r.Label.Fault(r.Choice)), func(e fencing.Event) bool {
		return e.Actor == client && e.Kind == fencing.Resumed
	})
}

// beforeArrival counts what others do before a delayed message arrives.
func (c *conductor) beforeArrival(f fencing.Fault) deeds {
	chosen := c.chosen(f)
	msg := 0
	for _, e := range c.simulated.Events[chosen:] {
		if e.Kind == fencing.Sent {
			msg = e.Msg
			break
		}
	}
	return c.before(f.Actor, chosen, func(e fencing.Event) bool { return e.Kind == fencing.Arrived && e.Msg == msg })
}

// chosen returns where the fault strikes in the simulation.
func (c *conductor) chosen(f fencing.Fault) int {
	return slices.IndexFunc(c.simulated.Events, func(e fencing.Event) bool { return e.Kind == fencing.Chosen && e.Note == f.String() })
}

// before counts what others do before the first event, from a place on, that is
// looked for.
func (c *conductor) before(client string, from int, is func(fencing.Event) bool) deeds {
	n := slices.IndexFunc(c.simulated.Events[from:], is)
	if n < 0 {
		return deeds{}
	}
	return othersThan(client, c.simulated.Events[:from+n])
}

// awaitOthers waits until the others have done as much, or can do no more.
func (c *conductor) awaitOthers(client string, least deeds) {
	c.until(func() bool {
		done := deeds{}
		for _, events := range c.streams {
			d := othersThan(client, events)
			done.grants, done.handled = done.grants+d.grants, done.handled+d.handled
		}
		return done.atLeast(least) || !slices.ContainsFunc(c.atWork(), func(name string) bool { return name != client })
	})
}
