package draw

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// storyOf is what a page tells of a run.
func storyOf(t *fencing.Trace, options ...Option) Story {
	return Timeline([]*fencing.Trace{t}, options...).Stories()[0]
}

func TestARunWithoutEventsHasAStoryWithoutLines(t *testing.T) {
	chart := Timeline([]*fencing.Trace{fencing.NewWorld(fencing.Config{}).Run()})
	option, err := chart.Option()
	require.NoError(t, err)
	assert.Contains(t, string(option), `"lines":[]`)
}

// A page says it where a button would lead to the violation.
func TestAStoryWithoutAViolationToShowSaysWhy(t *testing.T) {
	wrong := fencing.NewWorld(fencing.Config{Lease: -time.Second})
	wrong.Client("client 1", func(*fencing.Client) {})
	for want, story := range map[string]Story{
		"Nothing was violated in this run":                    storyOf(fencing.HealthyHandOver().Run()),
		"The rest of this run is held back":                   storyOf(fencing.GCPause().Run(), HoldBack(8*time.Second)),
		"This run has an error before anything was violated":  storyOf(wrong.Run()),
		"The violation comes after what is drawn of this run": storyOf(lateOverlap()),
	} {
		assert.Zero(t, story.Proof, want)
		assert.Equal(t, want, story.NoProof)
	}
	assert.Empty(t, storyOf(fencing.GCPause().Run()).NoProof)
}

// lateOverlap is a run in which two believe after more events than are drawn.
func lateOverlap() *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Steps: 1_000_000})
	w.Client("client 1", func(c *fencing.Client) {
		for lease := c.Acquire("report"); c.Now() < 8*time.Second; c.Work(2 * time.Millisecond) {
			c.Write("report", "again", lease.Token)
		}
		c.Work(10 * time.Second)
	})
	w.Client("client 2", func(c *fencing.Client) {
		c.Sleep(time.Second)
		c.Acquire("report")
		c.Work(time.Second)
	})
	return w.Run()
}

func TestALongRunIsSeenAtItsViolationFirst(t *testing.T) {
	trace := long(150)
	require.Greater(t, len(trace.Events), mostEvents)
	chart := Timeline([]*fencing.Trace{trace})
	from, to := chart.picture.window()
	violated := trace.Events[chart.Stories()[0].Proof-1]
	require.Equal(t, fencing.Accepted, violated.Kind)
	at := 100 * violated.At.Seconds() / chart.picture.axis.max
	assert.Less(t, from, at)
	assert.Greater(t, to, at)
}

func TestOfSeveralOverlapsTheFirstDecides(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{Lease: 2 * time.Second})
	for i := range 2 {
		w.Client([]string{"client 1", "client 2"}[i], func(c *fencing.Client) {
			for range 2 {
				lease := c.Acquire("report")
				c.Work(5 * time.Second) // longer than its lease
				c.Release(lease)
				c.Sleep(20 * time.Second)
			}
		})
	}
	trace := w.Run()
	require.NoError(t, trace.Err())
	require.Greater(t, len(trace.Overlaps()), 1)
	assert.Contains(t, trace.Overlaps()[0].Events, storyOf(trace).Proof)
}

func TestARejectionThatIsNotStaleIsCalledWhatItIs(t *testing.T) {
	equal := fencing.HealthyHandOver()
	equal.Fencing, equal.Check = true, fencing.Equal
	assert.Equal(t, ShutOut, OutcomeOf(equal.Run()))
	stale := fencing.GCPause()
	stale.Fencing = true
	assert.Equal(t, Rejected, OutcomeOf(stale.Run()))
}

func TestAShortTextKeepsASignThatIsMadeOfTwo(t *testing.T) {
	assert.Equal(t, "👩‍🚀 lands", short("👩‍🚀\nlands", 20))
	assert.Equal(t, "👩…", short("👩‍🚀 lands", 3))
}
