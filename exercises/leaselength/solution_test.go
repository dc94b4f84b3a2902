package leaselength_test

import (
	"time"

	"fencingtokens/exercises/leaselength"
)

// Length returns how long the lease should be, and false if no length will do.
func Length(m leaselength.Measured) (lease time.Duration, possible bool) {
	drift := func(d time.Duration) time.Duration { return d * time.Duration(m.DriftPPM) / 1_000_000 }
	lease = time.Duration(m.Losses+1)*m.RenewEvery + m.P999 + m.RoundTrip
	lease += drift(lease)
	return lease, lease+drift(lease)+m.RoundTrip <= m.TakeOver
}
