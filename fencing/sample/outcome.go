package sample

import (
	"slices"
	"time"

	"fencingtokens/fencing"
)

// outcome is what one run adds to a result.
type outcome struct {
	jobs                  int
	believers             int // the most at once, of whatever lock
	overlaps              int
	overlap               time.Duration
	attempted, accepted   int // stale writes
	late, dataLost, twice int
	falseExpiry           int
	takeOvers             []time.Duration
}

// outcomeOf folds a trace.
func outcomeOf(t *fencing.Trace) outcome {
	var o outcome
	o.countWrites(t)
	o.countLeases(t)
	if o.believers > 1 { // otherwise there is nothing to look for, and looking costs
		for _, overlap := range t.Overlaps() {
			o.overlaps++
			o.overlap += overlap.Until - overlap.From
		}
	}
	return o
}

func (o *outcome) countWrites(t *fencing.Trace) {
	for _, a := range t.Attempts() {
		if a.Stale {
			o.attempted++
		}
		if !a.Accepted {
			continue
		}
		if a.Stale {
			o.accepted++
		}
		if a.Late {
			o.late++
		}
		if a.Lost != "" || a.Across {
			o.dataLost++
		}
	}
}

// held is a lock as the lock service knows it, or a majority of the lock nodes,
// and as far as this fold needs it.
type held struct {
	lock, client string
	token        uint64
	given        bool // the holder has called release
	free         bool
	crashed      bool // its holder crashed at that time, and nobody has it since
	at           time.Duration
	leases       []lease
}

// lease is one that runs.
type lease struct{ service, client string }

func (h *held) count(client string) (n int) {
	for _, l := range h.leases {
		if l.client == client {
			n++
		}
	}
	return n
}

// countLeases follows the lock service: jobs, leases that ended while they were
// wanted, and take-overs.
func (o *outcome) countLeases(t *fencing.Trace) {
	var locks []held
	var gone []string // clients that crashed or returned
	var effects []string
	believing := 0
	for _, e := range t.Events {
		switch e.Kind {
		case fencing.BeliefBegan:
			o.jobs++
			believing++
			o.believers = max(o.believers, believing)
		case fencing.BeliefEnded:
			believing--
		case fencing.Did:
			if e.Outcome == fencing.OK {
				if slices.Contains(effects, e.Key) {
					o.twice++
				}
				effects = append(effects, e.Key)
			}
		case fencing.Finished:
			gone = append(gone, e.Actor)
		case fencing.Restarted:
			gone = slices.DeleteFunc(gone, func(name string) bool { return name == e.Actor })
		case fencing.Crashed:
			gone = append(gone, e.Actor)
			for i := range locks {
				if l := &locks[i]; l.client == e.Actor && !l.free && !l.given {
					l.crashed, l.at = true, e.At
				}
			}
		case fencing.Called:
			if l := find(locks, e.Key); e.Op == fencing.OpRelease && l != nil && l.client == e.Actor && l.token == e.Token {
				l.given = true
			}
		case fencing.Granted, fencing.Released, fencing.Expired, fencing.Forgot:
			l := find(locks, e.Key)
			if l == nil {
				locks = append(locks, held{lock: e.Key})
				l = &locks[len(locks)-1]
			}
			o.leaseEvent(l, e, t.Config.Nodes/2+1, slices.Contains(gone, e.Client))
		}
	}
}

// leaseEvent counts when somebody gets the lock, which takes so many leases, and
// when its holder loses it.
func (o *outcome) leaseEvent(l *held, e fencing.Event, majority int, gone bool) {
	before := l.count(e.Client)
	if e.Kind == fencing.Granted {
		l.leases = append(l.leases, lease{e.Actor, e.Client})
		if before+1 != majority {
			return
		}
		if l.crashed {
			o.takeOvers = append(o.takeOvers, e.At-l.at)
		}
		l.client, l.token, l.given, l.free, l.crashed = e.Client, e.Token, false, false, false
		return
	}
	l.leases = slices.DeleteFunc(l.leases, func(other lease) bool { return other.service == e.Actor })
	if e.Client != l.client || before != majority {
		return
	}
	if e.Kind == fencing.Expired && !l.given && !gone {
		o.falseExpiry++
	}
	l.free = true
}

func find(locks []held, lock string) *held {
	for i := range locks {
		if locks[i].lock == lock {
			return &locks[i]
		}
	}
	return nil
}
