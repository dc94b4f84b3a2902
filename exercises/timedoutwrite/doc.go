// Package timedoutwrite is the exercise of lesson 04: the learner writes what a
// worker does when its write has timed out.
//
// # The task
//
// A holder saves three values, one after another, to one key, under one lease. Its
// writes carry its token, and the storage checks it. Any write may time out. Save
// stores one value and returns what it knows: fencing.OK if the storage has taken
// the value, fencing.Fail if it never will, fencing.Unknown if nobody can tell. As
// long as its lease runs it has to find out and not to give up. And the learner
// chooses whether the storage numbers the writes of a grant.
//
// # What a right answer shows
//
// That "timed out" is neither "not written" nor "written". That a read which does
// not find the value says nothing of a request still under way. That the same value
// may be sent again, and that the first request may then arrive after the next
// value with an equal token: a number within the grant, or the version, is what
// keeps it out. That a rejection is an answer and the end, and says nothing of an
// earlier request that timed out. That sending again ends with the lease.
//
// # How it is defended against a wrong understanding
//
// To the client the worlds look alike: in one the request was lost, in one the
// reply, in one the request is late. An outcome is compared with what the run's
// trace shows to its very end, so that a guess which fits one world is refuted by
// another. Values, tokens, lease and time-out are drawn anew, and the fault strikes
// each of the writes in turn. A write with a token of another grant, and a write
// sent after the deadline, are looked for in the trace. The choice of numbers has no
// key: a wrong one shows as a value undone. The wrong answers that are known stand
// in wrong_test.go, each with the check that stops it.
package timedoutwrite
