package fencing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// out lets a function run for some looks of the watchdog, and come back.
func (g *gate) out(looks int) (tooLong time.Duration) {
	g.open()
	for range looks {
		tooLong = max(tooLong, g.look())
	}
	g.word.Store(g.word.Load()&^states | inWorld) // also if it is lost, where it would never come back
	return tooLong
}

func TestAFunctionThatIsOutsideAgainAndAgainComesToTheEndOfItsBudget(t *testing.T) {
	for name, each := range map[string]int{"a little short of what is allowed": looks - 1, "shorter than a look": 1} {
		g, seen := &gate{}, 0
		for g.out(each) == 0 {
			seen += each
		}
		budget := int(looks * allowedInAll / allowed)
		assert.True(t, budget-each <= seen && seen <= budget, "%s: %d looks of %d", name, seen, budget)
	}
}

func TestEveryRunHasABudgetOfItsOwn(t *testing.T) {
	g := &gate{}
	for range 1000 {
		g.runs.Add(1)
		assert.Zero(t, g.out(looks-1))
	}
}

func TestAFunctionThatIsOutsideForAMomentManyTimesSpendsNothing(t *testing.T) {
	g := &gate{}
	for range 1000 {
		for range crawls {
			g.open()
			g.take()
		}
		assert.Zero(t, g.out(1))
	}
}
