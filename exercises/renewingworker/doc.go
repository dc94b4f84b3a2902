// Package renewingworker is the exercise of lesson 05: the learner writes a worker
// that renews its lease by hand, and stops when the lease may be over.
//
// # The task
//
// A job has many parts and takes longer than a lease. Every part is some work and
// then a write. The worker has to renew on the way, with no more renewals than the
// job allows, and it keeps its own deadline: the client that it runs on counts one
// from the reply, a mistake that makes Holds and Lease.Until say yes for too long.
// It stops when a renewal is refused, when a write is fenced, and when its deadline
// is past; a renewal that is not answered is none of these.
//
// # What a right answer shows
//
// That the deadline counts from before the request was sent, for a grant and for a
// renewal. That a time-out neither prolongs a lease nor ends it. That a renewal is
// early enough if there is time to try again. That the look at the deadline belongs
// right before the write. That a worker which was told of its loss starts nothing
// more. That with all this the job still gets done.
//
// # How it is defended against a wrong understanding
//
// Lease, parts and tokens are drawn anew. The answer runs undisturbed first, and
// the faults are then aimed at every part and at its first renewals, wherever its
// own schedule puts them. The true deadline is computed from the trace, and every
// write that is begun after it is found. In the world with the slow reply the client
// stands still between the arrival of the reply and the look at it, so that what is
// counted from the reply is wrong by half a lease; no renewal gets through after it,
// so that it shows. The wrong answers that are known stand in wrong_test.go, each
// with the check that stops it.
package renewingworker
