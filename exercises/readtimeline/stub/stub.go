// Package stub is the cell of the exercise as it is handed out.
package stub

import "fencingtokens/exercises/readtimeline"

// Read returns what you have read from the three runs of your number.
func Read() readtimeline.Readings {
	return readtimeline.Readings{
		Number: 0,
		Runs:   [3]readtimeline.Reading{
			// for example {Late: 1, Stale: 0, AtTheEnd: "client 2", Overlap: 2 * time.Second},
		},
	}
}
