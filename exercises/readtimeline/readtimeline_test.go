package readtimeline_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/readtimeline"
	"fencingtokens/exercises/readtimeline/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Read)(1))
	prove.Golden(t, "passed", of(Read)(1))
	for _, w := range catalogue {
		switch w.name {
		case "late is stale", "belief ends with the lease", "the highest token, without fencing":
			prove.Golden(t, w.name, of(w.answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestRead(t *testing.T) {
	t.Run("untouched", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped(), "an untouched notebook must run to its end") })
		readtimeline.Check(t, stub.Read)
	})
	t.Run("no answer", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped()) })
		readtimeline.Check(t, nil)
	})
	t.Run("solved", func(t *testing.T) { readtimeline.Check(t, Read) })
}
