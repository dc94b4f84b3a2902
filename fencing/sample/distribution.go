package sample

import (
	"fmt"
	"math/bits"
	"sort"
	"time"

	"fencingtokens/fencing"
)

// Distribution says how long something takes, as a table of quantiles in rising
// order: the first row has PPM 0 and the least value, the last has PPM 1,000,000
// and the greatest. Between two rows values are spread evenly; two rows with the
// same PPM are a jump. A nil Distribution is "off", or the default that a
// field's comment names.
//
// A table is what a dashboard already shows (median, p99, ...), and it is
// integers, so that a draw is the same on every machine. A length of 1 s or more
// is drawn in whole milliseconds, a shorter one in whole microseconds.
type Distribution []Quantile

// Quantile is one row of a [Distribution]: PPM of a million values are at most Value.
type Quantile struct {
	PPM   int64         // from 0 to 1,000,000
	Value time.Duration // a length, or what a clock gains in a second
}

const (
	// whole is the PPM of all values.
	whole = 1_000_000
	// finer is how many steps a draw distinguishes within one part per million.
	finer = 1 << 20
)

// Always is the distribution of one value.
func Always(value time.Duration) Distribution { return Uniform(value, value) }

// Uniform spreads values evenly between two.
func Uniform(least, most time.Duration) Distribution {
	return Distribution{{0, least}, {whole, most}}
}

// Percentiles is a distribution as dashboards show it: half of the values are
// at most p50, 99 % are at most p99, and so on; the least is 0.
func Percentiles(p50, p90, p99, p999, most time.Duration) Distribution {
	return Distribution{{0, 0}, {500_000, p50}, {900_000, p90}, {990_000, p99}, {999_000, p999}, {whole, most}}
}

// TypicalStalls is how long a process stands still, once it does so noticeably.
//
// The shape is an assumption of this course. Two of its points come from
// reports: a virtual machine stood still for 188 ms while a snapshot of it was
// taken (virten.net, 2015, "How long are Virtual Machines stunned"), and a
// garbage collection of an HBase region server took 79 s (reported.LongPause).
// Put your own percentiles in its place.
func TypicalStalls() Distribution {
	return Percentiles(200*time.Millisecond, 2*time.Second, 15*time.Second, 60*time.Second, 79*time.Second)
}

// TypicalDelays is by how much a message is late, once it is noticeably late.
//
// The shape is an assumption of this course; its end is a report: at GitHub
// packets were held for about 90 s (cited by Kleppmann, "How to do distributed
// locking", 2016).
func TypicalDelays() Distribution {
	return Percentiles(50*time.Millisecond, 500*time.Millisecond, 5*time.Second, 30*time.Second, 90*time.Second)
}

// SpannerDrift is how much a clock gains or loses in a second, for
// [Study.Clocks]: up to 200 µs either way, the drift that Spanner allows for
// while a machine waits to ask its time masters again (Corbett and others,
// "Spanner", OSDI 2012, section 3). That it is spread evenly is an assumption.
func SpannerDrift() Distribution { return Uniform(-200*time.Microsecond, 200*time.Microsecond) }

// at returns the value below which a share of u / 2^64 of all values lies.
func (d Distribution) at(u uint64) time.Duration {
	share, _ := bits.Mul64(u, whole*finer)
	i := sort.Search(len(d), func(i int) bool { return uint64(d[i].PPM)*finer > share })
	low, high := d[i-1], d[i]
	into := share - uint64(low.PPM)*finer
	// Exact in 128 bits: low + (high - low) · into / width.
	hi, lo := bits.Mul64(uint64(high.Value-low.Value), into)
	part, _ := bits.Div64(hi, lo, uint64(high.PPM-low.PPM)*finer)
	return readable(low.Value + time.Duration(part))
}

// readable drops digits that would only clutter a story: from 1 s on a length
// has whole milliseconds, below whole microseconds. So it is either 0 or no
// shorter than what package fencing takes.
func readable(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Truncate(time.Millisecond)
	}
	return d.Truncate(time.Microsecond)
}

// check reports the first mistake in the table of a field whose values must lie
// between two.
func (d Distribution) check(field string, least, most time.Duration) error {
	if d == nil {
		return nil
	}
	const hint = "sample.Uniform(time.Second, 5*time.Second)"
	switch {
	case len(d) < 2:
		return fmt.Errorf("%s is a table of %d rows: give at least a first row with PPM 0 and a last one with PPM 1000000, for example %s, or leave it out", field, len(d), hint)
	case d[0].PPM != 0 || d[len(d)-1].PPM != whole:
		return fmt.Errorf("%s goes from PPM %d to PPM %d: let its first row have 0 and its last 1000000, for example %s", field, d[0].PPM, d[len(d)-1].PPM, hint)
	}
	for i, q := range d {
		if q.Value < least || q.Value > most {
			return fmt.Errorf("%s has the value %s: give values from %s to %s", field, q.Value, least, most)
		}
		if i > 0 && (q.PPM < d[i-1].PPM || q.Value < d[i-1].Value) {
			return fmt.Errorf("%s falls from row %d to row %d: let PPM and Value rise, or stay, from row to row", field, i, i+1)
		}
	}
	return nil
}

// String says the distribution in a few words: "0.1 s to 79 s, half of them up to 0.2 s".
func (d Distribution) String() string {
	if len(d) < 2 {
		return "none"
	}
	least, most := d[0].Value, d[len(d)-1].Value
	if least == most {
		return fencing.Seconds(least)
	}
	return fmt.Sprintf("%s to %s, half of them up to %s", fencing.Seconds(least), fencing.Seconds(most), fencing.Seconds(d.at(1<<63)))
}
