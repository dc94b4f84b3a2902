// Package sample answers "how often?". It runs a scenario of package fencing
// many times with chance in it, on all cores, and counts what went wrong.
//
// One run shows that a failure is possible. A design needs more: how often do
// two clients believe, with pauses and messages like ours; how much longer does
// a take-over last if the lease is longer; what does a duplicate cost in a year,
// and what would a fence save?
//
// # A first study
//
// A [Study] is a scenario and what differs from run to run:
//
//	study := sample.Study{
//		Runs:     10_000,
//		Jobs:     sample.Uniform(time.Second, 4*time.Second),
//		Pauses:   sample.TypicalStalls(),
//		PausePPM: 20_000, // at 2 % of the points that a client passes
//	}
//	result, err := sample.Run(context.Background(), study)
//	fmt.Println(result)
//
// Without a Program, every run has two standard workers ([fencing.Worker]) of
// Study.Policy. A Program adds clients of your own and may draw for itself:
//
//	study.Program = func(w *fencing.World, draws sample.Draws) {
//		work := draws.Length("work", sample.Uniform(time.Second, time.Minute))
//		w.Client("client 1", func(c *fencing.Client) { ... c.Work(work) ... })
//	}
//
// # Distributions
//
// A [Distribution] is a table of quantiles, as a dashboard shows them:
//
//	sample.Percentiles(p50, p90, p99, p999, most)
//
// [TypicalStalls] and [TypicalDelays] are shapes to begin with; their
// documentation says what of them is a report and what an assumption. They are
// about stalls and delays long enough to notice: how often there is one at all
// is a number of its own, [Study.PausePPM] and [Study.DelayPPM].
//
// # What is counted
//
// A run counts once for each thing that happened in it, however often it did:
// runs are independent of one another, and the jobs of one run are not. Every
// [Rate] has the counts behind it, a 95 % confidence interval, and the number of
// the first run in which it happened, so that you can look at that run:
//
//	trace, err := study.Trace(result.StaleAccepted.First)
//	charts.Timeline(trace)
//
// A pause so rare that no run meets it proves nothing: 0 of 10,000 runs leaves
// room for 0.04 %. To show that something cannot happen at all is the work of
// package search.
//
// # The lease against the take-over
//
// [Sweep] runs one study for several lengths of the lease. A longer lease ends
// less often while it is wanted, and a crash stops everybody for longer:
//
//	points, err := sample.Sweep(ctx, study, 5*time.Second, 10*time.Second, 20*time.Second)
//
// No length makes it safe: that is what the fence is for.
//
// # Efficiency or correctness
//
// [Compare] prices a [Case]: no lock, a lock with a lease, a lease and fencing, a
// consensus lock service with fencing and claim first. Four cases are ready:
// [DailyReport], [CacheRebuild], [Ledger], [JobScheduler]. Change a number and
// see whether the answer changes:
//
//	c := sample.JobScheduler()
//	c.DuplicateCents = 100_000 // the job is a payout
//	comparison, err := sample.Compare(ctx, c, 4000, 1)
//	fmt.Println(comparison)
//	charts.Timeline(comparison.Costs[1].Corrupting) // a run behind the numbers
//
// Two things to see. Fencing does not make duplicates fewer: the stalled worker
// has worked in vain when the storage tells it. And no way brings duplicates to
// 0: an effect outside the storage needs an idempotency key.
//
// # The same answer everywhere
//
// The same study gives the same result on every machine and any number of cores.
// A run's chance is a hash of the seed and the run's number; every draw is a hash
// of that and a label. So run 17 meets the same pauses with fencing on and off,
// and two results differ by what you changed. Floating point is used for the
// final rates and intervals only.
//
// Cancelling the context gives the result of the first n runs, whole.
//
// # Speed
//
// BenchmarkRun, two workers with a pause now and then, takes 43 µs of processor
// time a run; on 2 cores that other work took a part of, it made 16,000 to 18,000
// runs a second. Four thousand runs of each kind of a case took 2 to 5 s there.
package sample
