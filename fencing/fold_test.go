package fencing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestADuplicatedMessageIsTwoFlights(t *testing.T) {
	trace := run(faults(fencing.Duplicate("client 1", fencing.WriteRequest, 3*s)), func(c *fencing.Client) { c.Read("report"); c.Write("report", "x", 33); c.Sleep(5 * s) })
	require.NoError(t, trace.Err())
	var arrived []time.Duration
	for _, f := range trace.Flights() {
		if f.Op == fencing.OpWrite && !f.Reply {
			arrived = append(arrived, f.Until)
		}
	}
	assert.Equal(t, []time.Duration{0, 3 * s}, arrived)
	assert.Len(t, trace.Attempts(), 2)
	assert.Empty(t, trace.Attempts()[1].Missed, "its own first arrival is nothing that it missed")
}

func TestAfterACleanUpAKeyHoldsNothingAndNobodysDataIsReplaced(t *testing.T) {
	trace := two(fencing.Config{Faults: []fencing.Fault{fencing.CleanUp("report", 4*s)}},
		func(c *fencing.Client) { c.Sleep(6 * s); c.Write("report", "stale", 33) },
		func(c *fencing.Client) { c.Write("report", "fresh", 34) })
	require.NoError(t, trace.Err())
	contents := trace.Contents()
	require.Len(t, contents, 2)
	assert.Equal(t, []time.Duration{s, 4 * s, 6 * s}, []time.Duration{contents[0].From, contents[0].Until, contents[1].From})
	stale := trace.Attempts()[1]
	assert.True(t, stale.Stale)
	assert.Empty(t, stale.Lost, "the clean-up had deleted client 2's data before")
}

func TestAClientThatReadsDeletesAndWritesHasMissedNothing(t *testing.T) {
	trace := run(fencing.Config{Fencing: true}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Read("report")
		c.Write("report", "a", lease.Token)
		c.Delete("report", lease.Token)
		c.Write("report", "b", lease.Token)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoLostOwnUpdate).Status)
}

func TestARestartedClientThatWritesWithoutReadingHasLostNoUpdate(t *testing.T) {
	lives := 0
	trace := two(faults(fencing.RestartAt("client 1", 3*s)), func(c *fencing.Client) {
		if lives++; lives == 1 {
			c.Read("report")
			c.Sleep(10 * s)
		}
		c.Write("report", "blind", 33)
	}, func(c *fencing.Client) { c.Write("report", "x", 34) })
	require.NoError(t, trace.Err())
	assert.Empty(t, trace.Attempts()[1].Missed, "what its first life had read is forgotten")
}

// A long run's folds must not take the square of its length. How fast a machine
// is, and what else it does, the run itself tells.
func TestTheFoldsOfAHundredThousandEventsTakeNotMuchLongerThanTheRun(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{Steps: 10_000_000, Fencing: true})
	for n := range 20 {
		w.Client(fmt.Sprintf("client %d", n), func(c *fencing.Client) {
			for range 170 {
				lease := c.Acquire("report")
				value, _ := c.Claim("report", lease.Token)
				c.Write("report", value[:min(len(value), 5)]+"x", lease.Token)
				c.Work(time.Millisecond)
				c.Release(lease)
			}
		})
	}
	began := time.Now()
	trace := w.Run()
	ran := time.Since(began)
	require.NoError(t, trace.Err())
	require.Greater(t, len(trace.Events), 90_000)
	began = time.Now()
	assert.Len(t, trace.Grants(), 3400)
	assert.Len(t, trace.Beliefs(), 3400)
	assert.Len(t, trace.Waits(), 3399)
	assert.Empty(t, trace.Overlaps())
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoLostUpdate).Status)
	assert.NotEmpty(t, trace.String())
	assert.Less(t, time.Since(began), 100*max(ran, s/10))
}

func TestAWriteThatMissedAnothersChangeAndItsOwnIsLostAcrossGrants(t *testing.T) {
	trace := two(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}}, func(c *fencing.Client) {
		c.Read("report")
		c.Sleep(2 * s)
		c.Write("report", "a", 33) // it never learns of this one
		c.Write("report", "b", 33)
	}, func(c *fencing.Client) { c.Write("report", "x", 34) })
	require.NoError(t, trace.Err())
	last := trace.Attempts()[2]
	assert.Len(t, last.Missed, 2)
	assert.True(t, last.Across)
}

func TestAWriteThatArrivesAtTheVeryEndOfTheLeaseIsLateWhateverIsHandledFirst(t *testing.T) {
	config := fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 11*s)}}
	trace := run(config, func(c *fencing.Client) {
		c.Write("report", "x", 33) // under way before the lock is granted, so that it is handled before the expiry
		c.Acquire("report")
	})
	require.NoError(t, trace.Err())
	require.Equal(t, trace.Grants()[0].Until, trace.Attempts()[0].At)
	assert.True(t, trace.Attempts()[0].Late)
}
