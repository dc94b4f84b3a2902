package efficiencyorcorrectness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ec "fencingtokens/exercises/efficiencyorcorrectness"
	"fencingtokens/exercises/efficiencyorcorrectness/stub"
	"fencingtokens/exercises/internal/prove"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Choose)(1))
	prove.Golden(t, "passed", of(Choose)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "always a lease", "a fence against everything", "always a lock":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestChoose(t *testing.T) {
	prove.Cell(t, ec.Check, stub.Choose, Choose)
}

func TestOtherRightAnswersPass(t *testing.T) {
	for seed := range uint64(50) {
		f, failed := of(func(j ec.Job) ec.Choice {
			switch {
			case j.AddsTo:
				return ec.Choice{For: ec.Correctness, Lock: true, Fence: true, Key: j.Effect == ec.Payment}
			case j.Effect == ec.Payment:
				return ec.Choice{For: ec.Correctness, Key: true, Lock: j.RunsPerYear*j.TwiceCents >= ec.LockCentsPerYear}
			default:
				return ec.Choice{For: ec.Efficiency, Lock: j.RunsPerYear > ec.LockCentsPerYear/j.TwiceCents}
			}
		})(seed).First()
		require.False(t, failed, "seed %d: %+v", seed, f)
	}
}

func TestTheExamplesAskForFourDifferentChoices(t *testing.T) {
	chosen := map[ec.Choice]bool{}
	for _, j := range ec.Examples {
		chosen[Choose(j)] = true
	}
	assert.Len(t, chosen, 4)
}
