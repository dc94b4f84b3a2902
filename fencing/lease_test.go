package fencing_test

import (
	"errors"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kinds returns when the lock service or the storage did what.
func kinds(trace *fencing.Trace, actor string) []string {
	var out []string
	for _, e := range trace.Events {
		if e.Actor == actor && e.Kind != fencing.Sent && e.Kind != fencing.Arrived {
			out = append(out, e.At.String()+" "+e.Kind.String()+" "+e.Client)
		}
	}
	return out
}

func TestARenewalThatArrivesExactlyAtTheEndIsRefused(t *testing.T) {
	for after, want := range map[time.Duration]error{10*s - 1: nil, 10 * s: fencing.ErrLeaseLost} {
		var err error
		trace := run(fencing.Config{}, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(after)
			err = c.Renew(lease)
		})
		require.NoError(t, trace.Err())
		assert.True(t, errors.Is(err, want), "after %s: %v", after, err)
	}
}

func TestAtTheEndOfALeaseTheWaiterIsGrantedBeforeTheLateRenewal(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(10 * s)
		c.Renew(lease)
	})
	w.Client("client 2", func(c *fencing.Client) {
		c.Sleep(s)
		c.Release(c.Acquire("report"))
	})
	assert.Equal(t, []string{
		"0s granted client 1", "1s queued client 2", "10s expired client 1", "10s granted client 2",
		"10s refused client 1", "10s renewed client 2", "10s released client 2",
	}, kinds(w.Run(), fencing.ActorLockService))
}

func TestTheClientsDeadlineCountsFromBeforeItSentItsRequest(t *testing.T) {
	var lease fencing.Lease
	trace := run(fencing.Config{Latency: 500 * time.Millisecond}, func(c *fencing.Client) {
		c.Sleep(s)
		lease = c.Acquire("report")
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, 11*s, lease.Until, "sent at 1 s")
	assert.Equal(t, 11500*time.Millisecond, trace.Grants()[0].Until, "the service received it at 1.5 s")
}

func TestAClientThatQueuedCountsFromTheRenewalItSendsOnItsGrant(t *testing.T) {
	var lease fencing.Lease
	w := fencing.NewWorld(fencing.Config{Latency: 500 * time.Millisecond})
	w.Client("client 1", func(c *fencing.Client) { c.Acquire("report") })
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); lease = c.Acquire("report") })
	trace := w.Run()
	require.NoError(t, trace.Err())
	second := trace.Grants()[1]
	assert.Equal(t, 10500*time.Millisecond, second.From)
	assert.Equal(t, []time.Duration{11500 * time.Millisecond}, second.Renewed)
	assert.Equal(t, 21*s, lease.Until, "it learned of its grant at 11 s")
}

func TestHoldsIsFalseAtTheDeadlineAndEndsTheBelief(t *testing.T) {
	var before, at bool
	trace := run(fencing.Config{}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(10*s - time.Microsecond)
		before = c.Holds(lease)
		c.Sleep(time.Microsecond)
		at = c.Holds(lease)
		c.Sleep(s)
	})
	require.NoError(t, trace.Err())
	assert.True(t, before)
	assert.False(t, at)
	assert.Equal(t, "its deadline is past", trace.Beliefs()[0].Why)
	assert.Equal(t, 10*s, trace.Beliefs()[0].Until)
}

func TestALateReleaseLeavesTheNextHolderAlone(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	var err error
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(12 * s)
		err = c.Release(lease)
	})
	w.Client("client 2", func(c *fencing.Client) {
		c.Sleep(s)
		c.Acquire("report")
		c.Sleep(8 * s)
	})
	grants := w.Run().Grants()
	assert.ErrorIs(t, err, fencing.ErrLeaseLost)
	assert.Equal(t, fencing.Expired, grants[1].Ended)
	assert.Equal(t, 20*s, grants[1].Until)
}

func TestTokensCountPerLockAndFencesPerKey(t *testing.T) {
	var tokens []uint64
	trace := run(fencing.Config{Fencing: true, FirstToken: 7}, func(c *fencing.Client) {
		for _, lock := range []string{"a", "b", "a"} {
			lease := c.Acquire(lock)
			tokens = append(tokens, lease.Token)
			c.Release(lease)
		}
		assert.NoError(t, c.Write("x", "", 9))
		assert.NoError(t, c.Write("y", "", 8), "another key, another fence")
		assert.ErrorIs(t, c.Write("x", "", 8), fencing.ErrFenced)
		assert.NoError(t, c.Write("x", "again", 9), "the holder may write again")
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, []uint64{7, 7, 8}, tokens)
}

func TestALostReplyLeavesTheOutcomeUnknownToTheClientAndKnownToTheTrace(t *testing.T) {
	var err error
	var value string
	trace := run(fencing.Config{Timeout: 2 * s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		err = c.Write("report", "written", lease.Token)
		value, _ = c.Read("report")
	})
	require.NoError(t, trace.Err())
	assert.ErrorIs(t, err, fencing.ErrTimeout)
	assert.Equal(t, "written", value)
	assert.True(t, trace.Attempts()[0].Accepted)
}

func TestALostAcquireReplyIsAskedForAgainAndGivesTheSameGrant(t *testing.T) {
	for _, lost := range []fencing.Point{fencing.AcquireRequest, fencing.AcquireReply} {
		var lease fencing.Lease
		trace := run(fencing.Config{Timeout: 2 * s, Faults: []fencing.Fault{fencing.Drop("client 1", lost)}}, func(c *fencing.Client) {
			lease = c.Acquire("report")
			c.Release(lease)
		})
		require.NoError(t, trace.Err())
		assert.Len(t, trace.Grants(), 1)
		assert.EqualValues(t, 33, lease.Token)
		assert.Equal(t, 12*s, lease.Until, "it asked again at 2 s")
	}
}

func TestACrashedWaiterIsStillGrantedAndThatLeaseRunsOut(t *testing.T) {
	w := fencing.NewWorld(withFault(fencing.CrashAt("client 2", 3*s)))
	w.Client("client 1", func(c *fencing.Client) { lease := c.Acquire("report"); c.Work(5 * s); c.Release(lease) })
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); c.Acquire("report") })
	w.Client("client 3", func(c *fencing.Client) { c.Sleep(2 * s); c.Release(c.Acquire("report")) })
	trace := w.Run()
	require.NoError(t, trace.Err())
	assert.Equal(t, []string{
		"0s granted client 1", "1s queued client 2", "2s queued client 3", "5s released client 1", "5s granted client 2",
		"15s expired client 2", "15s granted client 3", "15s renewed client 3", "15s released client 3",
	}, kinds(trace, fencing.ActorLockService))
}

func TestDuringAPauseWorkStandsStillATimerRunsOnAndMessagesWait(t *testing.T) {
	pause := fencing.Config{Faults: []fencing.Fault{fencing.PauseAt("client 1", s, 4*s)}}
	end := func(function func(*fencing.Client)) time.Duration {
		var now time.Duration
		require.NoError(t, run(pause, func(c *fencing.Client) { function(c); now = c.Now() }).Err())
		return now
	}
	assert.Equal(t, 6*s, end(func(c *fencing.Client) { c.Work(2 * s) }), "1 s before the pause, 1 s after it")
	assert.Equal(t, 5*s, end(func(c *fencing.Client) { c.Sleep(2 * s) }), "the timer went off during the pause")
	assert.Equal(t, 7*s, end(func(c *fencing.Client) { c.Sleep(7 * s) }), "the timer goes off after the pause")
	pause.Latency = 800 * time.Millisecond
	assert.Equal(t, 5*s, end(func(c *fencing.Client) { c.Acquire("report") }), "the reply came at 1.6 s and waited")
}

func TestAPauseThatFallsIntoAPauseProlongsIt(t *testing.T) {
	trace := run(fencing.Config{Faults: []fencing.Fault{fencing.PauseAt("client 1", s, 4*s), fencing.PauseAt("client 1", 2*s, 8*s)}},
		func(c *fencing.Client) { c.Work(3 * s) })
	require.NoError(t, trace.Err())
	pauses := trace.Pauses()
	require.Len(t, pauses, 1)
	assert.Equal(t, 10*s, pauses[0].Until)
	assert.Equal(t, 12*s, trace.End())
}

func TestAMessageThatTakesTimeMayBeOvertaken(t *testing.T) {
	trace := run(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 5*s)}}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "first", lease.Token)
		c.Write("report", "second", lease.Token)
	})
	require.NoError(t, trace.Err())
	contents := trace.Contents()
	assert.Equal(t, []string{"second", "first"}, []string{contents[0].Value, contents[1].Value})
}

func TestEveryEventButAFirstOneHasACauseBeforeIt(t *testing.T) {
	for _, p := range fencing.Presets() {
		for _, e := range p.Run().Events {
			assert.Less(t, e.Cause, e.Seq)
			if e.At > 0 && e.Cause == 0 {
				assert.Contains(t, []fencing.Kind{fencing.Called}, e.Kind, "%v", e)
			}
		}
	}
}

func TestAWriteIsLateFromTheEndOfTheLeaseOnEvenIfTheServiceHasNotNoticed(t *testing.T) {
	lateAfter := func(wait time.Duration) bool {
		trace := run(fencing.Config{}, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(wait)
			c.Write("report", "x", lease.Token)
			c.Release(lease)
		})
		require.NoError(t, trace.Err())
		return trace.Attempts()[0].Late
	}
	assert.False(t, lateAfter(0), "written and released at one instant")
	assert.False(t, lateAfter(10*s-1))
	assert.True(t, lateAfter(10*s))
}

// After a time-out a client cannot know which of its requests was granted.
func TestAClientThatHadToAskAgainNeverBelievesForLongerThanItsLease(t *testing.T) {
	for name, config := range map[string]fencing.Config{
		"slow messages": {Latency: 2 * s, Timeout: 3 * s},
		"a lost reply":  {Timeout: 3 * s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.AcquireReply)}},
	} {
		var deadline time.Duration
		trace := run(config, func(c *fencing.Client) {
			deadline = c.Acquire("report").Until
			c.Sleep(30 * s)
		})
		require.NoError(t, trace.Err())
		assert.LessOrEqual(t, deadline, trace.Grants()[0].Until, name)
		assert.Contains(t, trace.String(), "asks for the lock \"report\" again", name)
	}
}
