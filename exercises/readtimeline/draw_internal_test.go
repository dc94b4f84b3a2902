package readtimeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever number a learner chooses, its runs ask for every difference.
func TestEveryNumberHasAStaleWriteALateOneThatIsNotAndOneInTime(t *testing.T) {
	for number := range uint64(300) {
		kinds := map[[2]int]int{}
		for _, trace := range runs(number) {
			require.NoError(t, trace.Err())
			l := &look{trace: trace}
			lates, _ := l.count(isLate)
			stales, _ := l.count(isStale)
			kinds[[2]int{lates, stales}]++
			require.Len(t, trace.Attempts(), 2)
			require.LessOrEqual(t, len(trace.Overlaps()), 1)
		}
		assert.Equal(t, map[[2]int]int{{1, 1}: 1, {1, 0}: 1, {0, 0}: 1}, kinds, "number %d", number)
	}
}

// The text of a run that is held back does not say what is to be read.
func TestTheRunsOfANumberAreDrawnAnewWithEachNumber(t *testing.T) {
	assert.NotEqual(t, runs(1)[0].String(), runs(2)[0].String())
	assert.Equal(t, runs(1)[0].String(), runs(1)[0].String())
}
