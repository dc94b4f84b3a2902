// Package claimfirst is the first exercise of lesson 07: the learner writes a
// worker that reads, changes and writes back, and closes the hole with a claim.
//
// # The task
//
// Several clients add a line to one record, with the learner's function: get the
// lock, look at the record, let job.Add make the new text (which takes time),
// write it, give the lock back. The storage checks tokens as lesson 06 taught, and
// still loses lines if the worker only reads: a late write of the former holder is
// accepted until the fence knows of the new one. So the worker has to claim: raise
// the fence and read, in one step, before it computes anything.
//
// # What a right answer shows
//
// That the look must raise the fence; that it must be the same step, since
// between a read and a claim there is a hole too; that what is written is what the
// claim returned and not something older; that the token is the one of the
// worker's own lease; that a worker whose claim or write is refused stops, with an
// error, and takes no other token to get past.
//
// # How it is defended against a wrong understanding
//
// Leases, work, latency, tokens, records and lines are drawn anew for every run.
// The late write does not come at one fixed time: the function is run once to see
// when the second holder looks and writes, and then the first holder's write is
// made to arrive at every moment between, once by a pause and once by a delay
// (package trial). What is judged is the record: every line whose write was accepted
// must be in it, once. Comparing versions (WriteIf) loses no line either, but lets
// the late writer in and makes the rightful holder do its work again: that is said,
// and does not pass. Four clients at two records find a worker that
// knows one record's name or keeps the token of its first grant. A mistake is named
// only if the run proves it. The wrong answers that are known stand in
// wrong_test.go, each with the check that stops it.
package claimfirst
