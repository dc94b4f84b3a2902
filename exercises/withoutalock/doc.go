// Package withoutalock is an exercise of lesson 10: the learner settles an
// account's period once, without any lock, by a constraint or a conditional write.
//
// # The task
//
// Settle writes a settlement and adds its cents to the account's balance, unless
// that is done already. It returns nil if it is done, by this call or by another,
// and an error if its caller shall call again. The learner also says what the
// table of settlements shall refuse: a unique constraint, or nothing, for those
// who compare a version.
//
// # What a right answer shows
//
// That "once" can be kept by the database alone, with no lease, clock or token.
// That the job needs a name which is there before it begins. That a duplicate is
// success. That the mark "it is done" and what is done are one transaction, so
// that a retry after a lost reply finds both or neither. That with a version what
// is read first decides: a version that is read after the look says nothing about
// the look.
//
// # How it is defended against a wrong understanding
//
// The same function runs as two workers: the second makes its whole call before
// every single step of the first, for the same job and for another period of the
// same account. Then the world breaks at every step: the worker crashes, the
// connection breaks before the step, or after it with the reply lost; a healthy
// worker calls until it is told nil. Accounts, periods and amounts are drawn, and
// the account has a balance from before. Only rows and balances are judged, so
// that every way that keeps the sentence passes. Transactions are READ COMMITTED
// (see exercises/internal/database), since SQLite's own would forgive a look
// before the write.
//
// Two workers of one check share the memory of one process, so a mutex in a
// package variable makes the second wait for ever, and that is what is reported.
package withoutalock
