package renewingworker_test

import (
	"testing"
	"time"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/renewingworker"
	"fencingtokens/exercises/renewingworker/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Renewing)(1))
	prove.Golden(t, "passed", of(Renewing)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "counted from the reply", "given up at the first time-out", "looked at the deadline before the work only", "a fenced write not looked at":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestRenewing(t *testing.T) {
	prove.Cell(t, renewingworker.Check, stub.Renewing, Renewing)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]renewingworker.Worker{
		"asked more often":    habits{often: true}.work,
		"asked again at once": habits{again: true}.work,
		"a margin": func(c client, j job) error {
			j.Length -= 2 * time.Second
			return Renewing(c, j)
		},
	})
}
