package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func clocks(c ...fencing.Clock) fencing.Config { return fencing.Config{Clocks: c} }

// believesUntil lets a client look at its lease every 100 ms until it does not
// believe in it any more, and returns the true time of that.
func believesUntil(t *testing.T, config fencing.Config) time.Duration {
	trace := run(config, func(c *fencing.Client) {
		lease := c.Acquire("report")
		for c.Holds(lease) {
			c.Work(100 * time.Millisecond)
		}
	})
	require.NoError(t, trace.Err())
	return trace.Beliefs()[0].Until
}

// leaseEnds returns the true time at which a lease of 10 s that nobody renews ends.
func leaseEnds(t *testing.T, config fencing.Config) time.Duration {
	trace := run(config, func(c *fencing.Client) { c.Acquire("report"); c.Sleep(10 * s) })
	require.NoError(t, trace.Err())
	grant := trace.Grants()[0]
	require.Equal(t, fencing.Expired, grant.Ended)
	return grant.Until
}

func TestAClientsOffsetDoesNotMoveItsDeadline(t *testing.T) {
	var own time.Duration
	run(clocks(fencing.Clock{Actor: "client 1", Offset: 100 * s}), func(c *fencing.Client) { own = c.Now() })
	assert.Equal(t, 100*s, own)
	assert.Equal(t, 10*s, believesUntil(t, clocks(fencing.Clock{Actor: "client 1", Offset: 100 * s})))
}

func TestAClientsRateMovesItsDeadlineAndItsTimers(t *testing.T) {
	slow, fast := fencing.Clock{Actor: "client 1", PPM: -500_000}, fencing.Clock{Actor: "client 1", PPM: 1_000_000}
	assert.Equal(t, 20*s, believesUntil(t, clocks(slow)), "half as fast")
	assert.Equal(t, 5*s, believesUntil(t, clocks(fast)), "twice as fast")
	assert.Equal(t, 4*s, run(clocks(slow), func(c *fencing.Client) { c.Sleep(2 * s) }).End(), "a timer goes by the clock")
	assert.Equal(t, 2*s, run(clocks(slow), func(c *fencing.Client) { c.Work(2 * s) }).End(), "work does not")
}

func TestAClientsJumpMovesItsDeadline(t *testing.T) {
	assert.Equal(t, 5*s, believesUntil(t, faults(fencing.JumpClock("client 1", 5*s, 20*s))), "forward: it believes its lease is over")
	assert.Equal(t, 14*s, believesUntil(t, faults(fencing.JumpClock("client 1", 5*s, -4*s))), "back: it believes too long")
	assert.Equal(t, 13*s, believesUntil(t, faults(fencing.StopClock("client 1", 5*s, 3*s))), "stopped: it believes too long")
}

func TestTheServicesClockMovesTheEndOfALease(t *testing.T) {
	service := fencing.ActorLockService
	for name, test := range map[string]struct {
		config fencing.Config
		want   time.Duration
	}{
		"an offset moves nothing":      {clocks(fencing.Clock{Actor: service, Offset: -50 * s}), 10 * s},
		"a fast clock ends it early":   {clocks(fencing.Clock{Actor: service, PPM: 250_000}), 8 * s},
		"a slow clock ends it late":    {clocks(fencing.Clock{Actor: service, PPM: -500_000}), 20 * s},
		"100 ppm are 1 ms":             {clocks(fencing.Clock{Actor: service, PPM: -100}), 10_001_000_101},
		"a jump over the end ends it":  {faults(fencing.JumpClock(service, 3*s, 20*s)), 3 * s},
		"a jump forward ends it early": {faults(fencing.JumpClock(service, 3*s, 2*s)), 8 * s},
		"a jump back ends it late":     {faults(fencing.JumpClock(service, 3*s, -2*s)), 12 * s},
		"a stopped clock ends it late": {faults(fencing.StopClock(service, 3*s, 4*s)), 14 * s},
		"a stop over the end holds on": {faults(fencing.StopClock(service, 9*s, 100*s)), 110 * s},
		"a jump of a stopped clock":    {faults(fencing.StopClock(service, 3*s, 4*s), fencing.JumpClock(service, 5*s, 20*s)), 5 * s},
	} {
		assert.Equal(t, test.want, leaseEnds(t, test.config), name)
	}
}

func TestWhatAClockReadIsInEveryEventOfItsOwner(t *testing.T) {
	trace := run(clocks(fencing.Clock{Actor: "client 1", Offset: 7 * s}, fencing.Clock{Actor: fencing.ActorLockService, Offset: -3 * s}),
		func(c *fencing.Client) { c.Sleep(s); c.Acquire("report") })
	for _, e := range trace.Events {
		ahead := map[string]time.Duration{"client 1": 7 * s, fencing.ActorLockService: -3 * s}[e.Actor]
		assert.Equal(t, e.At+ahead, e.Clock, "%s %s", e.Actor, e.Kind)
	}
}

func TestAServiceWhoseClockRunsFastGrantsTheLockWhileItsHolderStillBelieves(t *testing.T) {
	w := fencing.NewWorld(clocks(fencing.Clock{Actor: fencing.ActorLockService, PPM: 1_000_000}))
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		for c.Holds(lease) {
			c.Work(100 * time.Millisecond)
		}
	})
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); c.Acquire("report"); c.Sleep(3 * s) })
	trace := w.Run()
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.OneGrant).Status, "the service did everything right by its clock")
	require.Len(t, trace.Overlaps(), 1)
	assert.Equal(t, 5*s, trace.Overlaps()[0].From)
	assert.Equal(t, 8*s, trace.Overlaps()[0].Until)
}

func TestARunThatWouldNeverEndInTimeIsAnError(t *testing.T) {
	trace := run(fencing.Config{}, func(c *fencing.Client) {
		for {
			c.Sleep(1000 * time.Hour)
		}
	})
	assert.EqualError(t, trace.Err(), "the run went on for more than 3600000000 s: let its clients end sooner, or take a clock that is not so slow")
	trace = run(clocks(fencing.Clock{Actor: "client 1", PPM: -999_999}), func(c *fencing.Client) { c.Sleep(1000 * time.Hour) })
	assert.Error(t, trace.Err(), "its timer would go off after 114,000 years")
}

func TestATimeOutGoesByTheClientsClock(t *testing.T) {
	config := clocks(fencing.Clock{Actor: "client 1", PPM: -500_000})
	config.Timeout, config.Faults = 2*s, []fencing.Fault{fencing.Drop("client 1", fencing.ReadReply)}
	trace := run(config, func(c *fencing.Client) { c.Read("report") })
	assert.NoError(t, trace.Err())
	assert.Equal(t, 4*s, trace.End(), "half as fast")
}

func TestASlowClockIsCalledSlow(t *testing.T) {
	assert.Contains(t, clocks(fencing.Clock{Actor: fencing.ActorLockService, PPM: -776}).Parameters(), "the clock of the lock service runs 776 ppm slow")
	assert.Contains(t, clocks(fencing.Clock{Actor: "client 1", PPM: 776}).Parameters(), "the clock of client 1 runs 776 ppm fast")
}
