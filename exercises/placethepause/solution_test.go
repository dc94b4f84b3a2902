package placethepause_test

import (
	"time"

	"fencingtokens/exercises/placethepause"
	"fencingtokens/fencing"
)

// PlaceThePause makes client 1's write stale, with one pause.
func PlaceThePause(world placethepause.World) placethepause.Answer {
	// Client 2 is granted the lock when the lease ends and writes after its work.
	// Client 1 has as much work left, so it must sleep for longer than the lease.
	pause := world.Lease + time.Second
	return placethepause.Answer{
		Faults:      []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, pause)},
		StaleWriter: "client 1",
		ArrivesAt:   world.Start + pause + world.Work,
	}
}
