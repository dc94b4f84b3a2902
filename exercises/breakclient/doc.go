// Package breakclient is the exercise of lesson 03: the learner breaks four
// careful clients, each with one fault of the world.
//
// # The task
//
// Client 1 has a precaution against writing when its lease is over: it looks at
// its clock before the write; it looks twice; it renews and writes only if the
// renewal was granted; it looks and wants a margin besides. Client 2 runs the same
// program and waits for the lock. The storage does not look at tokens. For every
// precaution the learner hands in one fault that lets client 1 overwrite client 2's
// data all the same. What the world may do is another thing each time: a pause of
// client 1, one of its messages, a message between it and the lock service, a clock.
//
// # What a right answer shows
//
// That each precaution makes the gap before the write smaller and none closes it.
// That a second look is no better than the first. That a renewal which was granted
// says what was true when the lock service answered. That a margin is counted on
// one clock and the lease on another. That nobody has to stand still. That none of
// these faults harms the same client if the storage checks tokens.
//
// # How it is defended against a wrong understanding
//
// The answer is a function, asked for three worlds of every precaution; their leases
// differ by more than the room of the budget, so that no fixed length fits. The
// violation must be in the trace: a write of client 1 that the storage accepted
// after client 2's, with the lower token. A fault that never happens is an error. The
// twin, the same client under the same fault with a storage that checks tokens, must
// survive: client 2's data stays and both clients come to an end, so a crash does
// not pass. A fault of a kind that this precaution is not up against is stopped by
// the last check, with what it shows. The wrong answers that are known stand in
// wrong_test.go, each with the check that stops it.
package breakclient
