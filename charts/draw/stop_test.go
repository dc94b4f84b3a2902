package draw

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// Whoever steps through a run sees events come, and nothing else move.
func TestFromOneStopToTheNextNothingMoves(t *testing.T) {
	type place struct{ y, height, middle, clock float64 }
	lanes := func(c Chart) map[string]place {
		found := map[string]place{}
		for _, p := range c.picture.panes {
			for _, l := range p.lanes {
				found[l.name] = place{l.y, l.height, l.middle, l.clockY}
			}
		}
		return found
	}
	for name, trace := range scenarios() {
		traces := []*fencing.Trace{trace}
		first := Timeline(traces, StopAt(0))
		for _, share := range []time.Duration{1, 3, 7, 10, 12} {
			chart := Timeline(traces, StopAt(trace.End()*share/10))
			assert.Equal(t, first.picture.frame, chart.picture.frame, "%s: the time axis", name)
			assert.Equal(t, lanes(first), lanes(chart), "%s: the lanes", name)
			assert.Equal(t, first.Height, chart.Height, "%s: the height", name)
		}
		whole := Timeline(traces)
		assert.Equal(t, whole.picture.axis, first.picture.axis, name)
		assert.Equal(t, whole.Height, first.Height, name)
		assert.Len(t, first.picture.panes[0].lanes, len(whole.picture.panes[0].lanes), name)
	}
}

func TestAStoppedChartTellsWhatAHeldBackOneTells(t *testing.T) {
	for name, trace := range scenarios() {
		for _, at := range []time.Duration{0, 5 * time.Second, 11 * time.Second} {
			if at > trace.End() {
				continue
			}
			stopped, held := Timeline([]*fencing.Trace{trace}, StopAt(at)), Timeline([]*fencing.Trace{trace}, HoldBack(at))
			assert.Equal(t, held.Description(), stopped.Description(), name)
			assert.Equal(t, len(held.Stories()[0].Lines), len(stopped.Stories()[0].Lines), name)
			for _, s := range stopped.picture.panes[0].shapes {
				if s.Kind == "held back" {
					assert.Equal(t, at.Seconds(), s.X, name)
				}
			}
		}
	}
}

func TestAStopAfterTheEndIsAtTheEnd(t *testing.T) {
	trace := fencing.GCPause().Run()
	assert.Equal(t, Timeline([]*fencing.Trace{trace}, StopAt(trace.End())).Changes(), Timeline([]*fencing.Trace{trace}, StopAt(time.Hour)).Changes())
}

func TestTheWindowOfALongRunFollowsTheStop(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{Lease: 300 * time.Second})
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		for range 200 {
			c.Work(time.Second)
			c.Write("report", "a line", lease.Token)
		}
	})
	trace := w.Run()
	for at := time.Duration(0); at < trace.End(); at += 7 * time.Second {
		chart := Timeline([]*fencing.Trace{trace}, StopAt(at))
		require.True(t, chart.Long())
		from, to := chart.picture.window()
		percent := 100 * at.Seconds() / chart.picture.axis.max
		assert.LessOrEqual(t, from, percent)
		assert.Less(t, percent, to)
	}
}
