package search

import (
	"slices"

	"fencingtokens/fencing"
)

// judge reads traces and makes no garbage, which matters when there are a
// million of them. For the two properties that a search is about by default it
// can tell that they hold; only when it cannot is the verdict asked.
type judge struct {
	kinds kinds // the kinds of events in the trace
	stale bool  // a stale write may have been accepted
	lost  bool  // an update may have been lost

	versions []version // what the clients have read
	bases    []int     // by call: the version that its client knew then, -1 for none
}

type version struct {
	client, key string
	version     int
}

// kinds is a set of kinds of events.
type kinds uint64

func (k kinds) has(kind fencing.Kind) bool { return k&(1<<kind) != 0 }

// change reports whether something was changed: the storage, or the world
// outside.
func (k kinds) change() bool {
	return k.has(fencing.Accepted) || k.has(fencing.Deleted) || k.has(fencing.Did)
}

// seen counts, by kind, the runs in which such an event happened.
type seen [64]int

func (s *seen) add(k kinds) {
	for i := range s {
		s[i] += int(k >> i & 1)
	}
}

// violated returns the first of the properties that the trace violates, "" if
// none.
func (j *judge) violated(trace *fencing.Trace, properties []fencing.Property) fencing.Property {
	var verdict *fencing.Verdict
	for _, p := range properties {
		if p == fencing.NoStaleWrite && !j.stale || p == fencing.NoLostUpdate && !j.lost {
			continue
		}
		if verdict == nil {
			v := trace.Verdict()
			verdict = &v
		}
		if verdict.Finding(p).Status == fencing.Violated {
			return p
		}
	}
	return ""
}

// read folds a trace. A write is stale if its key had a higher fence. It may
// have lost an update if it made a version that is not the next one after the
// version that its client knew when it called.
func (j *judge) read(trace *fencing.Trace) {
	j.kinds, j.stale, j.lost = 0, false, false
	j.versions, j.bases = j.versions[:0], j.bases[:0]
	for i := range trace.Events {
		e := &trace.Events[i]
		j.kinds |= 1 << e.Kind
		switch e.Kind {
		case fencing.Called:
			j.called(e)
		case fencing.Returned:
			j.returned(e)
		case fencing.Restarted:
			j.versions = slices.DeleteFunc(j.versions, func(v version) bool { return v.client == e.Actor })
		case fencing.Accepted, fencing.Deleted:
			if e.Op == fencing.NoOp {
				continue // a clean-up
			}
			base := j.bases[e.Call]
			j.stale = j.stale || e.Token < e.Fence
			j.lost = j.lost || base >= 0 && e.Version > base+1
		}
	}
}

func (j *judge) called(e *fencing.Event) {
	for len(j.bases) <= e.Call {
		j.bases = append(j.bases, -1)
	}
	if v := j.version(e.Actor, e.Key); v != nil {
		j.bases[e.Call] = v.version
	}
}

func (j *judge) returned(e *fencing.Event) {
	if e.Outcome != fencing.OK {
		return
	}
	v := j.version(e.Actor, e.Key)
	switch e.Op {
	case fencing.OpRead, fencing.OpClaim:
		if v == nil {
			j.versions = append(j.versions, version{e.Actor, e.Key, e.Version})
			return
		}
	case fencing.OpWrite, fencing.OpDelete:
		if v == nil {
			return
		}
	default:
		return
	}
	v.version = e.Version
}

func (j *judge) version(client, key string) *version {
	for i := range j.versions {
		if v := &j.versions[i]; v.client == client && v.key == key {
			return v
		}
	}
	return nil
}
