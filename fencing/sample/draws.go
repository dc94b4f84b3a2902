package sample

import (
	"math/bits"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// Draws is the chance of one run. Every draw has a label, and the same label in
// the same run draws the same value, whatever was drawn before: so a run with
// fencing on meets the same pauses as that run with fencing off, and a change
// in one place moves nothing elsewhere.
type Draws struct{ seed uint64 }

// Length draws from a distribution; from nil it draws 0.
func (d Draws) Length(label string, from Distribution) time.Duration {
	if len(from) == 0 {
		return 0
	}
	return from.at(d.number(label))
}

// Below draws one of the numbers from 0 to n-1, each with the same chance.
func (d Draws) Below(label string, n int) int {
	if n <= 0 {
		return 0
	}
	number, _ := bits.Mul64(d.number(label), uint64(n))
	return int(number)
}

// Chance is true in ppm of a million draws.
func (d Draws) Chance(label string, ppm int64) bool { return happens(d.number(label), ppm) }

func happens(u uint64, ppm int64) bool {
	share, _ := bits.Mul64(u, whole)
	return int64(share) < ppm
}

func (d Draws) number(label string) uint64 { return mix(d.seed ^ hash(label)) }

// drawsOf returns the chance of a run: a hash of the seed and the run's number,
// so that it does not matter which core runs it, or when.
func drawsOf(seed uint64, run int) Draws {
	return Draws{mix(mix(seed) + uint64(run))}
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix is one step of SplitMix64 (Sebastiano Vigna, splitmix64.c, 2015, after
// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// chooser lets the distributions of a study strike at a run's points.
type chooser struct {
	study *Study
	draws Draws
}

// Choose draws what happens at one point of one client.
func (c chooser) Choose(l fencing.Label) fencing.Choice {
	// Three numbers from one label: whether, how long, and whether it crashes.
	u := mix(c.draws.number(l.Client) ^ uint64(l.Point)<<40 ^ uint64(l.Nth))
	s := c.study
	if l.Point.Message() {
		return struck(fencing.DelayIt, s.Delays, s.DelayPPM, s.Messages, l.Point, u)
	}
	if s.CrashPPM > 0 && among(s.Points, l.Point) && happens(mix(u+2), s.CrashPPM) {
		return fencing.Choice{Action: fencing.CrashIt}
	}
	return struck(fencing.PauseIt, s.Pauses, s.PausePPM, s.Points, l.Point, u)
}

// struck is a pause or a delay, if chance has it.
func struck(action fencing.Action, lengths Distribution, ppm int64, at []fencing.Point, p fencing.Point, u uint64) fencing.Choice {
	if lengths == nil || !among(at, p) || !happens(mix(u), ppm) {
		return fencing.Choice{}
	}
	length := lengths.at(mix(u + 1))
	if length == 0 {
		return fencing.Choice{}
	}
	return fencing.Choice{Action: action, For: length}
}

// among reports whether p is one of the points; none given are all.
func among(points []fencing.Point, p fencing.Point) bool {
	return len(points) == 0 || slices.Contains(points, p)
}
