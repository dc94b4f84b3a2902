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

// held is a lock as the lock service knows it, and as far as this fold needs it.
type held struct {
	lock, client string
	token        uint64
	given        bool // the holder has called release
	free         bool
	crashed      bool // its holder crashed at that time, and nobody has it since
	at           time.Duration
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
			if e.Actor == fencing.ActorLockService {
				locks = o.lockEvent(locks, gone, e)
			}
		}
	}
}

func (o *outcome) lockEvent(locks []held, gone []string, e fencing.Event) []held {
	l := find(locks, e.Key)
	if l == nil {
		locks = append(locks, held{lock: e.Key})
		l = &locks[len(locks)-1]
	}
	if e.Kind != fencing.Granted {
		if e.Kind == fencing.Expired && !l.given && !slices.Contains(gone, l.client) {
			o.falseExpiry++
		}
		l.free = true
		return locks
	}
	if l.crashed {
		o.takeOvers = append(o.takeOvers, e.At-l.at)
	}
	*l = held{lock: e.Key, client: e.Client, token: e.Token}
	return locks
}

func find(locks []held, lock string) *held {
	for i := range locks {
		if locks[i].lock == lock {
			return &locks[i]
		}
	}
	return nil
}
