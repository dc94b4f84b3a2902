// Package severalresources is the second exercise of lesson 07: the learner moves
// money between two accounts, each of which has a fence of its own.
//
// # The task
//
// A transfer changes two keys. The learner's function gets what locks it needs,
// looks, lets job.Move compute, writes. And the learner says beforehand whether a
// transfer may be left half done when its client dies in the middle.
//
// There are two right answers. One locks both accounts, always in one order, claims
// both before it writes the first, and sends each its own lock's token: a transfer
// can still be left half done. The other keeps all balances in one record with one
// lock and one fence, and changes it with one write: that cannot be half done.
//
// # What a right answer shows
//
// That a claim of one key says nothing about another; that tokens of two locks
// cannot be mixed; that a claim is worth most before anything is written, because
// it may be refused; that two locks need an order; and that fencing is no
// transaction: what has to change together has to be one write.
//
// # How it is defended against a wrong understanding
//
// Accounts, amounts, leases and tokens are drawn anew for every run, and the locks
// have been granted unequally often, so that one lock's token fails at the other's
// key. Late writes are made to arrive in every gap of the next holder (package
// trial). What is judged is the balances: an account must hold what it began with,
// and every change that was accepted. The prediction is compared with runs of the
// learner's own code, in which client 1 crashes, and pauses, after its first write;
// so neither answer passes with the other's prediction. A mistake is named only if
// the run proves it. The wrong answers that are known stand in wrong_test.go, each
// with the check that stops it.
package severalresources
