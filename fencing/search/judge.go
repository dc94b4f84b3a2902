package search

import (
	"math/bits"

	"fencingtokens/fencing"
)

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
	for ; k != 0; k &= k - 1 {
		s[bits.TrailingZeros64(uint64(k))]++
	}
}

// violated returns the first of the properties that a run violates, "" if none.
// Of the two that a search is about by default, a run without a trace can tell
// that they hold; only when it cannot is there a verdict, on a run that has one.
func violated(properties []fencing.Property, stale, lost bool, traced func() (*fencing.Trace, error)) (fencing.Property, error) {
	var verdict *fencing.Verdict
	for _, p := range properties {
		if p == fencing.NoStaleWrite && !stale || p == fencing.NoLostUpdate && !lost {
			continue
		}
		if verdict == nil {
			trace, err := traced()
			if err != nil {
				return "", err
			}
			v := trace.Verdict()
			verdict = &v
		}
		if verdict.Finding(p).Status == fencing.Violated {
			return p, nil
		}
	}
	return "", nil
}
