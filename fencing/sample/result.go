package sample

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// Result is what a study found. A run counts once in a [Rate], however often
// the thing happened in it.
type Result struct {
	Name       string // the study's
	Parameters string // what was run, in one line
	Asked      int    // how many runs the study asked for
	Runs       int    // how many were run; fewer if it was cancelled or had an error
	Jobs       int    // how often a client took the lock, in all runs

	Overlapped      Rate // two clients believed at once that they held the lock
	StaleAttempted  Rate // a write arrived after its key had accepted, or been claimed with, a higher token
	StaleAccepted   Rate // such a write was accepted
	LateAccepted    Rate // a write was accepted whose writer's lease had ended by the lock service's clock, stale or not
	DataLost        Rate // a write replaced what another client had written, by a stale write or without having seen it
	DoneTwice       Rate // an effect of one name was had twice ([fencing.Client.Do])
	LostWhileWanted Rate // false expiry: a lease, or that of a majority of the lock nodes, ended by the clock though its holder lived and had not released it

	Overlap  Lengths // how long beliefs overlapped in a run, for runs in which they did
	TakeOver Lengths // from the crash of a holder to the next grant of its lock, or the next by a majority of the lock nodes, whoever waited or came for it
}

// add adds the outcome of the next run.
func (r *Result) add(o outcome) {
	r.Runs++
	r.Jobs += o.jobs
	for _, count := range []struct {
		rate  *Rate
		times int
	}{
		{&r.Overlapped, o.overlaps}, {&r.StaleAttempted, o.attempted}, {&r.StaleAccepted, o.accepted}, {&r.LateAccepted, o.late},
		{&r.DataLost, o.dataLost}, {&r.DoneTwice, o.twice}, {&r.LostWhileWanted, o.falseExpiry},
	} {
		count.rate.add(r.Runs, count.times)
	}
	if o.overlaps > 0 {
		r.Overlap.add(o.overlap)
	}
	r.TakeOver.add(o.takeOvers...)
}

// PerJob returns how often something happened for each job, at most 1, and the
// ends of a 95 % confidence interval. The jobs of one run depend on one another,
// so the interval counts every run as one job, which makes it wider than needed;
// it supposes that all runs have about as many jobs.
func (r Result) PerJob(rate Rate) (share, low, high float64) {
	if r.Jobs > 0 {
		share = min(1, float64(rate.Times)/float64(r.Jobs))
	}
	low, high = wilson(share, r.Runs)
	return share, low, high
}

// String returns the result as a small table.
func (r Result) String() string {
	var b strings.Builder
	name := r.Name
	if name == "" {
		name = "a study"
	}
	fmt.Fprintf(&b, "%s: %s runs, %s jobs (%s)\n", name, grouped(r.Runs), grouped(r.Jobs), r.Parameters)
	if r.Runs < r.Asked {
		fmt.Fprintf(&b, "stopped early: %s runs were asked for\n", grouped(r.Asked))
	}
	line := "%-31s %9s %9s  %9s  %s\n"
	fmt.Fprintf(&b, line, "", "times", "in runs", "share", "95 % interval")
	for _, row := range []struct {
		name string
		rate Rate
	}{
		{"two clients believed at once", r.Overlapped}, {"stale write attempted", r.StaleAttempted}, {"stale write accepted", r.StaleAccepted},
		{"late write accepted", r.LateAccepted}, {"another client’s data lost", r.DataLost}, {"work done twice", r.DoneTwice},
		{"lease lost while it was wanted", r.LostWhileWanted},
	} {
		low, high := row.rate.Interval()
		fmt.Fprintf(&b, line, row.name, grouped(row.rate.Times), grouped(row.rate.Runs), percent(row.rate.Share()), percent(low)+" to "+percent(high))
	}
	share, low, high := r.PerJob(r.Overlapped)
	fmt.Fprintf(&b, line, "overlaps for each job", grouped(r.Overlapped.Times), "", percent(share), percent(low)+" to "+percent(high))
	fmt.Fprintf(&b, "%-31s %s\n", "overlap in a run lasted", r.Overlap)
	fmt.Fprintf(&b, "%-31s %s", "take-over after a crash took", r.TakeOver)
	return b.String()
}

// String returns count, median and p99 with their intervals.
func (l Lengths) String() string {
	if l.Count() == 0 {
		return "not seen"
	}
	return fmt.Sprintf("%s times: median %s, p99 %s", grouped(l.Count()), l.Median(), l.P99())
}

// String returns the estimate and its interval, to the millisecond.
func (l Length) String() string {
	if l.TooFew {
		return millis(l.Value) + " (too few for an interval)"
	}
	return fmt.Sprintf("%s (%s to %s)", millis(l.Value), millis(l.Low), millis(l.High))
}

func millis(d time.Duration) string { return fencing.Seconds(d.Round(time.Millisecond)) }

// percent prints a share with three digits that say something.
func percent(share float64) string {
	p := 100 * share
	decimals := 1
	for limit := 10.0; p < limit && decimals < 6; limit /= 10 {
		decimals++
	}
	if p == 0 || p == 100 {
		decimals = 0
	}
	return strconv.FormatFloat(p, 'f', decimals, 64) + " %"
}

// grouped prints 12345 as "12,345".
func grouped(n int) string { return groupedDigits(strconv.Itoa(n)) }

func groupedDigits(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
