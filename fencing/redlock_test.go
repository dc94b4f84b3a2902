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
	assert.EqualError(t, try(5, "node A", "node C", "node E"), `acquire "report": lock held: 2 of 5 nodes granted it`)
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
