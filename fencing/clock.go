package fencing

import "time"

// clock is an actor's own clock. It may be off, run fast or slow, jump, and
// stand still; true time does none of these.
type clock struct {
	since time.Duration // true time of its last change
	read  time.Duration // what it read then
	ppm   int64         // how much faster it runs than true time, in parts per million
	stops int           // how many things keep it from running
}

const million = 1_000_000

// at returns what the clock reads at a true time.
func (c clock) at(now time.Duration) time.Duration {
	if c.stops > 0 {
		return c.read
	}
	d := int64(now - c.since)
	// Split, so that the product does not overflow. The rest of a slow clock
	// is rounded down as well, so that no reading comes early.
	rest := d % million * c.ppm
	if rest < 0 {
		rest -= million - 1
	}
	return c.read + time.Duration(d+d/million*c.ppm+rest/million)
}

// when returns the first true time at which the clock reads at least that,
// if nothing changes it before, and the farthest future if it stands still.
func (c clock) when(reading time.Duration) time.Duration {
	if c.stops > 0 && reading > c.read {
		return farthest
	}
	return c.since + stretch(reading-c.read, c.ppm)
}

// stretch returns the true length of a time that a clock of that rate measures
// as d, rounded up.
func stretch(d time.Duration, ppm int64) time.Duration {
	if ppm == 0 || d <= 0 {
		return d
	}
	return stretched(d, ppm)
}

func stretched(d time.Duration, ppm int64) time.Duration {
	speed := million + ppm
	whole, rest := int64(d)/speed, int64(d)%speed
	if whole >= int64(farthest)/million {
		return farthest
	}
	return time.Duration(whole*million + (rest*million+speed-1)/speed)
}

// farthest is later than anything in a run: a run that comes to it ends.
const farthest = 1000 * Longest

func (c *clock) jump(now, by time.Duration) {
	c.read, c.since = c.at(now)+by, now
}

func (c *clock) stop(now time.Duration) {
	c.read, c.since = c.at(now), now
	c.stops++
}

// goOn takes back one stop. The clock runs again when all are taken back.
func (c *clock) goOn(now time.Duration) {
	c.since = now
	c.stops--
}
