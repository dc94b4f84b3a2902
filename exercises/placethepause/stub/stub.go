// Package stub is the cell of the exercise as it is handed out.
package stub

import "fencingtokens/exercises/placethepause"

// PlaceThePause makes client 1's write stale, with one pause.
func PlaceThePause(world placethepause.World) placethepause.Answer {
	return placethepause.Answer{
		// What the world does, for example
		// []fencing.Fault{fencing.Pause("client 2", fencing.AfterWrite, time.Second)}
		Faults: nil,
		// Your prediction: whose write will be stale, and when it arrives.
		StaleWriter: "",
		ArrivesAt:   0,
	}
}
