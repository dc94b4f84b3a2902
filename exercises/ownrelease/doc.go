// Package ownrelease is the exercise of lesson 01: the learner writes the lock
// service's release, on a small key-value store.
//
// # The task
//
// A lock is one key of a store: under its name stands the grant, with the client,
// the token and the end of the lease. A holder that has done its work gives the
// lock back. Its request may be late, and it may be a retry of one that was
// carried out already: by then the lock may be free, or somebody else's. Write
// Release so that it frees the caller's own grant and nothing else. It returns nil
// if it freed the lock, and fencing.ErrLeaseLost if it did not, whether the lock
// is another's by then or free: in both cases the caller's lease had ended.
//
// # What a right answer shows
//
// That a release by name frees somebody else's lock. That the owner must be
// compared, and that the owner is a grant and not a client: the same client may
// hold the lock again. That comparing and deleting must be one step. That what a
// renewal changes is not the grant's identity. That a caller who freed nothing
// must be told.
//
// # How it is defended against a wrong understanding
//
// Names, tokens and times are drawn anew for every run. A second lock has the same
// token, so that a release of another lock shows. The lock changes hands after
// each of the requests that the answer makes, however many these are, once to
// another client and once to the same: what looks first and deletes afterwards is
// found out wherever it looks. A mistake is named by the requests that the answer
// made. What a release does to the next holder is shown in the simulator, where a
// third client then enters. The wrong answers that are known stand in
// wrong_test.go, each with the check that stops it.
package ownrelease
