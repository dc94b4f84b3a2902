package readtimeline_test

import (
	"testing"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/readtimeline"
	"fencingtokens/exercises/readtimeline/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Read)(1))
	prove.Golden(t, "passed", of(Read)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "late is stale", "belief ends with the lease", "the highest token, without fencing":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestRead(t *testing.T) {
	prove.Cell(t, readtimeline.Check, stub.Read, Read)
}
