package sample

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestWilsonIntervalOfKnownCounts(t *testing.T) {
	for _, known := range []struct {
		runs, of  int
		low, high float64
	}{
		{10, 100, 0.0552, 0.1744},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{0, 1000, 0, 0.00383},
		{0, 0, 0, 1},
	} {
		low, high := Rate{Runs: known.runs, Of: known.of}.Interval()
		assert.InDelta(t, known.low, low, 0.0001, "%+v", known)
		assert.InDelta(t, known.high, high, 0.0001, "%+v", known)
	}
}

func TestIntervalsCoverTheTruth(t *testing.T) {
	const studies, runs = 2000, 200
	for _, ppm := range []int64{10_000, 100_000, 500_000} {
		covered := 0
		for study := range studies {
			var r Rate
			for n := range runs {
				times := 0
				if drawsOf(uint64(study), n).Chance("it", ppm) {
					times = 1
				}
				r.add(n+1, times)
			}
			if low, high := r.Interval(); low <= float64(ppm)/whole && float64(ppm)/whole <= high {
				covered++
			}
		}
		assert.InDelta(t, 0.95, float64(covered)/studies, 0.03, "%d ppm", ppm)
	}
}

func TestIntervalsOfQuantilesCoverTheTruth(t *testing.T) {
	const studies, count = 1000, 500
	for ppm, truth := range map[int64]time.Duration{500_000: 500 * time.Millisecond, 990_000: 990 * time.Millisecond} {
		covered := 0
		for study := range studies {
			var l Lengths
			for n := range count {
				l.add(drawsOf(uint64(study), n).Length("it", Uniform(0, time.Second)))
			}
			l.sort()
			q := l.Quantile(ppm)
			require.False(t, q.TooFew)
			require.True(t, q.Low <= q.Value && q.Value <= q.High)
			if q.Low <= truth && truth <= q.High {
				covered++
			}
		}
		assert.InDelta(t, 0.95, float64(covered)/studies, 0.04, "%d ppm", ppm)
	}
}

// The whole way: a chance that is put in comes out.
func TestStudiesFindTheChanceThatWasPutIn(t *testing.T) {
	covered := 0
	for seed := range uint64(40) {
		r, err := Run(context.Background(), Study{Runs: 100, Seed: seed, Faults: func(d Draws) []fencing.Fault {
			if !d.Chance("stalls", 200_000) {
				return nil
			}
			return []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 30*time.Second)}
		}})
		require.NoError(t, err)
		if low, high := r.StaleAccepted.Interval(); low <= 0.2 && 0.2 <= high {
			covered++
		}
	}
	assert.GreaterOrEqual(t, covered, 35)
}

func TestTooFewLengthsHaveNoInterval(t *testing.T) {
	var l Lengths
	assert.Equal(t, "not seen", l.String())
	assert.True(t, l.Median().TooFew)
	l.add(3*time.Second, time.Second, 2*time.Second)
	l.sort()
	assert.Equal(t, Length{Value: 2 * time.Second, TooFew: true}, l.Median())
	assert.Equal(t, "3 times: median 2 s (too few for an interval), p99 3 s (too few for an interval)", l.String())
}

func TestADistributionIsItsTable(t *testing.T) {
	d := Percentiles(2*time.Second, 3*time.Second, 10*time.Second, 20*time.Second, time.Minute)
	for _, row := range d[1 : len(d)-1] {
		// The first number whose share is not below the row's.
		u := uint64(float64(row.PPM) / whole * (1 << 63) * 2)
		assert.InDelta(t, float64(row.Value), float64(d.at(u)), float64(time.Millisecond))
	}
	assert.Equal(t, time.Duration(0), d.at(0))
	assert.InDelta(t, float64(time.Minute), float64(d.at(1<<64-1)), float64(time.Millisecond))
	last := time.Duration(-1)
	for i := range uint64(10_000) {
		v := d.at(i * ((1<<64 - 1) / 10_000))
		assert.GreaterOrEqual(t, v, last)
		last = v
	}
	assert.Equal(t, time.Second, Always(time.Second).at(1<<63))
	assert.Equal(t, -100*time.Microsecond, Uniform(-200*time.Microsecond, 0).at(1<<63))
	assert.Equal(t, fencing.Longest/2, Uniform(0, fencing.Longest).at(1<<63))
	jump := Distribution{{0, 0}, {500_000, 0}, {500_000, time.Second}, {whole, time.Second}}
	assert.Equal(t, time.Duration(0), jump.at(1<<63-1))
	assert.Equal(t, time.Second, jump.at(1<<63))
}

func TestDrawsAreSpreadAndIndependentOfTheirOrder(t *testing.T) {
	counts := make([]int, 10)
	for run := range 10_000 {
		d := drawsOf(1, run)
		counts[d.Below("digit", 10)]++
		assert.Equal(t, d.Length("a", Uniform(0, time.Hour)), d.Length("a", Uniform(0, time.Hour)))
	}
	for digit, n := range counts {
		assert.InDelta(t, 1000, n, 130, strconv.Itoa(digit))
	}
	assert.Zero(t, drawsOf(1, 1).Below("none", 0))
	assert.Zero(t, drawsOf(1, 1).Length("off", nil))
	assert.NotEqual(t, drawsOf(1, 1), drawsOf(1, 2))
	assert.NotEqual(t, drawsOf(1, 1), drawsOf(2, 1))
}
