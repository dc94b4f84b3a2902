// Package leaselength is the second exercise of lesson 08: the learner chooses the
// length of a lease from what was measured.
//
// # The task
//
// The learner writes a function from measurements (pauses by percentile, the round
// trip, how often a holder renews and how many renewals in a row may be lost, how
// far clocks run apart, and within what time somebody must take over after a crash)
// to a length, or to the answer that there is none.
//
// # What a right answer shows
//
// That a lease is bounded from two sides: it must be long enough that healthy
// holders keep it, at the pauses that are seen and not at the longest one ever, and
// short enough for the take-over that is wanted. That round trip and drift count on
// both sides. And that sometimes the two do not meet. Nothing here is about
// safety: a pause beyond the p99.9 still comes, and then only a fence helps.
//
// # How it is defended against a wrong understanding
//
// A length is not compared with a formula: it is run (world.go), with the slowest
// that was measured in the worst order, and with a crash at the worst moment. The
// numbers are drawn; in some worlds no length will do, and there the sides miss each
// other by less than any part of the sum, so whoever leaves out one part finds a
// length there and sees it fail. Who says that there is none is shown a run with one.
// Any length between the two sides is right. The wrong answers stand in
// wrong_test.go, each with the check that stops it.
package leaselength
