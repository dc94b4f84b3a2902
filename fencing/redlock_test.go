package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// The clients of these tests wait for 500 ms for a node.
func redlock(nodes int, f ...fencing.Fault) fencing.Config {
	return fencing.Config{Nodes: nodes, Timeout: 500 * time.Millisecond, Faults: f}
}

// cutOff keeps a client away from some nodes for the whole run.
func cutOff(client string, nodes ...string) []fencing.Fault {
	var f []fencing.Fault
	for _, n := range nodes {
		f = append(f, fencing.Cut(client, n, 0, time.Hour))
	}
	return f
}

func TestAMajorityOfTheNodesHoldsTheLockAndAMinorityDoesNot(t *testing.T) {
	try := func(nodes int, cut ...string) error {
		var err error
		trace := run(redlock(nodes, cutOff("client 1", cut...)...), func(c *fencing.Client) { _, err = c.TryAcquire("report") })
		require.NoError(t, trace.Err())
		return err
	}
	assert.NoError(t, try(5, "node A", "node E"))
	assert.EqualError(t, try(5, "node A", "node C", "node E"), `acquire "report": timed out, outcome unknown: 2 of 5 nodes granted it, and 3 gave no reply in time`)
	assert.NoError(t, try(1))
	assert.Error(t, try(4, "node A", "node B"), "half is no majority")
}

func TestALeaseOfLockNodesHasNoTokenAndIsShorterByTheDrift(t *testing.T) {
	var lease fencing.Lease
	trace := run(redlock(5), func(c *fencing.Client) {
		lease = c.Acquire("report")
		c.Sleep(4 * s)
		assert.NoError(t, c.Renew(lease))
		c.Holds(lease)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Lease{Lock: "report", Until: 10*s - 102*time.Millisecond}, lease)
	last := trace.Events[len(trace.Events)-1]
	for _, e := range trace.Events {
		if e.Kind == fencing.Checked {
			assert.Equal(t, 14*s-102*time.Millisecond, e.Until, "a renewal takes the drift off too")
		}
	}
	assert.NotZero(t, last)
	assert.Len(t, trace.Grants(), 5)
}

func TestAMajorityThatTookAsLongAsTheLeaseIsNone(t *testing.T) {
	config := redlock(3)
	config.Latency, config.Timeout, config.Lease = 200*time.Millisecond, s, 300*time.Millisecond
	var err error
	trace := run(config, func(c *fencing.Client) { _, err = c.TryAcquire("report") })
	require.NoError(t, trace.Err())
	assert.ErrorIs(t, err, fencing.ErrLeaseLost)
	assert.Empty(t, trace.Beliefs())
	config.DeadlineFromReply = true
	run(config, func(c *fencing.Client) { _, err = c.TryAcquire("report") })
	assert.NoError(t, err, "without the check of the elapsed time it believes in a lease that is over")
}

func TestWhoGetsNoMajorityGivesBackWhatItGot(t *testing.T) {
	w := fencing.NewWorld(redlock(3, cutOff("client 1", "node B", "node C")...))
	w.Client("client 1", func(c *fencing.Client) { c.TryAcquire("report") })
	trace := w.Run()
	require.NoError(t, trace.Err())
	require.Len(t, trace.Grants(), 1)
	assert.Equal(t, fencing.Released, trace.Grants()[0].Ended)
}

func TestTheNextClientGetsTheLockWhenAMajorityIsFreeAgain(t *testing.T) {
	trace := two(redlock(5), holdFor(4*s), justAcquire)
	require.NoError(t, trace.Err())
	beliefs := trace.Beliefs()
	require.Len(t, beliefs, 2)
	assert.Equal(t, 4*s, beliefs[0].Until)
	assert.Equal(t, "client 2", beliefs[1].Client)
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.OneBeliever).Status)
}

func TestALeaseOfLockNodesIsRenewedByAMajority(t *testing.T) {
	renew := func(f ...fencing.Fault) error {
		var err error
		trace := run(redlock(5, f...), func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(5 * s)
			err = c.Renew(lease)
		})
		require.NoError(t, trace.Err())
		return err
	}
	assert.NoError(t, renew(fencing.RestartNode("node A", s), fencing.RestartNode("node B", s)))
	assert.ErrorIs(t, renew(fencing.RestartNode("node A", s), fencing.RestartNode("node B", s), fencing.RestartNode("node C", s)), fencing.ErrLeaseLost)
}

// deaf loses what some nodes say to client 1 from 1 s on.
func deaf(nodes ...string) fencing.Config {
	var f []fencing.Fault
	for _, n := range nodes {
		f = append(f, fencing.Cut(n, "client 1", s, time.Hour))
	}
	return redlock(3, f...)
}

func TestAReplyThatALockNodeLostIsNoRefusal(t *testing.T) {
	hold := func(config fencing.Config, call func(*fencing.Client, fencing.Lease) error) (err error, believed bool) {
		trace := run(config, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(2 * s)
			err = call(c, lease)
			believed = !c.Lost(lease)
			c.Sleep(s)
		})
		require.NoError(t, trace.Err())
		return err, believed
	}
	renew := func(c *fencing.Client, lease fencing.Lease) error { return c.Renew(lease) }
	release := func(c *fencing.Client, lease fencing.Lease) error { return c.Release(lease) }

	err, believed := hold(deaf("node A", "node B", "node C"), renew)
	assert.ErrorIs(t, err, fencing.ErrTimeout)
	assert.EqualError(t, err, `renew "report": timed out, outcome unknown: 0 of 3 nodes renewed it, and 3 gave no reply in time`)
	assert.True(t, believed, "nobody told it otherwise")
	err, believed = hold(deaf("node A", "node B"), renew)
	assert.ErrorIs(t, err, fencing.ErrTimeout)
	assert.True(t, believed)
	err, _ = hold(deaf("node A"), renew)
	assert.NoError(t, err, "two of three are a majority")
	forgotten := deaf("node A")
	forgotten.Faults = append(forgotten.Faults, fencing.RestartNode("node B", s), fencing.RestartNode("node C", s))
	err, believed = hold(forgotten, renew)
	assert.ErrorIs(t, err, fencing.ErrLeaseLost, "whatever node A has said, two had forgotten")
	assert.False(t, believed)

	err, believed = hold(deaf("node A", "node B"), release)
	assert.ErrorIs(t, err, fencing.ErrTimeout)
	assert.EqualError(t, err, `release "report": timed out, outcome unknown: 1 of 3 nodes released it, and 2 gave no reply in time`)
	assert.False(t, believed, "it called release")
}

func TestWhetherLockNodesGrantedTheLockIsUnknownOnlyIfItHangsOnASilentOne(t *testing.T) {
	try := func(config fencing.Config) (err error, trace *fencing.Trace) {
		trace = two(config, func(c *fencing.Client) { c.Sleep(2 * s); _, err = c.TryAcquire("report") }, func(c *fencing.Client) { c.Acquire("report"); c.Sleep(5 * s) })
		require.NoError(t, trace.Err())
		return err, trace
	}
	err, trace := try(deaf("node A", "node B"))
	assert.ErrorIs(t, err, fencing.ErrTimeout, "client 2 holds it, but one refusal does not tell")
	assert.Contains(t, trace.String(), "does not get the lock: 0 of 3 nodes granted it, and 2 gave no reply in time")
	assert.NotContains(t, trace.String(), "its release", "what it gives back goes without saying")
	err, _ = try(deaf("node A"))
	assert.ErrorIs(t, err, fencing.ErrHeld, "two refusals do")
}

func TestAVoteOfALockNodeThatArrivesTwiceCountsOnce(t *testing.T) {
	config := redlock(5, append(cutOff("client 1", "node C", "node D", "node E"), fencing.Duplicate("client 1", fencing.AcquireReply, time.Millisecond))...)
	trace := run(config, func(c *fencing.Client) {
		_, err := c.TryAcquire("report")
		assert.ErrorIs(t, err, fencing.ErrTimeout)
		assert.ErrorContains(t, err, "2 of 5 nodes granted it")
	})
	require.NoError(t, trace.Err())
	assert.Empty(t, trace.Beliefs())
}

func TestTwoClientsBelieveWhenANodeForgetsOrItsClockJumps(t *testing.T) {
	for name, fault := range map[string]fencing.Fault{
		"restarts": fencing.RestartNode("node C", 500*time.Millisecond), "jumps": fencing.JumpClock("node C", 500*time.Millisecond, 20*s),
	} {
		f := []fencing.Fault{fault, fencing.Cut("client 1", "node D", 0, s), fencing.Cut("client 1", "node E", 0, s)}
		trace := two(redlock(5, f...), holdFor(5*s), holdFor(3*s))
		require.NoError(t, trace.Err(), name)
		require.NotEmpty(t, trace.Overlaps(), name)
		assert.Equal(t, s, trace.Overlaps()[0].From, name)
	}
}

func TestANodeThatKeepsItsLockLetsNobodyElseIn(t *testing.T) {
	f := []fencing.Fault{fencing.Cut("client 1", "node D", 0, s), fencing.Cut("client 1", "node E", 0, s)}
	trace := two(redlock(5, f...), holdFor(5*s), holdFor(3*s))
	require.NoError(t, trace.Err())
	assert.Empty(t, trace.Overlaps())
}

func TestALockDelayAndAPlainDeleteHoldForEveryLockNode(t *testing.T) {
	second := func(change func(*fencing.Config)) fencing.Belief {
		config := redlock(3)
		change(&config)
		trace := two(config, func(c *fencing.Client) { c.Acquire("report"); c.Sleep(20 * s) }, justAcquire)
		require.NoError(t, trace.Err())
		return trace.Beliefs()[1]
	}
	assert.Equal(t, 10*s, second(func(*fencing.Config) {}).From, "when the leases have ended")
	assert.Equal(t, 15*s, second(func(c *fencing.Config) { c.LockDelay = 5 * s }).From)
	assert.Equal(t, 2*s, second(func(c *fencing.Config) { c.PlainDelete = true }).From, "what it gave back was not its own")
}
