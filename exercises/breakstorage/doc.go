// Package breakstorage is the exercise of lesson 11: the learner breaks three
// storages that check tokens, and check them wrongly.
//
// # The task
//
// One storage takes a token only if it equals the fence, one only if it is higher,
// one compares as it should and stores in a second step. Two clients hold the lock
// one after the other. For every storage the learner says which of them writes
// when: at most two writes, each with the token of its writer's own grant.
//
// # What a right answer shows
//
// That a check can fail in two ways. It may let a stale write in, or it may shut a
// rightful holder out; the first loses data, the second stops the work. That
// equality shuts out the next holder and nobody else, and that it takes no fault
// at all to see it. That a check for a higher token shuts out the holder's own
// second write. That two steps let a stale write in only if it comes between the
// check and the storing of a newer one.
//
// # How it is defended against a wrong understanding
//
// The answer is a function, asked for three worlds of every storage; starts, leases
// and gaps differ, so that no fixed times fit all three. A write before its
// writer's grant cannot be made. The violation must be in the trace: a rejection of
// a token that no higher one had come before, or a stale write accepted. A test
// proves that the twin, which compares and stores in one step, takes any two writes
// as it should. The wrong answers that are known stand in wrong_test.go, each with the check that
// stops it.
package breakstorage
