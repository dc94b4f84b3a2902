package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// faults is a configuration with those faults and nothing else.
func faults(f ...fencing.Fault) fencing.Config { return fencing.Config{Faults: f} }

// sleepUntil lets a client wait for a time on its own clock.
func sleepUntil(c *fencing.Client, at time.Duration) { c.Sleep(at - c.Now()) }

// times returns the true times of the events of a kind.
func times(trace *fencing.Trace, kind fencing.Kind) []time.Duration {
	var at []time.Duration
	for _, e := range trace.Events {
		if e.Kind == kind {
			at = append(at, e.At)
		}
	}
	return at
}

func TestInASuspendedMachineTheClockAndEveryTimerStandStill(t *testing.T) {
	asleep := faults(fencing.SuspendAt("client 1", 2*s, 5*s))
	for name, wait := range map[string]func(*fencing.Client){
		"a timer":  func(c *fencing.Client) { c.Sleep(3 * s) },
		"the work": func(c *fencing.Client) { c.Work(3 * s) },
	} {
		var own time.Duration
		trace := run(asleep, func(c *fencing.Client) { wait(c); own = c.Now() })
		require.NoError(t, trace.Err())
		assert.Equal(t, 8*s, trace.End(), "%s: 3 s of its own and 5 s asleep", name)
		assert.Equal(t, 3*s, own, "%s: its clock shows no sign of the sleep", name)
	}
}

func TestInAPausedProcessTheClockAndATimerRunOn(t *testing.T) {
	var own time.Duration
	trace := run(faults(fencing.PauseAt("client 1", 2*s, 5*s)), func(c *fencing.Client) { c.Sleep(3 * s); own = c.Now() })
	require.NoError(t, trace.Err())
	assert.Equal(t, 7*s, trace.End(), "the timer went off during the pause")
	assert.Equal(t, 7*s, own)
}

func TestASuspendedClientsTimeOutAndItsRenewersFirstTickStandStillToo(t *testing.T) {
	config := faults(fencing.SuspendAt("client 1", s, 5*s), fencing.Drop("client 1", fencing.ReadRequest))
	config.Timeout = 3 * s
	var err error
	trace := run(config, func(c *fencing.Client) { _, err = c.Read("report") })
	require.NoError(t, trace.Err())
	assert.ErrorIs(t, err, fencing.ErrTimeout)
	assert.Equal(t, 8*s, trace.End())

	trace = run(fencing.Config{Lease: 30 * s, Faults: []fencing.Fault{fencing.SuspendAt("client 1", s, 5*s)}}, func(c *fencing.Client) {
		c.KeepAlive(c.Acquire("report"), 3*s)
		c.Work(7 * s)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, []time.Duration{8 * s, 11 * s}, trace.Grants()[0].Renewed)
}

func TestAClientThatIsStoppedAtTheVeryEndOfItsWorkGoesOnAfterwards(t *testing.T) {
	for name, fault := range map[string]fencing.Fault{
		"paused": fencing.PauseAt("client 1", 2*s, 5*s), "suspended": fencing.SuspendAt("client 1", 2*s, 5*s),
	} {
		trace := run(faults(fault), func(c *fencing.Client) { c.Work(2 * s); c.Work(s) })
		require.NoError(t, trace.Err(), name)
		assert.Equal(t, 8*s, trace.End(), name)
	}
}

func TestASleepThatFallsIntoAPauseEndsWithItAndTheClockRunsAgain(t *testing.T) {
	var own []time.Duration
	trace := run(faults(fencing.PauseAt("client 1", s, 4*s), fencing.SuspendAt("client 1", 2*s, 8*s)), func(c *fencing.Client) {
		c.Work(3 * s)
		own = append(own, c.Now())
		c.Sleep(s)
		own = append(own, c.Now())
	})
	require.NoError(t, trace.Err())
	require.Len(t, trace.Pauses(), 1)
	assert.Equal(t, 10*s, trace.Pauses()[0].Until)
	assert.Equal(t, []time.Duration{4 * s, 5 * s}, own, "8 s asleep, then 2 s of work and 1 s of waiting")
}

func TestASleepThatFallsIntoAPauseHoldsATimerToo(t *testing.T) {
	trace := run(faults(fencing.PauseAt("client 1", s, 4*s), fencing.SuspendAt("client 1", 2*s, 8*s)), func(c *fencing.Client) { c.Sleep(6 * s) })
	require.NoError(t, trace.Err())
	assert.Equal(t, 14*s, trace.End(), "2 s before the sleep, 4 s after it")
}

func TestTheClockRunsAgainAfterACrashDuringASleep(t *testing.T) {
	var own time.Duration
	trace := run(faults(fencing.SuspendAt("client 1", s, 8*s), fencing.RestartAt("client 1", 3*s)), func(c *fencing.Client) {
		c.Sleep(4 * s)
		own = c.Now()
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, 5*s, own, "2 s of the suspension, until the restart, are missing")
}

func TestTwoReasonsForAClockToStandStillDoNotEndEachOther(t *testing.T) {
	var own time.Duration
	trace := run(faults(fencing.StopClock("client 1", s, 6*s), fencing.SuspendAt("client 1", 2*s, s), fencing.StopClock("client 1", 5*s, 4*s)),
		func(c *fencing.Client) { c.Sleep(10 * s); own = c.Now() })
	require.NoError(t, trace.Err())
	assert.Equal(t, 11*s, trace.End(), "the sleep of the machine held its timer for 1 s")
	assert.Equal(t, 3*s, own, "the clock stood still from 1 s to 9 s")
}

func TestAPauseOfOneThreadLeavesTheRenewerAlive(t *testing.T) {
	trace := run(faults(fencing.Pause("client 1", fencing.BeforeWrite, 30*s).ThreadOnly()), func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*s)
		c.Write("report", "x", lease.Token)
		c.Release(lease)
	})
	require.NoError(t, trace.Err())
	grant := trace.Grants()[0]
	assert.Equal(t, fencing.Released, grant.Ended)
	assert.Equal(t, 30*s, grant.Until)
	assert.Len(t, grant.Renewed, 10, "at 3 s, 6 s, ... and 30 s")
	assert.True(t, trace.Pauses()[0].Only)
}

func TestAPauseOfTheWorkerAtATimeHoldsItsWorkAndItsMessagesAndNotItsRenewer(t *testing.T) {
	var read, slept time.Duration
	trace := run(fencing.Config{Latency: s, Faults: []fencing.Fault{
		fencing.PauseAt("client 1", 4*s, 20*s).ThreadOnly(), // during its work
		fencing.PauseAt("client 1", 31*s, 5*s).ThreadOnly(), // while the reply to its read is under way
		fencing.PauseAt("client 1", 37*s, 5*s).ThreadOnly(), // during its sleep
	}}, func(c *fencing.Client) {
		lease := c.Acquire("report") // until 2 s
		c.KeepAlive(lease, 3*s)
		c.Work(8 * s) // 2 s before the pause and 6 s after it
		c.Read("report")
		read = c.Now()
		c.Sleep(2 * s)
		slept = c.Now()
		c.Release(lease)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, 36*s, read)
	assert.Equal(t, 42*s, slept, "the timer ran on, and nobody was there to hear it")
	grant := trace.Grants()[0]
	assert.Equal(t, fencing.Released, grant.Ended)
	assert.Len(t, grant.Renewed, 13, "every 3 s from 5 s to 41 s")
	assert.Equal(t, []bool{true, true, true}, []bool{trace.Pauses()[0].Only, trace.Pauses()[1].Only, trace.Pauses()[2].Only})
}

func TestAPauseOfTheWorkerAndOneOfItsClientDoNotEndEachOther(t *testing.T) {
	for name, test := range map[string]struct {
		faults []fencing.Fault
		want   time.Duration
	}{
		"the client's inside":  {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s).ThreadOnly(), fencing.PauseAt("client 1", 4*s, 3*s)}, 13 * s},
		"the worker's inside":  {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s), fencing.PauseAt("client 1", 4*s, 3*s).ThreadOnly()}, 13 * s},
		"the client's later":   {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s).ThreadOnly(), fencing.PauseAt("client 1", 8*s, 10*s)}, 19 * s},
		"the worker's later":   {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s), fencing.PauseAt("client 1", 8*s, 10*s).ThreadOnly()}, 19 * s},
		"two of the worker":    {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s).ThreadOnly(), fencing.PauseAt("client 1", 4*s, 3*s).ThreadOnly()}, 13 * s},
		"from the beginning":   {[]fencing.Fault{fencing.PauseAt("client 1", 0, 10*s).ThreadOnly()}, 13 * s},
		"and its end by crash": {[]fencing.Fault{fencing.PauseAt("client 1", 2*s, 10*s).ThreadOnly(), fencing.RestartAt("client 1", 4*s)}, 7 * s},
	} {
		var done time.Duration
		trace := run(fencing.Config{Faults: test.faults}, func(c *fencing.Client) { c.Work(3 * s); done = c.Now() })
		require.NoError(t, trace.Err(), name)
		assert.Equal(t, test.want, done, name)
	}
}

func TestAPauseOfTheRenewerLeavesTheWorkerAlive(t *testing.T) {
	trace := run(faults(fencing.Pause("client 1", fencing.BeforeRenew, 30*s).ThreadOnly()), func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*s)
		c.Work(12 * s)
		c.Write("report", "x", lease.Token)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, 10*s, trace.Grants()[0].Until, "nobody renewed")
	assert.Equal(t, 12*s, trace.Attempts()[0].At, "the worker was not held up")
}

func TestNothingThatArrivesWakesAThreadThatIsPausedAlone(t *testing.T) {
	config := faults(fencing.Pause("client 1", fencing.OnReadReply, 10*s).ThreadOnly(), fencing.Duplicate("client 1", fencing.ReadReply, s))
	trace := run(config, func(c *fencing.Client) { c.Read("report") })
	require.NoError(t, trace.Err())
	assert.Equal(t, 10*s, trace.Pauses()[0].Until)
}

func TestAPauseOfAClientBetweenTwoRepliesOfLockNodesHoldsAllOfThem(t *testing.T) {
	config := fencing.Config{Nodes: 3, Latency: s, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.OnAcquireReply, 4*s).ThreadOnly()}}
	trace := run(config, func(c *fencing.Client) { c.Acquire("report") })
	require.NoError(t, trace.Err())
	assert.Equal(t, 6*s, trace.Beliefs()[0].From)
}

func TestARestartedClientBeginsAnewAndRepliesToItsOldLifeDoNotReachIt(t *testing.T) {
	config := faults(fencing.RestartAt("client 1", 3*s))
	config.Latency = 2 * s
	begun, returned := 0, 0
	trace := run(config, func(c *fencing.Client) { begun++; c.Write("report", "x", 33); returned++ })
	require.NoError(t, trace.Err())
	assert.Equal(t, 2, begun)
	assert.Equal(t, 1, returned, "the reply to the first life's write was on its way at 3 s")
	assert.Len(t, times(trace, fencing.Accepted), 2, "the requests of both lives reached the storage")
	assert.Equal(t, []time.Duration{4 * s}, times(trace, fencing.Lost))
	assert.Equal(t, 7*s, trace.End())
}

func TestARequestOfAnOldLifeIsStillServed(t *testing.T) {
	config := faults(fencing.RestartAt("client 1", s), fencing.Delay("client 1", fencing.WriteRequest, 5*s))
	lives := 0
	trace := run(config, func(c *fencing.Client) {
		if lives++; lives == 1 {
			c.Write("report", "old life", 33)
			return
		}
		c.Write("report", "new life", 33)
		c.Sleep(10 * s)
	})
	require.NoError(t, trace.Err())
	contents := trace.Contents()
	require.Len(t, contents, 2)
	assert.Equal(t, "old life", contents[1].Value)
	assert.Equal(t, 5*s, contents[1].From)
}

func TestAClientThatCrashedAtAPointMayBeRestarted(t *testing.T) {
	trace := run(faults(fencing.Crash("client 1", fencing.AfterAcquire), fencing.RestartAt("client 1", 4*s)), func(c *fencing.Client) {
		c.Release(c.Acquire("report"))
	})
	require.NoError(t, trace.Err())
	grants := trace.Grants()
	require.Len(t, grants, 2)
	assert.Equal(t, 10*s, grants[1].From, "the restarted client does not know of its old lease and waits for its end")
}

func TestARestartedClientRemembersItsLeaseOnlyIfItKeepsItsMemory(t *testing.T) {
	for _, keep := range []bool{false, true} {
		fault := fencing.RestartAt("client 1", 4*s)
		fault.Keep = keep
		var recalled fencing.Lease
		var known, first bool
		life := 0
		trace := run(faults(fault), func(c *fencing.Client) {
			if life++; life == 1 {
				_, first = c.Recall()
				lease := c.Acquire("report")
				c.Sleep(s)
				c.Renew(lease)
				c.Sleep(20 * s)
			}
			recalled, known = c.Recall()
			c.Sleep(s)
			if known {
				c.Release(recalled)
			}
		})
		require.NoError(t, trace.Err())
		assert.False(t, first, "nothing to recall in a first life")
		assert.Equal(t, keep, known)
		if keep {
			assert.Equal(t, fencing.Lease{Lock: "report", Token: 33, Until: 11 * s}, recalled, "with the deadline of its last renewal")
			assert.Equal(t, fencing.Released, trace.Grants()[0].Ended)
			assert.Len(t, trace.Beliefs(), 2)
		} else {
			assert.Equal(t, fencing.Expired, trace.Grants()[0].Ended)
		}
	}
}

func TestARestartedClientDoesNotRecallALeaseThatItHadGivenBack(t *testing.T) {
	var known bool
	trace := run(faults(fencing.RestartAt("client 1", 4*s).Keeping()), func(c *fencing.Client) {
		if _, known = c.Recall(); !known {
			c.Release(c.Acquire("report"))
			c.Sleep(10 * s)
		}
	})
	require.NoError(t, trace.Err())
	assert.False(t, known)
	assert.Len(t, trace.Beliefs(), 2, "one of each life's own acquire")
}

func TestARestartedClientHasForgottenTheVersionsItHadRead(t *testing.T) {
	life := 0
	trace := run(faults(fencing.RestartAt("client 1", 2*s)), func(c *fencing.Client) {
		if life++; life == 1 {
			c.Write("report", "x", 33)
			c.Sleep(5 * s)
		}
		assert.ErrorIs(t, c.WriteIf("report", "y", 33), fencing.ErrConflict)
	})
	require.NoError(t, trace.Err())
}

func TestAClientThatHasReturnedCanBeStartedAgain(t *testing.T) {
	trace := run(faults(fencing.RestartAt("client 1", 4*s)), func(c *fencing.Client) { c.Release(c.Acquire("report")) })
	require.NoError(t, trace.Err())
	assert.Len(t, trace.Grants(), 2)
}

func TestAPauseOfAnOldLifeDoesNotReachTheNewOne(t *testing.T) {
	config := faults(fencing.PauseAt("client 1", 2*s, 10*s), fencing.RestartAt("client 1", 4*s))
	trace := run(config, func(c *fencing.Client) {
		c.KeepAlive(c.Acquire("report"), s)
		c.Work(20 * s)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, []fencing.Span{{Client: "client 1", From: 2 * s, Until: 4 * s}}, withoutEvents(trace.Pauses()))
	assert.Empty(t, times(trace, fencing.Resumed), "nobody was left to go on at 12 s")
	assert.Equal(t, []time.Duration{31 * s}, times(trace, fencing.Finished), "the new life waits for the old lease to end at 11 s, gets it then and works until 31 s")
}

func withoutEvents(spans []fencing.Span) []fencing.Span {
	for i := range spans {
		spans[i].Event = 0
	}
	return spans
}
