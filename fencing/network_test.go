package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestAnyMessageMayBeDroppedAndALostRequestHasNoEffectWhileALostReplyHas(t *testing.T) {
	for message, reached := range map[fencing.Point]bool{fencing.WriteRequest: false, fencing.WriteReply: true} {
		config := faults(fencing.Drop("client 1", message))
		config.Timeout = s
		trace := run(config, func(c *fencing.Client) { assert.ErrorIs(t, c.Write("report", "x", 33), fencing.ErrTimeout) })
		require.NoError(t, trace.Err())
		assert.Len(t, times(trace, fencing.Lost), 1)
		assert.Equal(t, reached, len(trace.Attempts()) == 1, "%s", message)
	}
}

func TestALostMessageHasANumberOfItsOwnAndSaysWhereItWasGoing(t *testing.T) {
	w := fencing.NewWorld(redlock(3, cutOff("client 1", "node B")...))
	w.Client("client 1", func(c *fencing.Client) { c.TryAcquire("report"); c.Write("report", "x", 0) })
	trace := w.Run()
	require.NoError(t, trace.Err())
	requireMessages(t, trace)
	for _, f := range trace.Flights() {
		assert.Equal(t, f.Service == "node B", f.Lost, "%+v", f)
		assert.Equal(t, f.Op == fencing.OpWrite, f.Service == fencing.ActorStorage, "%+v", f)
	}
}

func TestAnOperationThatTimesOutIsAnErrorOfEveryKind(t *testing.T) {
	operations := map[fencing.Point]func(*fencing.Client) error{
		fencing.RenewReply:   func(c *fencing.Client) error { return c.Renew(c.Acquire("report")) },
		fencing.ReleaseReply: func(c *fencing.Client) error { return c.Release(c.Acquire("report")) },
		fencing.ReadReply:    func(c *fencing.Client) error { _, err := c.Read("report"); return err },
		fencing.ClaimReply:   func(c *fencing.Client) error { _, err := c.Claim("report", 33); return err },
		fencing.DeleteReply:  func(c *fencing.Client) error { return c.Delete("report", 33) },
		fencing.AskReply:     func(c *fencing.Client) error { _, err := c.CurrentToken("report"); return err },
		fencing.AcquireReply: func(c *fencing.Client) error { _, err := c.TryAcquire("report"); return err },
	}
	for reply, operation := range operations {
		config := faults(fencing.Drop("client 1", reply))
		config.Timeout = s
		trace := run(config, func(c *fencing.Client) {
			err := operation(c)
			assert.ErrorIs(t, err, fencing.ErrTimeout, "%s", reply)
			assert.Equal(t, s, c.Now(), "%s", reply)
		})
		require.NoError(t, trace.Err())
		assert.Equal(t, fencing.Unknown, outcomeOfLast(trace), "%s", reply)
	}
}

// outcomeOfLast is how the last operation ended for its client.
func outcomeOfLast(trace *fencing.Trace) fencing.Outcome {
	var last fencing.Outcome
	for _, e := range trace.Events {
		if e.Kind == fencing.Returned {
			last = e.Outcome
		}
	}
	return last
}

func TestACutLosesOneDirectionForItsTimeOnly(t *testing.T) {
	storage := fencing.ActorStorage
	for name, test := range map[string]struct {
		fault   fencing.Fault
		written int // of writes at 0 s, 2 s and 4 s
		told    int
	}{
		"requests are lost": {fencing.Cut("client 1", storage, s, 2*s), 2, 2},
		"replies are lost":  {fencing.Cut(storage, "client 1", s, 2*s), 3, 2},
		"another link":      {fencing.Cut("client 1", fencing.ActorLockService, s, 2*s), 3, 3},
		"the end is open":   {fencing.Cut("client 1", storage, s, s), 3, 3},
	} {
		told := 0
		trace := run(fencing.Config{Timeout: 500 * time.Millisecond, Faults: []fencing.Fault{test.fault}}, func(c *fencing.Client) {
			for _, at := range []time.Duration{0, 2 * s, 4 * s} {
				sleepUntil(c, at)
				if c.Write("report", "x", 33) == nil {
					told++
				}
			}
		})
		require.NoError(t, trace.Err())
		assert.Len(t, trace.Attempts(), test.written, name)
		assert.Equal(t, test.told, told, name)
	}
}

func TestADelayAddsToTheLatencyOfOneMessage(t *testing.T) {
	trace := run(fencing.Config{Latency: 100 * time.Millisecond, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 3*s).Time(2)}},
		func(c *fencing.Client) { c.Write("report", "a", 33); c.Write("report", "b", 33) })
	require.NoError(t, trace.Err())
	assert.Equal(t, 100*time.Millisecond, trace.Attempts()[0].At)
	assert.Equal(t, 3300*time.Millisecond, trace.Attempts()[1].At)
	assert.Equal(t, 3*s, trace.Flights()[2].Delayed)
}

func TestAWriteThatArrivesTwiceIsCarriedOutTwiceUnlessWritesAreNumbered(t *testing.T) {
	for numbered, want := range map[bool][]string{false: {"a", "b", "a"}, true: {"a", "b"}} {
		config := fencing.Config{Fencing: true, NumberedWrites: numbered, Faults: []fencing.Fault{fencing.Duplicate("client 1", fencing.WriteRequest, 3*s)}}
		trace := run(config, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Read("report")
			c.Write("report", "a", lease.Token)
			c.Work(s)
			c.Write("report", "b", lease.Token)
			c.Work(5 * s)
		})
		require.NoError(t, trace.Err())
		assert.Equal(t, want, written(trace))
		assert.Equal(t, !numbered, trace.Verdict().Finding(fencing.NoLostOwnUpdate).Status == fencing.Violated)
	}
}

func TestACopyOfANumberedWriteThatComesBeforeTheNextDoesNoHarmAndIsAccepted(t *testing.T) {
	config := fencing.Config{Fencing: true, NumberedWrites: true, Faults: []fencing.Fault{fencing.Duplicate("client 1", fencing.WriteRequest, s)}}
	trace := run(config, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "a", lease.Token)
		c.Work(2 * s)
		assert.NoError(t, c.Write("report", "b", lease.Token))
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, []string{"a", "a", "b"}, written(trace))
}

// written are the values that the storage has held, in order.
func written(trace *fencing.Trace) []string {
	var values []string
	for _, c := range trace.Contents() {
		values = append(values, c.Value)
	}
	return values
}

func TestAReplyThatArrivesTwiceAnswersOnce(t *testing.T) {
	trace := run(faults(fencing.Duplicate("client 1", fencing.ReadReply, s)), func(c *fencing.Client) {
		c.Read("report")
		c.Sleep(5 * s)
		assert.Equal(t, 5*s, c.Now(), "the copy did not cut the sleep short")
		value, err := c.Read("another")
		assert.NoError(t, err)
		assert.Empty(t, value)
	})
	require.NoError(t, trace.Err())
}
