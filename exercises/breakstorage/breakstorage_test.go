package breakstorage_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/breakstorage"
	"fencingtokens/exercises/breakstorage/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Break)(1))
	prove.Golden(t, "passed", of(Break)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "an old holder against equality", "the old write first", "the old write after the gap":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestBreak(t *testing.T) {
	prove.Cell(t, breakstorage.Check, stub.Break, Break)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]breakstorage.Answer{
		"client 2 twice":                    against(higher, func(t target) writes { return writes{two(end(t)), two(end(t))} }),
		"the old write right after the new": against(steps, func(t target) writes { return writes{two(end(t)), one(end(t) + 1)} }),
		"a late write, then the new holder": against(equal, func(t target) writes { return writes{one(end(t)), two(end(t) + second)} }),
	})
}

// Whatever breaks one of the three is no trouble for the storage that is right.
func TestTheTwinTakesAnyTwoWritesAsItShould(t *testing.T) {
	world := breakstorage.Example(steps)
	var all writes
	for at := world.Start; at <= end(world)+2*world.Gap; at += second {
		all = append(all, one(at))
		if at >= end(world) {
			all = append(all, two(at))
		}
	}
	for _, a := range all {
		for _, b := range all {
			for _, w := range world.Twin(a, b).Attempts() {
				assert.Equal(t, w.Stale, !w.Accepted, "%v %v: %+v", a, b, w)
			}
		}
	}
}

func TestAnAnswerThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		r := of(func(target) writes { <-never; return nil })(1)
		assert.Equal(t, check.TimedOut, r.State)
		assert.False(t, r.Runaway)
	})
}
