package live

import "time"

// SetLimit shortens how long a run may take, and returns what undoes that.
func SetLimit(d time.Duration) (undo func()) {
	before := limit
	limit = d
	return func() { limit = before }
}

// Merge is for tests of the order of events.
var Merge = merge

// Observation is what the lock service said of a lock.
func Observation(at time.Duration, lock, client string) observation {
	return observation{at: at, lock: lock, client: client}
}

// Observations are none so far.
func Observations() []observation { return nil }
