package fencing

import (
	"slices"
	"time"
)

// setClocks gives every clock its offset and rate.
func (w *World) setClocks() {
	w.skewed = len(w.config.Clocks) > 0 || slices.ContainsFunc(w.config.Faults, Fault.touchesClock)
	for _, k := range w.config.Clocks {
		*w.clock(k.Actor) = clock{read: k.Offset, ppm: k.PPM}
	}
}

// clock returns the clock of a client, of the lock service or of a lock node.
func (w *World) clock(actor string) *clock { return w.clocks[actor] }

// clockOf returns what the actor's clock reads now; the storage and the network
// go by true time.
func (w *World) clockOf(actor string) time.Duration {
	if !w.skewed {
		return w.now
	}
	if c, ok := w.clocks[actor]; ok {
		return c.at(w.now)
	}
	return w.now
}

// jumpClock lets a clock jump. A lease that it measures may end early by it.
func (w *World) jumpClock(actor string, by time.Duration) {
	w.clock(actor).jump(w.now, by)
	w.record(Event{Actor: actor, Kind: ClockJumped, Until: by})
	for _, l := range w.locks {
		if l.service.name == actor {
			l.jumped = w.now
		}
	}
	w.watchLocks(actor)
}

func (w *World) letClockRun(actor string) {
	w.clock(actor).goOn(w.now)
	w.record(Event{Actor: actor, Kind: ClockRan})
	w.watchLocks(actor)
}

// watchLocks looks at the locks of a service whose clock has changed: leases and
// lock-delays may end at another time now, or have ended already.
func (w *World) watchLocks(actor string) {
	for _, l := range w.locks {
		if l.service.name == actor {
			w.watchLock(l)
		}
	}
}
