package breakclient_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises/breakclient"
	"fencingtokens/exercises/breakclient/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Break)(1))
	prove.Golden(t, "passed", of(Break)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "a pause just before the look", "the renewal delayed on its way there", "client 1's clock back", "one pause before the write for all":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestBreak(t *testing.T) {
	prove.Cell(t, breakclient.Check, stub.Break, Break)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]breakclient.Answer{
		"a pause before the write": against(checksFirst, func(t target) faults {
			return faults{fencing.Pause("client 1", fencing.BeforeWrite, long(t))}
		}),
		"a copy of the write": against(checksTwice, func(t target) faults {
			return faults{fencing.Duplicate("client 1", fencing.WriteRequest, long(t))}
		}),
		"the shortest pause, and a nanosecond": against(checksFirst, func(t target) faults {
			return faults{fencing.Pause("client 1", fencing.AfterCheck, t.Lease-t.Work+second+1)}
		}),
		"a smaller jump": against(keepsMargin, func(t target) faults {
			return faults{fencing.JumpClock(fencing.ActorLockService, t.Start+second, t.Lease)}
		}),
	})
}

// Without a fault the precautions work: nobody writes late.
func TestUndisturbedNothingIsLost(t *testing.T) {
	for _, p := range []breakclient.Precaution{checksFirst, checksTwice, renewsFirst, keepsMargin} {
		trace := breakclient.Example(p).Run()
		require.NoError(t, trace.Err())
		require.Len(t, trace.Attempts(), 2)
		for _, a := range trace.Attempts() {
			assert.False(t, a.Late, "%s: %+v", p, a)
		}
	}
}

func TestAnAnswerThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		r := of(func(target) faults { <-never; return nil })(1)
		assert.Equal(t, check.TimedOut, r.State)
		assert.False(t, r.Runaway)
	})
}
