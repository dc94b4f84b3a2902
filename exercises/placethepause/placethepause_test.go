package placethepause_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/placethepause"
	"fencingtokens/exercises/placethepause/stub"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.PlaceThePause)(1))
	prove.Golden(t, "passed", of(PlaceThePause)(1))
	for _, w := range catalogue {
		if w.Name == "a pause just shorter than the lease" || w.Name == "a pause exactly as long as the lease" || w.Name == "the number of the lesson named" || w.Name == "the moment of waking named" || w.Name == "client 2 crashed as well" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestPlaceThePause(t *testing.T) {
	prove.Cell(t, placethepause.Check, stub.PlaceThePause, PlaceThePause)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]func(world) answer{
		"before the write": only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.BeforeWrite, w.Lease+second)}
		}),
		"before it looks at the reply": only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.OnAcquireReply, w.Lease+second)}
		}),
		"in the middle of the work": only(func(w world) faults {
			return faults{fencing.PauseAt("client 1", w.Start+w.Work/2, w.Lease+second)}
		}),
		"hardly longer than the lease": only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+1)}
		}),
		"all of the budget": only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+placethepause.Room)}
		}),
	})
}

// What the text of the exercise says about a pause as long as the lease.
func TestAPauseOfExactlyTheLeaseIsNotEnough(t *testing.T) {
	for seed := range uint64(20) {
		f, _ := of(only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease)}
		}))(seed).First()
		require.Equal(t, "late, but not stale", f.Mistake, f)
	}
}

func TestTheExampleEndsWithinItsLease(t *testing.T) {
	for seed := range uint64(20) {
		for _, w := range append(worldsOf(seed), placethepause.Example) {
			for _, e := range w.Run().Events {
				require.NotEqual(t, fencing.Expired, e.Kind, "%s", w)
			}
		}
	}
}

// worldsOf returns the worlds that a check asks an answer for.
func worldsOf(seed uint64) []world {
	var worlds []world
	of(func(w world) answer {
		worlds = append(worlds, w)
		return PlaceThePause(w)
	})(seed)
	return worlds
}

func TestAnAnswerThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		r := of(func(world) answer { <-never; return answer{} })(1)
		f, _ := r.First()
		assert.Equal(t, check.TimedOut, r.State)
		assert.Equal(t, happens, f.Check)
		assert.False(t, r.Runaway)
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	first, _ := of(catalogue[0].Answer)(3).First()
	again, _ := of(catalogue[0].Answer)(3).First()
	other, _ := of(catalogue[0].Answer)(4).First()
	assert.Equal(t, first.Replay, again.Replay)
	assert.NotEqual(t, first.Replay, other.Replay)
}
