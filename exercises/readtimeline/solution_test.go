package readtimeline_test

import (
	"time"

	"fencingtokens/exercises/readtimeline"
)

// Read returns what you have read from the three runs of your number.
func Read() readtimeline.Readings {
	return readtimeline.Readings{
		Number: 1,
		Runs: [3]readtimeline.Reading{
			{Late: 0, Stale: 0, AtTheEnd: "client 2", Overlap: 0},
			{Late: 1, Stale: 1, AtTheEnd: "client 1", Overlap: 7 * time.Second},
			{Late: 1, Stale: 0, AtTheEnd: "client 2", Overlap: 5500 * time.Millisecond},
		},
	}
}
