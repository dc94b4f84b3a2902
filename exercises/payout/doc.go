// Package payout is an exercise of lesson 10: an effect outside the storage, which
// no fence can refuse.
//
// # The task
//
// The holder of an account's lock settles a payout: the account's balance goes
// down, and a bank pays. The bank knows no tokens; it knows idempotency keys. The
// learner writes two functions. Settle is called by the holder, and again when
// nobody knows what became of it. Send is called by whoever sends what is to be
// sent, and again likewise. Each payout is to be made once.
//
// # What a right answer shows
//
// That an effect outside is not done by the one who decides it: what is to be paid
// is a row, an outbox, in the same transaction as the fenced write. That the
// sender pays first and marks afterwards, since a payout made twice with one key
// is made once, and one that is marked and not made is lost. That the key belongs
// to the payout: not to the try, the holder or the account.
//
// # How it is defended against a wrong understanding
//
// The bank's calls are steps like the statements. At every step of either function
// the worker crashes, the connection breaks before it, or after it with the reply
// lost, and healthy workers take over, the next holder with a higher token among
// them; and a newer and an older holder settle another payout before each step.
// What the bank has paid, by what keys, and what the balance says decides;
// how the outbox is used is free. A bank that is asked with a known key for
// another payout refuses, as real ones do. Accounts, amounts and tokens are drawn.
package payout
