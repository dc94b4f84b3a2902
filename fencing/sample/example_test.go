package sample_test

import (
	"context"
	"fmt"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
)

// How often does a stall between the grant and the write do harm?
func Example() {
	study := sample.Study{
		Runs:     2000,
		Jobs:     sample.Uniform(time.Second, 4*time.Second),
		Pauses:   sample.TypicalStalls(),
		PausePPM: 500_000,
		CrashPPM: 20_000,
		Points:   []fencing.Point{fencing.BeforeWrite},
	}
	result, err := sample.Run(context.Background(), study)
	fmt.Println(result)
	fmt.Println("error:", err)
	// Output:
	// a study: 2,000 runs, 4,000 jobs (seed 0 · lease 10 s · fencing off · 2 clients · jobs 1 s to 4 s, half of them up to 2.5 s · 500000 ppm before write paused 0 s to 79 s, half of them up to 0.2 s · 20000 ppm before write crashed)
	//                                     times   in runs      share  95 % interval
	// two clients believed at once          130       130     6.50 %  5.50 % to 7.67 %
	// stale write attempted                  33        33     1.65 %  1.18 % to 2.31 %
	// stale write accepted                   33        33     1.65 %  1.18 % to 2.31 %
	// late write accepted                   119       116     5.80 %  4.86 % to 6.91 %
	// another client’s data lost             33        33     1.65 %  1.18 % to 2.31 %
	// work done twice                         0         0        0 %  0 % to 0.192 %
	// lease lost while it was wanted        260       251     12.6 %  11.2 % to 14.1 %
	// overlaps for each job                 130               3.25 %  2.56 % to 4.12 %
	// overlap in a run lasted         130 times: median 3.474 s (1.806 s to 5.779 s), p99 9.915 s (too few for an interval)
	// take-over after a crash took    43 times: median 7.648 s (7.169 s to 8.18 s), p99 8.953 s (too few for an interval)
	// error: <nil>
}

// The run in which it happened first, as a story.
func ExampleStudy_Trace() {
	study := sample.Study{
		Runs:   1000,
		Pauses: sample.TypicalStalls(),
		Points: []fencing.Point{fencing.BeforeWrite},
	}
	result, _ := sample.Run(context.Background(), study)
	trace, _ := study.Trace(result.StaleAccepted.First)
	fmt.Println("run", result.StaleAccepted.First)
	fmt.Println(trace.Verdict().Headline)
	// Output:
	// run 1
	// Fencing off: the write with token 33 is accepted at 13.333 s and overwrites client 2’s data
}

// The longer the lease, the rarer two believe, and the longer a crash stops
// everybody.
func ExampleSweep() {
	study := sample.Study{
		Runs:     1000,
		Jobs:     sample.Uniform(time.Second, 4*time.Second),
		Pauses:   sample.TypicalStalls(),
		CrashPPM: 100_000,
		Points:   []fencing.Point{fencing.BeforeWrite},
		Policy:   fencing.Policy{RenewEvery: time.Second},
	}
	points, _ := sample.Sweep(context.Background(), study, 3*time.Second, 10*time.Second, 30*time.Second)
	for _, p := range points {
		low, high := p.Result.Overlapped.Interval()
		fmt.Printf("lease %3s: two believed in %.1f %% of runs (%.1f to %.1f), take-over %s\n",
			p.Lease, 100*p.Result.Overlapped.Share(), 100*low, 100*high, p.Result.TakeOver.Median())
	}
	// Output:
	// lease  3s: two believed in 10.3 % of runs (8.6 to 12.3), take-over 2.438 s (2.38 s to 2.573 s)
	// lease 10s: two believed in 5.8 % of runs (4.5 to 7.4), take-over 9.438 s (9.38 s to 9.573 s)
	// lease 30s: two believed in 0.5 % of runs (0.2 to 1.2), take-over 29.438 s (29.38 s to 29.573 s)
}

// A ledger needs a fence: a lost booking costs more than a column and a
// condition.
func ExampleCompare() {
	comparison, err := sample.Compare(context.Background(), sample.Ledger(), 500, 1)
	fmt.Println(comparison)
	fmt.Println("error:", err)
	// Output:
	// ledger: 20,000,000 jobs a year, 0 cents a duplicate, 20,000 cents a corrupted record (500 runs of each kind, seed 1; money in units of 100 cents)
	// a year:                                duplicates      corrupted      guard  waiting          total  95 % interval
	// no lock                                         0         80,033          0        0     16,006,640  4,395,814 to 57,870,748
	// lock with a lease                               0             12     100.00    55.56          2,588  1,674 to 4,105
	// lease + fencing                                 0           0.16     500.00    55.56         587.56  568.02 to 1,247
	// consensus + fencing + claim first               0              0      3,400   277.78          3,678  3,678 to 4,288
	// cheapest: lease + fencing
	// error: <nil>
}

// A job that pays out money is worth a lock service that does not forget.
func ExampleCompare_changed() {
	c := sample.JobScheduler()
	for _, cents := range []int64{500, 100_000} {
		c.DuplicateCents = cents
		comparison, _ := sample.Compare(context.Background(), c, 200, 1)
		cheapest, _ := comparison.Cheapest()
		fmt.Printf("%d cents a duplicate: %s\n", cents, cheapest.Way)
	}
	// Output:
	// 500 cents a duplicate: lock with a lease
	// 100000 cents a duplicate: consensus + fencing + claim first
}
