package sample

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// Case is a job that several workers may take, with what goes wrong, how often,
// and what it costs. [Compare] turns it into a yearly cost for each way of
// guarding the job. Prices are whole cents, of whatever currency you think in.
//
// In a sampled job two workers want the same thing: the first at once (client 1
// of a trace), the second a little later. What nobody stalls in, delays or fails over in is a calm job;
// the others are so rare that they are sampled apart and weighted with how often
// they happen.
type Case struct {
	Name string // what it is called in a table
	Once bool   // the job is to be done once, and whoever comes second looks whether it is done; otherwise each worker changes the record in turn

	// How the job goes.
	JobsPerYear int64         // how many jobs there are in a year
	Work        Distribution  // how long a worker works between its look at the record and its write
	RivalAfter  Distribution  // how long after the first worker the second one begins
	Lease       time.Duration // renewed three times in its length
	Timeout     time.Duration // how long a worker waits for the reply to its write; then it releases and leaves

	// What goes wrong, in how many of a million jobs.
	StalledPPM  int64        // the first worker stands still before its write
	Stalls      Distribution // for how long
	DelayedPPM  int64        // the first worker's write is late
	Delays      Distribution // by how much
	FailOverPPM int64        // a single lock node fails over to a copy that has not heard of the last grant: the lock and its token are given out again

	// What it costs, in cents.
	DuplicateCents        int64 // the job of a Once case was done twice
	CorruptedCents        int64 // a write replaced what the other worker had written, unseen
	LockCentsPerYear      int64 // a single lock node, or its share of one
	FencingCentsPerYear   int64 // a column and a condition in every write: keeping and testing them
	ConsensusCentsPerYear int64 // a lock service of three or five nodes, in place of the single one
	WaitCentsPerHour      int64 // an hour by which jobs take longer

	// What every job waits longer for.
	LockLatency      time.Duration // to acquire and release at a single node
	ConsensusLatency time.Duration // to acquire and release at a consensus lock service
	ClaimLatency     time.Duration // to claim first: one more round trip to the storage

	Progress func(done, of int) // told now and then how many runs are done, always by the goroutine that called Compare
}

// mostOfACase bounds the numbers of a case: a trillion jobs a year are more than
// anybody has.
const mostOfACase = 1_000_000_000_000

// Estimate is an expected number and the ends of its interval of at least 95 %.
type Estimate struct{ Value, Low, High float64 }

func (e Estimate) plus(f Estimate) Estimate {
	return Estimate{e.Value + f.Value, e.Low + f.Low, e.High + f.High}
}

func (e Estimate) times(factor float64) Estimate {
	return Estimate{e.Value * factor, e.Low * factor, e.High * factor}
}

// Cost is what one way of guarding the job costs in a year.
type Cost struct {
	Way        string   // what guards the job
	Duplicates Estimate // jobs a year that are done twice
	Corrupted  Estimate // records a year in which a write replaced another's, unseen
	FixedCents int64    // a year, for the lock and the fencing
	WaitCents  float64  // a year, for what the jobs wait longer
	TotalCents Estimate // a year

	Corrupting *fencing.Trace // a sampled run in which the record was corrupted, to draw or to read; nil if there was none
}

// Comparison is what [Compare] found.
type Comparison struct {
	Case  Case   // what was compared
	Runs  int    // of each kind of job and each way
	Seed  uint64 // of all studies
	Costs []Cost // no lock, lock with a lease, lease and fencing, consensus and fencing and claim first
}

// way is one way of guarding a job.
type way struct {
	name                             string
	lock, fencing, claims, consensus bool
}

var ways = []way{
	{name: "no lock"},
	{name: "lock with a lease", lock: true},
	{name: "lease + fencing", lock: true, fencing: true},
	{name: "consensus + fencing + claim first", lock: true, fencing: true, claims: true, consensus: true},
}

// Compare samples the case under each way of guarding it and returns the
// expected yearly costs. All ways meet the same chance. It makes that many runs
// of each kind of job under each way, at most 14 times runs; 4000 are enough for
// the four cases of this package.
//
// An expected number is the sum, over the kinds of job (calm, stalled, delayed,
// failed over), of jobs a year × share of that kind × share of its runs in which
// it happened. The ends of the intervals are summed too, which makes the sum's
// interval wider than needed rather than narrower: the standard deviation of a
// sum is at most the sum of the standard deviations.
//
// A calm job under a lock is taken to cost nothing if none of its runs did: the
// lease is renewed in time, so the lock excludes. Sampling alone could not tell
// 0 from a millionth.
//
// In the sampled runs a message takes no time unless it is delayed; what a lock
// service's answers take is priced apart.
//
// What the model leaves out: the time that a job waits for the lock, what a
// stopped worker has to do again, workers that crash, more than two workers.
//
// If the context is cancelled or a run has an error, the comparison holds the
// ways that are whole, and the error says where it ended.
func Compare(ctx context.Context, c Case, runs int, seed uint64) (Comparison, error) {
	if runs <= 0 {
		return Comparison{}, fmt.Errorf("Compare was given %d runs: say how many of each kind of job you want, for example 4000", runs)
	}
	if err := c.check(); err != nil {
		return Comparison{}, err
	}
	comparison := Comparison{Case: c, Runs: runs, Seed: seed}
	c.Progress = c.overall(runs)
	for _, w := range ways {
		cost, err := c.cost(ctx, w, runs, seed)
		if err != nil {
			return comparison, fmt.Errorf("%s, %s: %w", c.Name, w.name, err)
		}
		comparison.Costs = append(comparison.Costs, cost)
	}
	return comparison, nil
}

// overall returns a Progress for one study after another that tells the case's.
func (c Case) overall(runs int) func(done, of int) {
	if c.Progress == nil {
		return nil
	}
	before, total := 0, 0
	for _, w := range ways {
		total += len(c.kinds(w)) * runs
	}
	return func(done, of int) {
		c.Progress(before+done, total)
		if done == of {
			before += of
		}
	}
}

func (c Case) check() error {
	for _, n := range []struct {
		field string
		value int64
	}{
		{"JobsPerYear", c.JobsPerYear}, {"DuplicateCents", c.DuplicateCents}, {"CorruptedCents", c.CorruptedCents},
		{"LockCentsPerYear", c.LockCentsPerYear}, {"FencingCentsPerYear", c.FencingCentsPerYear},
		{"ConsensusCentsPerYear", c.ConsensusCentsPerYear}, {"WaitCentsPerHour", c.WaitCentsPerHour},
		{"StalledPPM", c.StalledPPM}, {"DelayedPPM", c.DelayedPPM}, {"FailOverPPM", c.FailOverPPM},
	} {
		if n.value < 0 || n.value > mostOfACase {
			return fmt.Errorf("Case.%s is %d: give a number up to %s, or 0 for none", n.field, n.value, grouped(mostOfACase))
		}
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{{"LockLatency", c.LockLatency}, {"ConsensusLatency", c.ConsensusLatency}, {"ClaimLatency", c.ClaimLatency}, {"Timeout", c.Timeout}} {
		if d.value < 0 || d.value > fencing.Longest {
			return fmt.Errorf("Case.%s is %s: give a length up to %s, or 0 for none", d.field, d.value, fencing.Longest)
		}
	}
	switch {
	case c.JobsPerYear == 0:
		return errors.New("Case.JobsPerYear is 0: say how many jobs there are in a year, for example 365")
	case c.StalledPPM+c.DelayedPPM+c.FailOverPPM > whole:
		return fmt.Errorf("StalledPPM, DelayedPPM and FailOverPPM of the case are %d together: they are shares of the same million jobs, so give at most 1000000", c.StalledPPM+c.DelayedPPM+c.FailOverPPM)
	case c.Work == nil || c.RivalAfter == nil:
		return errors.New("the case has no Work or no RivalAfter: give both, for example sample.Uniform(time.Second, 5*time.Second)")
	case c.Lease < 3*time.Millisecond || c.Lease > fencing.Longest:
		return fmt.Errorf("Case.Lease is %s: give a length that can be renewed three times, for example 10 * time.Second (the longest is %s)", c.Lease, fencing.Longest)
	}
	for _, t := range []struct {
		field string
		table Distribution
	}{{"Case.Work", c.Work}, {"Case.RivalAfter", c.RivalAfter}, {"Case.Stalls", c.Stalls}, {"Case.Delays", c.Delays}} {
		if err := t.table.check(t.field, 0, fencing.Longest); err != nil {
			return err
		}
	}
	return nil
}

// cost samples one way.
func (c Case) cost(ctx context.Context, w way, runs int, seed uint64) (Cost, error) {
	cost := Cost{Way: w.name}
	for _, k := range c.kinds(w) {
		study := c.study(w, k, runs, seed)
		result, err := Run(ctx, study)
		if err != nil {
			return cost, fmt.Errorf("%s jobs: %w", k.name, err)
		}
		if first := result.DataLost.First; first > 0 && cost.Corrupting == nil {
			cost.Corrupting, _ = study.Trace(first) // Run would have found its mistakes
		}
		jobs := float64(c.JobsPerYear) * float64(k.ppm) / whole
		sure := w.lock && k.faults == nil
		cost.Duplicates = cost.Duplicates.plus(estimate(result.DoneTwice, sure).times(jobs))
		cost.Corrupted = cost.Corrupted.plus(estimate(result.DataLost, sure).times(jobs))
	}
	cost.FixedCents, cost.WaitCents = c.guarding(w)
	sure := float64(cost.FixedCents) + cost.WaitCents
	cost.TotalCents = Estimate{sure, sure, sure}.
		plus(cost.Duplicates.times(float64(c.DuplicateCents))).
		plus(cost.Corrupted.times(float64(c.CorruptedCents)))
	return cost, nil
}

// estimate is the rate and its interval; a rate of 0 may be known to be just that.
func estimate(r Rate, sureIfNone bool) Estimate {
	if r.Runs == 0 && sureIfNone {
		return Estimate{}
	}
	low, high := r.Interval()
	return Estimate{r.Share(), low, high}
}

// guarding returns what the guard itself costs in a year.
func (c Case) guarding(w way) (fixedCents int64, waitCents float64) {
	var latency time.Duration
	switch {
	case w.consensus:
		fixedCents, latency = c.ConsensusCentsPerYear, c.ConsensusLatency
	case w.lock:
		fixedCents, latency = c.LockCentsPerYear, c.LockLatency
	}
	if w.fencing {
		fixedCents += c.FencingCentsPerYear
	}
	if w.claims {
		latency += c.ClaimLatency
	}
	return fixedCents, float64(c.JobsPerYear) * latency.Hours() * float64(c.WaitCentsPerHour)
}

// Cheapest returns the way that is expected to cost least. Clear is false if
// its interval meets that of another way: then more runs may change the answer.
func (c Comparison) Cheapest() (cost Cost, clear bool) {
	if len(c.Costs) == 0 {
		return Cost{}, false
	}
	rising := slices.Clone(c.Costs)
	slices.SortStableFunc(rising, func(a, b Cost) int {
		switch {
		case a.TotalCents.Value < b.TotalCents.Value:
			return -1
		case a.TotalCents.Value > b.TotalCents.Value:
			return 1
		}
		return 0
	})
	clear = true
	for _, other := range rising[1:] {
		clear = clear && rising[0].TotalCents.High < other.TotalCents.Low
	}
	return rising[0], clear
}

// String returns the comparison as a table, in units of 100 cents, and the way
// that costs least.
func (c Comparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s jobs a year, %s cents a duplicate, %s cents a corrupted record (%s runs of each kind, seed %d; money in units of 100 cents)\n", c.Case.Name,
		grouped(int(c.Case.JobsPerYear)), grouped(int(c.Case.DuplicateCents)), grouped(int(c.Case.CorruptedCents)), grouped(c.Runs), c.Seed)
	fmt.Fprintf(&b, "%-34s %14s %14s %10s %8s %14s  %s\n", "a year:", "duplicates", "corrupted", "guard", "waiting", "total", "95 % interval")
	for _, cost := range c.Costs {
		fmt.Fprintf(&b, "%-34s %14s %14s %10s %8s %14s  %s to %s\n", cost.Way, number(cost.Duplicates.Value), number(cost.Corrupted.Value),
			units(float64(cost.FixedCents)), units(cost.WaitCents), units(cost.TotalCents.Value), units(cost.TotalCents.Low), units(cost.TotalCents.High))
	}
	cheapest, clear := c.Cheapest()
	fmt.Fprintf(&b, "cheapest: %s", cheapest.Way)
	if !clear {
		b.WriteString(", but intervals meet: take more runs before you rely on it")
	}
	return b.String()
}

// number prints an expected number: 12,345 or 0.12.
func number(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f < 10:
		return fmt.Sprintf("%.2f", f)
	}
	return groupedDigits(fmt.Sprintf("%.0f", f))
}

// units prints cents in units of 100: 12,345 or 67.89.
func units(cents float64) string {
	if cents > 0 && cents < 100_000 {
		return fmt.Sprintf("%.2f", cents/100)
	}
	return groupedDigits(fmt.Sprintf("%.0f", cents/100))
}
