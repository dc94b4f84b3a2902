package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func fenced(check fencing.Check) fencing.Config { return fencing.Config{Fencing: true, Check: check} }

// accepts tells for each token whether the storage accepts a write with it, one
// after the other.
func accepts(t *testing.T, config fencing.Config, tokens ...uint64) []bool {
	var got []bool
	trace := run(config, func(c *fencing.Client) {
		for _, token := range tokens {
			got = append(got, c.Write("report", "x", token) == nil)
		}
	})
	require.NoError(t, trace.Err())
	return got
}

func TestEveryCheckAcceptsWhatItSaysAndNothingElse(t *testing.T) {
	tokens := []uint64{34, 34, 35, 34, 36}
	for name, test := range map[string]struct {
		config fencing.Config
		want   []bool
	}{
		"fencing off":              {fencing.Config{}, []bool{true, true, true, true, true}},
		"at least":                 {fenced(fencing.AtLeast), []bool{true, true, true, false, true}},
		"higher":                   {fenced(fencing.Higher), []bool{true, false, true, false, true}},
		"equal":                    {fenced(fencing.Equal), []bool{true, true, false, true, false}},
		"two steps, uninterrupted": {fenced(fencing.TwoSteps), []bool{true, true, true, false, true}},
		"owner, never claimed":     {fenced(fencing.Owner), []bool{false, false, false, false, false}},
	} {
		assert.Equal(t, test.want, accepts(t, test.config, tokens...), name)
	}
}

func TestATwoStepCheckAcceptsAStaleWriteThatFallsIntoItsGap(t *testing.T) {
	for gap, want := range map[time.Duration]fencing.Status{0: fencing.Holds, 3 * s: fencing.Violated} {
		config := fenced(fencing.TwoSteps)
		config.CheckGap = gap
		trace := two(config, func(c *fencing.Client) { c.Write("report", "old", 33) },
			func(c *fencing.Client) { c.Write("report", "new", 34) })
		require.NoError(t, trace.Err())
		assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "in order: the second is the later one")

		trace = two(config, func(c *fencing.Client) { c.Write("report", "new", 34) },
			func(c *fencing.Client) { c.Write("report", "old", 33) })
		require.NoError(t, trace.Err())
		assert.Equal(t, want, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "checked at 1 s, when the newer write had passed and not yet been stored, gap %s", gap)
	}
}

func TestAVersionCheckFindsAConflictAndNotAnOldOwner(t *testing.T) {
	var first, second error
	trace := two(fenced(fencing.Version),
		func(c *fencing.Client) { c.Read("report"); c.Sleep(2 * s); first = c.Write("report", "a", 99) },
		func(c *fencing.Client) {
			c.Read("report")
			c.Write("report", "b", 34)
			c.Sleep(3 * s)
			c.Read("report")
			second = c.Write("report", "c", 1)
		})
	require.NoError(t, trace.Err())
	assert.ErrorIs(t, first, fencing.ErrConflict, "a high token does not help")
	assert.EqualError(t, first, `write "report" with token 99: version conflict: "report" has version 1, and the last that the writer has seen is version 0`)
	assert.NoError(t, second, "and a low one does not hurt: whoever has read may write")
}

func TestAWriterThatHasNotReadIsToldThatItHasNot(t *testing.T) {
	trace := run(fenced(fencing.Version), func(c *fencing.Client) {
		assert.NoError(t, c.Write("report", "a", 1))
		assert.NoError(t, c.Write("report", "b", 1), "its own write is what it has seen last")
	})
	require.NoError(t, trace.Err())
	trace = two(fenced(fencing.Version), func(c *fencing.Client) { c.Write("report", "a", 1) }, func(c *fencing.Client) {
		assert.EqualError(t, c.Write("report", "b", 2), `write "report" with token 2: version conflict: "report" has version 1, and the writer has not read it`)
		assert.EqualError(t, c.WriteIf("report", "b", 2), `write "report" with token 2: version conflict: "report" has version 1, and the writer has not read it`)
	})
	require.NoError(t, trace.Err())
}

func TestAnOwnerCheckAcceptsTheLastToClaimAlone(t *testing.T) {
	trace := run(fenced(fencing.Owner), func(c *fencing.Client) {
		assert.EqualError(t, c.Write("report", "a", 33), `write "report" with token 33: fenced: the storage knows of no claim of "report", and takes writes of the last to claim alone`)
		c.Claim("report", 33)
		assert.NoError(t, c.Write("report", "a", 33))
		c.Claim("report", 34)
		assert.EqualError(t, c.Write("report", "b", 33), `write "report" with token 33: fenced: "report" was claimed with token 34 last, and 33 is another`)
		assert.NoError(t, c.Write("report", "c", 34))
		assert.ErrorIs(t, c.Write("report", "d", 35), fencing.ErrFenced, "a higher token that has not claimed")
	})
	require.NoError(t, trace.Err())
}

func TestWriteIfComparesTheVersionBesideTheFence(t *testing.T) {
	trace := two(fenced(fencing.AtLeast),
		func(c *fencing.Client) {
			c.Read("report")
			c.Sleep(2 * s)
			assert.ErrorIs(t, c.WriteIf("report", "x", 40), fencing.ErrConflict)
			c.Read("report")
			assert.NoError(t, c.WriteIf("report", "x", 40))
			assert.NoError(t, c.WriteIf("report", "y", 40), "its own write is what it has seen last")
			assert.ErrorIs(t, c.WriteIf("report", "z", 39), fencing.ErrFenced)
		},
		func(c *fencing.Client) { c.Write("report", "between", 34) })
	require.NoError(t, trace.Err())
}

func TestAClaimRaisesTheFenceAndReturnsTheValueInOneStep(t *testing.T) {
	trace := run(fenced(fencing.AtLeast), func(c *fencing.Client) {
		c.Write("report", "a", 33)
		value, err := c.Claim("report", 35)
		assert.NoError(t, err)
		assert.Equal(t, "a", value)
		assert.ErrorIs(t, c.Write("report", "b", 34), fencing.ErrFenced)
		_, err = c.Claim("report", 34)
		assert.ErrorIs(t, err, fencing.ErrFenced, "a lower claim")
		_, err = c.Claim("report", 35)
		assert.NoError(t, err, "the same again")
	})
	require.NoError(t, trace.Err())
}

func TestAClaimThatIsFencedEndsTheBelief(t *testing.T) {
	trace := run(fenced(fencing.AtLeast), func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "x", 99)
		c.Claim("report", lease.Token)
		assert.True(t, c.Lost(lease))
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, "the storage rejected its token", trace.Beliefs()[0].Why)
}

func TestARejectionEndsTheBeliefInTheLockOfThatKeyAndInNoOther(t *testing.T) {
	run(fenced(fencing.AtLeast), func(c *fencing.Client) {
		a, b := c.Acquire("a"), c.Acquire("b")
		assert.Equal(t, a.Token, b.Token, "tokens count per lock")
		c.Write("a", "x", 99)
		c.Write("a", "x", a.Token)
		assert.True(t, c.Lost(a))
		assert.False(t, c.Lost(b))
	})
}

func TestADeleteIsCheckedLikeAWriteAndTheFenceOutlivesIt(t *testing.T) {
	for forgotten, want := range map[bool]error{false: fencing.ErrFenced, true: nil} {
		config := fenced(fencing.AtLeast)
		config.FenceForgotten = forgotten
		trace := run(config, func(c *fencing.Client) {
			c.Write("report", "a", 34)
			assert.ErrorIs(t, c.Delete("report", 33), fencing.ErrFenced)
			assert.NoError(t, c.Delete("report", 34))
			value, _ := c.Read("report")
			assert.Empty(t, value)
			assert.ErrorIs(t, c.Write("report", "stale", 33), want)
		})
		require.NoError(t, trace.Err())
		stale := trace.Attempts()[3]
		assert.True(t, stale.Stale, "stale is stale, whatever the storage remembers")
		assert.Equal(t, forgotten, stale.Accepted)
		assert.EqualValues(t, 34, stale.Fence)
	}
}

func TestTheFenceIsForgottenByARestartOrACleanUpOnlyIfSaidSo(t *testing.T) {
	for name, fault := range map[string]fencing.Fault{"restart": fencing.RestartStorage(2 * s), "clean-up": fencing.CleanUp("report", 2*s)} {
		for forgotten, want := range map[bool]error{false: fencing.ErrFenced, true: nil} {
			trace := run(fencing.Config{Fencing: true, FenceForgotten: forgotten, Faults: []fencing.Fault{fault}}, func(c *fencing.Client) {
				c.Write("report", "a", 34)
				c.Sleep(3 * s)
				value, _ := c.Read("report")
				assert.Equal(t, map[string]string{"restart": "a", "clean-up": ""}[name], value, name)
				assert.ErrorIs(t, c.Write("report", "stale", 33), want, name)
			})
			require.NoError(t, trace.Err())
		}
	}
}

func TestNumberedWritesKeepTheOrderWithinAGrantAndStartAgainWithTheNext(t *testing.T) {
	config := fencing.Config{Fencing: true, NumberedWrites: true, Timeout: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 5*s)}}
	trace := run(config, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "draft", lease.Token)
		assert.NoError(t, c.Write("report", "final", lease.Token))
		c.Work(6 * s)
		c.Release(lease)
		next := c.Acquire("report")
		assert.NoError(t, c.Write("report", "next", next.Token))
	})
	require.NoError(t, trace.Err())
	assert.Equal(t, []string{"final", "next"}, written(trace))
	assert.Equal(t, `fenced: "report" has accepted write 2 of token 33, and this is write 1`, trace.Attempts()[1].Reason)
	assert.Equal(t, 1, trace.Attempts()[2].Number)
}

func TestTwoLocksOfOneTokenDoNotConfuseTheNumbers(t *testing.T) {
	trace := run(fencing.Config{Fencing: true, NumberedWrites: true}, func(c *fencing.Client) {
		a := c.Acquire("a")
		c.Write("x", "1", a.Token)
		c.Write("x", "2", a.Token)
		b := c.Acquire("b")
		assert.NoError(t, c.Write("x", "3", b.Token), "both have token 33: the storage cannot tell them apart")
		c.Release(a)
		assert.NoError(t, c.Write("x", "4", b.Token))
	})
	require.NoError(t, trace.Err())
}

func TestAnEffectIsHadOnceUnderAnIdempotencyKeyAndAsOftenAsAskedWithout(t *testing.T) {
	for idempotent, want := range map[bool]fencing.Status{true: fencing.Holds, false: fencing.Violated} {
		trace := two(fencing.Config{Idempotent: idempotent}, func(c *fencing.Client) { c.Do("pay 7"); c.Do("pay 8") }, func(c *fencing.Client) { c.Do("pay 7") })
		require.NoError(t, trace.Err())
		assert.Equal(t, want, trace.Verdict().Finding(fencing.NothingTwice).Status)
		assert.Len(t, times(trace, fencing.Did), 3)
	}
}

func TestADeadlineThatCountsFromTheReplyIsLaterThanTheLease(t *testing.T) {
	for fromReply, want := range map[bool]time.Duration{false: 10 * s, true: 14 * s} {
		var first, renewed time.Duration
		trace := run(fencing.Config{Latency: 2 * s, DeadlineFromReply: fromReply}, func(c *fencing.Client) {
			lease := c.Acquire("report")
			first = lease.Until
			c.Renew(lease)
			c.Holds(lease)
		})
		require.NoError(t, trace.Err())
		for _, e := range trace.Events {
			if e.Kind == fencing.Checked {
				renewed = e.Until
			}
		}
		assert.Equal(t, want, first)
		assert.Equal(t, want+4*s, renewed, "the renewal was sent at 4 s")
		assert.Equal(t, 12*s, trace.Grants()[0].Renewed[0]+6*s, "the service received it at 6 s")
	}
}

func TestLostKnowsWhatAReplyHasToldAndNothingElse(t *testing.T) {
	run(fencing.Config{}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(20 * s)
		assert.False(t, c.Lost(lease), "nobody has told it")
		c.Renew(lease)
		assert.True(t, c.Lost(lease))
	})
}

func TestWithoutPlainDeleteAReleaseByNameIsRefused(t *testing.T) {
	run(fencing.Config{}, func(c *fencing.Client) {
		c.Acquire("report")
		assert.ErrorIs(t, c.ReleaseByName("report"), fencing.ErrLeaseLost)
	})
}

func TestKeysOfOneStorageHaveFencesOfTheirOwnWhateverTheLock(t *testing.T) {
	trace := run(fenced(fencing.AtLeast), func(c *fencing.Client) {
		for n, key := range []string{"a", "b", "c"} {
			assert.NoError(t, c.Write(key, "x", uint64(40-n)))
		}
		assert.ErrorIs(t, c.Write("a", "x", 39), fencing.ErrFenced)
		assert.NoError(t, c.Write("b", "x", 39))
	})
	require.NoError(t, trace.Err())
}
