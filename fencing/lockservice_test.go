package fencing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// grants lists the grants of a run: "client 1 33 0s-10s expired".
func grants(t *testing.T, trace *fencing.Trace) []string {
	t.Helper()
	require.NoError(t, trace.Err())
	return outcomeOf(trace).grants
}

// two is a world of two clients, the second of which begins after a second.
func two(config fencing.Config, first, second func(*fencing.Client)) *fencing.Trace {
	w := fencing.NewWorld(config)
	w.Client("client 1", first)
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); second(c) })
	return w.Run()
}

// holdFor holds the lock for so long and gives it back, or lets it run out.
func holdFor(d time.Duration) func(*fencing.Client) {
	return func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(d)
		c.Release(lease)
	}
}

func justAcquire(c *fencing.Client) { c.Acquire("report") }

func TestGrantsNeverOverlapUnlessAFailOverOrARestartLostOne(t *testing.T) {
	type whose struct{ service, lock string }
	k := kind{options: true, declared: harmful, copies: true}
	overlapped := 0
	for seed := range uint64(500) {
		trace := k.world(randomBytes(seed)).Run()
		until := map[whose]time.Duration{}
		for _, g := range trace.Grants() {
			who := whose{g.Service, g.Lock}
			require.LessOrEqual(t, until[who], g.From, "seed %d: as the service itself knows them no two leases overlap, ever", seed)
			until[who] = g.Until
		}
		if trace.Verdict().Finding(fencing.OneGrant).Status == fencing.Violated {
			overlapped++
			require.NotEmpty(t, times(trace, fencing.Forgot), "seed %d\n%s", seed, trace)
		}
	}
	assert.Positive(t, overlapped, "some fail-over loses a lock that was promised for longer")
}

func TestALockDelayFollowsAnExpiryAndNotARelease(t *testing.T) {
	config := fencing.Config{LockDelay: 5 * s}
	assert.Equal(t, []string{"client 1 33 0s-10s expired", "client 2 34 15s-25s expired"}, grants(t, two(config, justAcquire, justAcquire)))
	assert.Equal(t, []string{"client 1 33 0s-4s released", "client 2 34 4s-14s expired"}, grants(t, two(config, holdFor(4*s), justAcquire)))
}

func TestDuringALockDelayNobodyIsGrantedAndAQuestionIsRefused(t *testing.T) {
	var errs []error
	trace := two(fencing.Config{LockDelay: 5 * s}, justAcquire, func(c *fencing.Client) {
		for _, at := range []time.Duration{12 * s, 15*s - time.Microsecond, 15 * s} {
			sleepUntil(c, at)
			_, err := c.TryAcquire("report")
			errs = append(errs, err)
		}
	})
	require.NoError(t, trace.Err())
	assert.EqualError(t, errs[0], `try to acquire "report": lock held: the lock-delay after a lease that ended is not over`)
	assert.ErrorIs(t, errs[1], fencing.ErrHeld)
	assert.NoError(t, errs[2])
}

func TestALockDelayGoesByTheServicesClockWhateverHappensToIt(t *testing.T) {
	for name, test := range map[string]struct {
		fault fencing.Fault
		want  time.Duration
	}{
		"jumps forward": {fencing.JumpClock(fencing.ActorLockService, 12*s, 2*s), 13 * s},
		"jumps over":    {fencing.JumpClock(fencing.ActorLockService, 12*s, 20*s), 12 * s},
		"jumps back":    {fencing.JumpClock(fencing.ActorLockService, 12*s, -2*s), 17 * s},
		"stands still":  {fencing.StopClock(fencing.ActorLockService, 12*s, 4*s), 19 * s},
	} {
		trace := two(fencing.Config{LockDelay: 5 * s, Faults: []fencing.Fault{test.fault}}, justAcquire, justAcquire)
		require.NoError(t, trace.Err())
		require.Len(t, trace.Grants(), 2, name)
		assert.Equal(t, test.want, trace.Grants()[1].From, name)
	}
}

func TestAnEndThatIsNoticedLateLetsTheWaiterInLateAndARenewalThrough(t *testing.T) {
	config := fencing.Config{NoticeLate: 3 * s}
	assert.Equal(t, []string{"client 1 33 0s-13s expired", "client 2 34 13s-26s expired"}, grants(t, two(config, justAcquire, justAcquire)))
	for after, want := range map[time.Duration]error{12 * s: nil, 13 * s: fencing.ErrLeaseLost} {
		trace := run(config, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(after)
			assert.ErrorIs(t, c.Renew(lease), want)
		})
		require.NoError(t, trace.Err())
	}
}

func TestALateRenewalRevivesALeaseOnlyIfAskedToAndNobodyElseCame(t *testing.T) {
	late := func(c *fencing.Client) error {
		lease := c.Acquire("report")
		c.Sleep(12 * s)
		return c.Renew(lease)
	}
	for revive, want := range map[bool]string{false: "client 1 33 0s-10s expired", true: "client 1 33 0s-22s expired"} {
		trace := run(fencing.Config{ReviveLate: revive}, func(c *fencing.Client) { assert.Equal(t, !revive, late(c) != nil) })
		assert.Equal(t, []string{want}, grants(t, trace))
	}
	trace := two(fencing.Config{ReviveLate: true}, func(c *fencing.Client) { assert.ErrorIs(t, late(c), fencing.ErrLeaseLost) }, justAcquire)
	assert.Equal(t, []string{"client 1 33 0s-10s expired", "client 2 34 10s-20s expired"}, grants(t, trace))
	trace = run(fencing.Config{ReviveLate: true, MaxHold: 11 * s}, func(c *fencing.Client) { assert.ErrorIs(t, late(c), fencing.ErrLeaseLost) })
	assert.Equal(t, []string{"client 1 33 0s-10s expired"}, grants(t, trace), "its time was up")
}

func TestARepeatedGrantHasTheSameTokenOnlyIfAskedToAndNobodyWasInBetween(t *testing.T) {
	again := func(c *fencing.Client) {
		c.Release(c.Acquire("report"))
		c.Sleep(5 * s)
		c.Release(c.Acquire("report"))
	}
	for same, want := range map[bool][]string{
		false: {"client 1 33 0s-0s released", "client 1 34 5s-5s released"},
		true:  {"client 1 33 0s-0s released", "client 1 33 5s-5s released"},
	} {
		assert.Equal(t, want, grants(t, run(fencing.Config{SameToken: same}, again)))
	}
	assert.Equal(t, []string{"client 1 33 0s-0s released", "client 2 34 1s-2s released", "client 1 35 5s-5s released"},
		grants(t, two(fencing.Config{SameToken: true}, again, holdFor(s))), "client 2 was in between")
}

func TestNoRenewalLetsALeaseLastLongerThanTheMaximum(t *testing.T) {
	trace := run(fencing.Config{MaxHold: 15 * s}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*s)
		c.Work(60 * s)
	})
	assert.Equal(t, []string{"client 1 33 0s-15s expired"}, grants(t, trace))
}

func TestAPlainDeleteFreesTheNextHoldersLockAndAConditionalOneDoesNot(t *testing.T) {
	for plain, want := range map[bool][]string{
		false: {"client 1 33 0s-10s expired", "client 2 34 10s-20s expired", "client 3 35 20s-30s expired"},
		true:  {"client 1 33 0s-10s expired", "client 2 34 10s-12s released", "client 3 35 12s-22s expired"},
	} {
		w := fencing.NewWorld(fencing.Config{PlainDelete: plain})
		w.Client("client 1", func(c *fencing.Client) { c.Acquire("report"); c.Sleep(12 * s); c.ReleaseByName("report") })
		w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); c.Acquire("report"); c.Sleep(8 * s) })
		w.Client("client 3", func(c *fencing.Client) { c.Sleep(2 * s); c.Acquire("report") })
		trace := w.Run()
		assert.Equal(t, want, grants(t, trace))
		assert.Equal(t, plain, trace.Verdict().Finding(fencing.NoInnocentFenced).Status == fencing.Violated)
	}
}

func TestAPausedWaiterIsLeftOutAndALivingOneKeepsItsPlace(t *testing.T) {
	config := fencing.Config{WaiterLease: true, Faults: []fencing.Fault{fencing.PauseAt("client 2", 2*s, 30*s)}}
	w := fencing.NewWorld(config)
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*s)
		c.Work(20 * s)
		c.Release(lease)
	})
	w.Client("client 2", func(c *fencing.Client) { c.Sleep(s); c.Acquire("report") })
	w.Client("client 3", func(c *fencing.Client) { c.Sleep(2 * s); c.Acquire("report") })
	trace := w.Run()
	assert.Equal(t, []string{"client 1 33 0s-20s released", "client 3 34 20s-30s expired", "client 2 35 32s-42s expired"}, grants(t, trace))
	assert.Equal(t, []time.Duration{20 * s}, times(trace, fencing.LeftOut))
	assert.Equal(t, []fencing.Span{{Client: "client 2", From: s, Until: 20 * s}, {Client: "client 3", From: 2 * s, Until: 20 * s}}, waits(trace))
}

// waits are the spans of waiting, without the events that began them.
func waits(trace *fencing.Trace) []fencing.Span {
	return withoutEvents(trace.Waits())
}

func TestWithoutALeaseOfItsOwnAPausedWaiterIsGrantedAndSleepsThroughIt(t *testing.T) {
	trace := two(faults(fencing.PauseAt("client 2", 2*s, 40*s)), holdFor(5*s), justAcquire)
	assert.Equal(t, []string{"client 1 33 0s-5s released", "client 2 34 5s-15s expired", "client 2 35 42s-52s expired"}, grants(t, trace))
}

func TestAWaiterWhoseGrantIsLostAsksAgainIfItKnowsTimeOuts(t *testing.T) {
	lost := fencing.Drop("client 2", fencing.AcquireReply).Time(2) // the first told it to wait
	trace := two(fencing.Config{Timeout: 2 * s, Faults: []fencing.Fault{lost}}, holdFor(5*s), justAcquire)
	assert.Equal(t, []string{"client 1 33 0s-5s released", "client 2 34 5s-21s expired"}, grants(t, trace), "it asked again at 11 s and renewed")
}

func TestAFailOverLosesOrKeepsTheLocksAndTheCounter(t *testing.T) {
	at := fencing.FailOver(3 * s)
	for name, test := range map[string]struct {
		fault fencing.Fault
		want  []string
	}{
		"keeps both":          {at.Keeping(), []string{"client 1 40 0s-6s released", "client 2 41 6s-16s expired"}},
		"loses the lock":      {at, []string{"client 1 40 0s-3s forgot", "client 2 41 3s-13s expired"}},
		"loses one grant":     {at.CountingBack(1), []string{"client 1 40 0s-3s forgot", "client 2 40 3s-13s expired"}},
		"counts from start":   {at.CountingBack(fencing.FromStart), []string{"client 1 40 0s-3s forgot", "client 2 40 3s-13s expired"}},
		"keeps only the lock": {at.Keeping().CountingBack(1), []string{"client 1 40 0s-6s released", "client 2 40 6s-16s expired"}},
	} {
		trace := two(fencing.Config{FirstToken: 40, Faults: []fencing.Fault{test.fault}}, holdFor(6*s), justAcquire)
		assert.Equal(t, test.want, grants(t, trace), name)
		lost := test.fault.Keep == false
		assert.Equal(t, lost, trace.Verdict().Finding(fencing.OneGrant).Status == fencing.Violated, name)
	}
}

func TestACounterThatWasRolledBackGoesBackThatFarAndNoFarther(t *testing.T) {
	for back, want := range map[uint64]uint64{0: 36, 2: 34, 3: 33, 99: 33, fencing.FromStart: 33} {
		trace := run(faults(fencing.FailOver(3*s).CountingBack(back)), func(c *fencing.Client) {
			for range 3 {
				c.Release(c.Acquire("report"))
			}
			c.Sleep(5 * s)
			assert.Equal(t, want, c.Acquire("report").Token, "back %d", back)
		})
		require.NoError(t, trace.Err())
	}
}

func TestAGenerationInTheTokenSurvivesACounterThatWasRolledBack(t *testing.T) {
	config := fencing.Config{Generations: true, Faults: []fencing.Fault{fencing.FailOver(3 * s).CountingBack(fencing.FromStart)}}
	assert.Equal(t, []string{"client 1 1000033 0s-3s forgot", "client 2 2000033 3s-13s expired"}, grants(t, two(config, holdFor(6*s), justAcquire)))
}

func TestAFailOverBeforeAnyLockIsInTheStory(t *testing.T) {
	trace := run(faults(fencing.FailOver(0)), func(c *fencing.Client) { c.Sleep(s) })
	require.NoError(t, trace.Err())
	assert.Contains(t, trace.String(), "lock service  fails over, before anybody asked for a lock")
}

func TestTheCurrentTokenIsTheLastGrantsWhoeverHoldsIt(t *testing.T) {
	var before, token uint64
	trace := two(fencing.Config{}, holdFor(5*s), func(c *fencing.Client) {
		before, _ = c.CurrentToken("another")
		token, _ = c.CurrentToken("report")
	})
	require.NoError(t, trace.Err())
	assert.Zero(t, before)
	assert.EqualValues(t, 33, token)
}

func TestAnAcquireThatArrivesTwiceIsGrantedTwiceOnlyIfTheFirstGrantIsOver(t *testing.T) {
	for after, want := range map[time.Duration]int{s: 1, 5 * s: 2} {
		trace := run(faults(fencing.Duplicate("client 1", fencing.AcquireRequest, after)), holdFor(3*s))
		require.NoError(t, trace.Err())
		assert.Len(t, trace.Grants(), want, "the copy came after %s; nobody knows of a second grant", after)
		assert.Len(t, trace.Beliefs(), 1)
	}
}

func TestFiftyClientsGetSeveralLocksOneAfterTheOtherInTheOrderInWhichTheyAsked(t *testing.T) {
	const clients, locks = 50, 3
	w := fencing.NewWorld(fencing.Config{Fencing: true})
	for n := range clients {
		w.Client(fmt.Sprintf("client %d", n+1), func(c *fencing.Client) {
			c.Sleep(time.Duration(n) * 10 * time.Millisecond)
			for l := range locks {
				name := fmt.Sprintf("lock %d", (n+l)%locks)
				lease := c.Acquire(name)
				c.Work(s)
				assert.NoError(t, c.Write(name, c.Name(), lease.Token))
				assert.NoError(t, c.Release(lease))
			}
		})
	}
	trace := w.Run()
	require.NoError(t, trace.Err())
	next := map[string]uint64{}
	for _, g := range trace.Grants() {
		assert.Equal(t, 33+next[g.Lock], g.Token, "tokens of %s count by one", g.Lock)
		next[g.Lock]++
	}
	assert.Equal(t, map[string]uint64{"lock 0": clients, "lock 1": clients, "lock 2": clients}, next)
	for _, f := range trace.Verdict().Findings {
		assert.Equal(t, fencing.Holds, f.Status, "%s: %s", f.Property, f.Sentence)
	}
	assert.Len(t, trace.Attempts(), clients*locks)
}

func TestTokensThatStartAgainShutTheNewHolderOutWhichIsSafeAndDown(t *testing.T) {
	config := fencing.Config{Fencing: true, Faults: []fencing.Fault{fencing.FailOver(3 * s).CountingBack(fencing.FromStart)}}
	write := func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Release(lease)
		lease = c.Acquire("report")
		c.Write("report", c.Name(), lease.Token)
		c.Release(lease)
	}
	trace := two(config, write, func(c *fencing.Client) {
		c.Sleep(3 * s)
		lease := c.Acquire("report")
		assert.EqualValues(t, 33, lease.Token)
		assert.ErrorIs(t, c.Write("report", "x", lease.Token), fencing.ErrFenced)
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Violated, trace.Verdict().Finding(fencing.NoInnocentFenced).Status)
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoStaleWrite).Status)
}
