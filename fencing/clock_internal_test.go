package fencing

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/assert"
)

// exactly is what a clock reads, worked out with numbers that have no end.
func exactly(c clock, now time.Duration) time.Duration {
	n := big.NewInt(int64(now - c.since))
	n.Mul(n, big.NewInt(million+c.ppm)).Div(n, big.NewInt(million))
	return c.read + time.Duration(n.Int64())
}

// anyClock has every rate and offset that a configuration may give.
func anyClock(r *rand.Rand) clock {
	ppm := r.Int64N(2*million) - million + 1
	if r.IntN(2) == 0 {
		ppm = r.Int64N(200) - 100
	}
	return clock{since: time.Duration(r.Int64N(int64(Longest))), read: time.Duration(r.Int64N(2*int64(Longest)) - int64(Longest)), ppm: ppm}
}

func TestAClockIsExactToTheNanosecondOverAThousandHours(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		c := anyClock(r)
		now := c.since + time.Duration(r.Int64N(int64(Longest)))
		return c.at(now) == exactly(c, now)
	}
	assert.NoError(t, quick.Check(check, &quick.Config{MaxCount: 20_000}))
}

func TestAReadingIsReachedAtTheFirstInstantThatWhenNames(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 2))
		c := anyClock(r)
		reading := c.read + 1 + time.Duration(r.Int64N(int64(time.Hour)))
		when := c.when(reading)
		if when >= farthest {
			return c.at(farthest) < reading || when == farthest
		}
		return c.at(when) >= reading && c.at(when-1) < reading
	}
	assert.NoError(t, quick.Check(check, &quick.Config{MaxCount: 20_000}))
}

func TestAClockNeverGoesBackByItself(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 3))
		c := anyClock(r)
		now := c.since + time.Duration(r.Int64N(int64(Longest)))
		return c.at(now+1) >= c.at(now)
	}
	assert.NoError(t, quick.Check(check, nil))
}

func TestAClockThatStandsStillReadsTheSameAndReachesNothing(t *testing.T) {
	c := clock{ppm: 100}
	c.stop(1_000_000)
	assert.Equal(t, time.Duration(1_000_100), c.at(5_000_000))
	assert.Equal(t, farthest, c.when(1_000_101))
	c.jump(6_000_000, 50)
	assert.Equal(t, time.Duration(1_000_150), c.at(7_000_000))
	c.goOn(8_000_000)
	assert.Equal(t, time.Duration(2_000_250), c.at(9_000_000))
}
