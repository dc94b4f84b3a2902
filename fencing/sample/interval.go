package sample

import (
	"math"
	"slices"
	"time"
)

// z is how many standard deviations hold 95 % of a normal distribution.
const z = 1.959964

// Rate is in how many runs something happened. The run is the unit, because
// runs are independent of one another and the jobs of one run are not.
type Rate struct {
	Runs  int // in how many runs it happened
	Of    int // of how many
	Times int // how often it happened in all of them together
	First int // number of the first run in which it happened, for [Study.Trace]; 0 if in none
}

func (r *Rate) add(run, times int) {
	r.Of++
	if times == 0 {
		return
	}
	r.Runs++
	r.Times += times
	if r.First == 0 {
		r.First = run
	}
}

// Share returns the share of runs in which it happened, from 0 to 1.
func (r Rate) Share() float64 {
	if r.Of == 0 {
		return 0
	}
	return float64(r.Runs) / float64(r.Of)
}

// Interval returns the ends of a 95 % confidence interval for the share: the
// score interval of E. B. Wilson ("Probable inference, the law of succession,
// and statistical inference", 1927), which Brown, Cai and DasGupta recommend
// ("Interval estimation for a binomial proportion", 2001). It is right for rare
// things too: after 0 of 1,000 runs its upper end is 0.4 %, not 0.
func (r Rate) Interval() (low, high float64) {
	return wilson(r.Share(), r.Of)
}

func wilson(share float64, of int) (low, high float64) {
	if of == 0 {
		return 0, 1
	}
	n := float64(of)
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	low, high = max(0, middle-half), min(1, middle+half)
	// Exact at the ends, where the formula is so but for rounding.
	switch share {
	case 0:
		low = 0
	case 1:
		high = 1
	}
	return low, high
}

// Lengths holds how long something took, each time that it was seen.
type Lengths struct{ rising []time.Duration }

// Count returns how often it was seen.
func (l Lengths) Count() int { return len(l.rising) }

// Length is an estimate of a quantile, with the ends of its 95 % confidence
// interval. With too few values there is no interval, and TooFew is true.
type Length struct {
	Value, Low, High time.Duration // the estimate, and the ends
	TooFew           bool          // Low and High say nothing
}

// Median returns the length that half of them do not exceed.
func (l Lengths) Median() Length { return l.Quantile(whole / 2) }

// P99 returns the length that 99 % of them do not exceed. Its interval needs
// about 370 values.
func (l Lengths) P99() Length { return l.Quantile(990_000) }

// Quantile returns the length that ppm of a million do not exceed. The interval
// is between two of the values seen, whatever their distribution: how many of n
// values do not exceed the quantile q is binomial (G. J. Hahn and W. Q. Meeker,
// "Statistical intervals", 1991), and with the normal distribution in its place
// the ranks are n·q ± 1.96·√(n·q·(1-q)), here rounded up. A ppm below 0 is taken
// for 0, one above a million for a million.
func (l Lengths) Quantile(ppm int64) Length {
	count := len(l.rising)
	if count == 0 {
		return Length{TooFew: true}
	}
	ppm = min(max(ppm, 0), whole)
	n, q := float64(count), float64(ppm)/whole
	half := z * math.Sqrt(n*q*(1-q))
	low, high := int(math.Ceil(n*q-half)), int(math.Ceil(n*q+half))
	rank := (int64(count)*ppm + whole - 1) / whole
	estimate := Length{Value: l.rising[max(rank, 1)-1]}
	if low < 1 || high > count {
		estimate.TooFew = true
		return estimate
	}
	estimate.Low, estimate.High = l.rising[low-1], l.rising[high-1]
	return estimate
}

func (l *Lengths) add(d ...time.Duration) { l.rising = append(l.rising, d...) }
func (l *Lengths) sort()                  { slices.Sort(l.rising) }
