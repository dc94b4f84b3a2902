package sample_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
)

func compare(t *testing.T, c sample.Case, runs int) sample.Comparison {
	t.Helper()
	r, err := sample.Compare(context.Background(), c, runs, 1)
	require.NoError(t, err)
	require.Len(t, r.Costs, 4)
	return r
}

func cheapest(t *testing.T, c sample.Case, runs int) string {
	cost, _ := compare(t, c, runs).Cheapest()
	return cost.Way
}

const (
	noLock    = "no lock"
	leaseOnly = "lock with a lease"
	fenced    = "lease + fencing"
	consensus = "consensus + fencing + claim first"
)

func TestEfficiencyNeedsNoFence(t *testing.T) {
	assert.Equal(t, leaseOnly, cheapest(t, sample.DailyReport(), 40))
	assert.Equal(t, leaseOnly, cheapest(t, sample.CacheRebuild(), 200))
	assert.Equal(t, leaseOnly, cheapest(t, sample.JobScheduler(), 200))
}

func TestTheAnswerFollowsFromTheNumbers(t *testing.T) {
	c := sample.DailyReport()
	c.DuplicateCents = 10 // nobody minds a second report
	assert.Equal(t, noLock, cheapest(t, c, 40))

	c = sample.JobScheduler()
	c.DuplicateCents = 100_000 // a payout
	assert.Equal(t, consensus, cheapest(t, c, 200))

	c = sample.Ledger()
	c.StalledPPM, c.DelayedPPM, c.FailOverPPM = 1, 1, 0 // good machines, good network
	c.CorruptedCents = 1000
	assert.Equal(t, leaseOnly, cheapest(t, c, 500))
}

func TestALedgerNeedsAFenceAndCostsAddUp(t *testing.T) {
	c := sample.Ledger()
	told := 0
	c.Progress = func(done, of int) {
		assert.GreaterOrEqual(t, done, told)
		assert.Equal(t, 14*500, of)
		told = done
	}
	r := compare(t, c, 500)
	assert.Equal(t, 14*500, told)
	r.Case.Progress, c.Progress = nil, nil
	cheapest, clear := r.Cheapest()
	assert.Equal(t, fenced, cheapest.Way)
	assert.True(t, clear)
	for i, cost := range r.Costs {
		assert.True(t, cost.TotalCents.Low <= cost.TotalCents.Value && cost.TotalCents.Value <= cost.TotalCents.High, "%+v", cost)
		assert.InEpsilon(t, 1+float64(cost.FixedCents)+cost.WaitCents+20_000*cost.Corrupted.Value, 1+cost.TotalCents.Value, 1e-9)
		assert.Zero(t, cost.Duplicates.Value, "a ledger does nothing twice")
		if i > 0 {
			assert.LessOrEqual(t, cost.Corrupted.Value, r.Costs[i-1].Corrupted.Value)
		}
	}
	assert.Zero(t, r.Costs[0].FixedCents)
	assert.EqualValues(t, c.LockCentsPerYear, r.Costs[1].FixedCents)
	assert.EqualValues(t, c.LockCentsPerYear+c.FencingCentsPerYear, r.Costs[2].FixedCents)
	assert.EqualValues(t, c.ConsensusCentsPerYear+c.FencingCentsPerYear, r.Costs[3].FixedCents)
	// 20 million jobs, each 1 ms longer, are 5.6 hours.
	assert.InDelta(t, 5555.6, r.Costs[1].WaitCents, 0.1)
	assert.Zero(t, r.Costs[3].Corrupted.Value)
	assert.Positive(t, r.Costs[3].Corrupted.High, "none in 500 runs is not none")

	assert.Equal(t, compare(t, c, 50).String(), compare(t, c, 50).String())

	lost := r.Costs[1].Corrupting
	require.NotNil(t, lost)
	assert.Equal(t, fencing.Violated, lost.Verdict().Finding(fencing.NoLostUpdate).Status)
	assert.Contains(t, lost.String(), "ledger, lock with a lease, a stalled job, run ")
	assert.Nil(t, r.Costs[3].Corrupting)
}

func TestCostsOfKnownChances(t *testing.T) {
	c := sample.Ledger()
	c.Work = sample.Always(time.Second)
	c.RivalAfter = sample.Uniform(0, 10*time.Second)
	c.Stalls = sample.Always(time.Minute)
	c.StalledPPM, c.DelayedPPM, c.FailOverPPM = 100, 0, 0
	costs := compare(t, c, 200).Costs
	// Without a lock one rival in ten comes during the second of work, and every
	// one during a stall.
	assert.Less(t, costs[0].Corrupted.Low, 0.1*20_000_000)
	assert.Greater(t, costs[0].Corrupted.High, 0.1*20_000_000)
	// With a lease every stall does harm, and with a fence none.
	assert.InDelta(t, 2000, costs[1].Corrupted.Value, 1e-6)
	assert.Zero(t, costs[2].Corrupted.Value)
}

func TestWithoutHazardsALockIsExact(t *testing.T) {
	c := sample.Ledger()
	c.StalledPPM, c.DelayedPPM, c.FailOverPPM = 0, 0, 0
	for _, cost := range compare(t, c, 200).Costs[1:] {
		assert.Equal(t, sample.Estimate{}, cost.Corrupted)
	}
}

func TestMistakesInACaseAreSentences(t *testing.T) {
	for want, change := range map[string]func(*sample.Case){
		"Case.JobsPerYear is 0":      func(c *sample.Case) { c.JobsPerYear = 0 },
		"Case.DuplicateCents is -1":  func(c *sample.Case) { c.DuplicateCents = -1 },
		"shares of the same million": func(c *sample.Case) { c.StalledPPM = 2_000_000 },
		"Case.JobsPerYear is 9223372036854775807: give a number up to 1,000,000,000,000": func(c *sample.Case) { c.JobsPerYear = math.MaxInt64 },
		"Case.StalledPPM is 9223372036854775807":                                         func(c *sample.Case) { c.StalledPPM = math.MaxInt64 },
		"Case.LockLatency is -1s: give a length up to 1000h0m0s":                         func(c *sample.Case) { c.LockLatency = -time.Second },
		"Case.Lease is 2000h0m0s":                                                        func(c *sample.Case) { c.Lease = 2000 * time.Hour },
		"no Work or no RivalAfter":                                                       func(c *sample.Case) { c.Work = nil },
		"Case.Lease is 0s":                                                               func(c *sample.Case) { c.Lease = 0 },
		"Case.Work is a table of 0":                                                      func(c *sample.Case) { c.Work = sample.Distribution{} },
		"Case.Stalls has the value -1s":                                                  func(c *sample.Case) { c.Stalls = sample.Always(-time.Second) },
	} {
		c := sample.Ledger()
		change(&c)
		_, err := sample.Compare(context.Background(), c, 10, 1)
		assert.ErrorContains(t, err, want)
	}
	_, err := sample.Compare(context.Background(), sample.Ledger(), 0, 1)
	assert.ErrorContains(t, err, "say how many of each kind")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = sample.Compare(ctx, sample.Ledger(), 10, 1)
	assert.ErrorIs(t, err, context.Canceled)
	_, clear := sample.Comparison{}.Cheapest()
	assert.False(t, clear)
}

func TestTheGreatestNumbersOfACaseAreStillPrinted(t *testing.T) {
	c := sample.Ledger()
	c.JobsPerYear, c.CorruptedCents = 1_000_000_000_000, 1_000_000_000_000
	text := compare(t, c, 50).String()
	assert.Contains(t, text, "1,000,000,000,000 jobs a year")
	assert.Regexp(t, `no lock +0 +[\d,]+ +0 +0 +[\d,]{20,}  [\d,]{20,} to [\d,]{20,}\n`, text)
}

func TestStallsAndDelaysMayBeLeftOut(t *testing.T) {
	c := sample.Ledger()
	c.Stalls, c.Delays = nil, nil
	r := compare(t, c, 50)
	assert.Zero(t, r.Costs[2].Corrupted.Value)
}

func TestEveryCaseSaysItsName(t *testing.T) {
	for _, c := range sample.Cases() {
		assert.NotEmpty(t, c.Name)
		assert.Contains(t, compare(t, c, 5).String(), c.Name+": ")
	}
}
