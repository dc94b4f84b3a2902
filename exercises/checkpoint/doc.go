// Package checkpoint is the third exercise of lesson 07: the learner writes a
// worker whose job takes long, and which may lose its lease in the middle.
//
// # The task
//
// A batch has some items, to be done one after the other. Whoever holds the lock
// works on it. A holder may crash, pause or lose an answer at any moment; the next
// one takes over. So the worker writes down how far it is, with its token, after
// every item, begins where the committed progress ends, and stops when it is told
// that somebody newer is at work.
//
// # What a right answer shows
//
// That the next holder learns what is committed from the storage, by a claim, and
// from nothing else: not from the first item, not from what the old holder had
// planned or done without committing it. That an item is counted after it is done.
// That a holder which is refused leaves everything as it is: what it would clean
// up is another's by now. That a time-out is no answer: neither written nor not
// written. That one item may be done twice, the one that was under way.
//
// # How it is defended against a wrong understanding
//
// The batch, its size, the lease and the tokens are drawn anew for every run. The
// first holder crashes before, in and after an item and a checkpoint, is paused at
// the same places, its late checkpoint is made to arrive in every gap of the next
// holder (package trial), and its checkpoint's request or reply is lost or late.
// In all these runs every item that anybody begins must be the first that is not
// committed at that moment; only somebody who has lost the lease and was not told
// yet may be wrong about it. A mistake is named only if the run proves it. The
// wrong answers that are known stand in wrong_test.go, each with the check that
// stops it.
package checkpoint
