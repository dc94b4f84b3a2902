package leaselength_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/leaselength"
	"fencingtokens/exercises/leaselength/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Length)(1))
	prove.Golden(t, "passed", of(Length)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "no lost renewal", "to outlast the longest pause", "impossible if the longest pause does not fit":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestLength(t *testing.T) {
	prove.Cell(t, leaselength.Check, stub.Length, Length)
}

// Any length between the two sides is right, and whoever counts a little more.
func TestOtherRightAnswersPass(t *testing.T) {
	most := func(m measured) time.Duration {
		return (m.TakeOver - m.RoundTrip) * 1_000_000 / time.Duration(1_000_000+m.DriftPPM)
	}
	prove.OthersPass(t, of, 50, map[string]leaselength.Answer{
		"as long as the take-over allows": func(m measured) (time.Duration, bool) { return most(m), right(m) <= most(m) },
		"in the middle":                   func(m measured) (time.Duration, bool) { return (right(m) + most(m)) / 2, right(m) <= most(m) },
		"a round trip for every try": fits(func(m measured) time.Duration {
			return drift(m, intervals(m)+m.P999+time.Duration(m.Losses+1)*m.RoundTrip)
		}),
		"a tenth more": fits(func(m measured) time.Duration { return right(m) * 11 / 10 }),
		"drift divided by": fits(func(m measured) time.Duration {
			return time.Duration(float64(intervals(m)+m.P999+m.RoundTrip) / (1 - float64(m.DriftPPM)/1e6))
		}),
		"drift in floats": fits(func(m measured) time.Duration {
			return time.Duration(float64(intervals(m)+m.P999+m.RoundTrip) * (1 + float64(m.DriftPPM)/1e6))
		}),
		"drift of both sides": fits(func(m measured) time.Duration { return drift(m, right(m)) }),
	})
}

func TestThereIsALengthForTheExample(t *testing.T) {
	_, possible := Length(leaselength.Example)
	assert.True(t, possible)
}
