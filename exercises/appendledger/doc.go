// Package appendledger is an exercise of lesson 10: the learner guards data that
// is appended, in one transaction of a real database.
//
// # The task
//
// A ledger has entries that nobody changes any more. Each has the balance after
// it, so whoever appends one reads first. A row of the account holds its fence.
// Append adds an entry to an account's ledger, if no newer holder of the account's
// lock has been there, and returns an error and changes nothing otherwise.
//
// # What a right answer shows
//
// That there is no row to put a fence into when data is appended, so that a row
// beside it must be raised in the same transaction: a condition on that row, one
// row or roll back. That the number of rows is the database's answer, and an
// UPDATE that changes none is no error. That raising the fence comes before
// reading: it is the claim of lesson 07, and locks the row until the commit.
//
// # How it is defended against a wrong understanding
//
// Accounts, balances and tokens are drawn anew for every run. Transactions are
// READ COMMITTED (see exercises/internal/database), because SQLite's own would
// forgive a SELECT followed by an UPDATE. Another holder's entry comes in before
// every single step that the answer makes, once a newer holder's and once an older
// one's; so what is not one step, or is read too early, is found wherever it
// stands. The simulator's paused client goes through the learner's function too.
// What an entry was refused for, or let in by, is told from the rows that are
// there afterwards.
//
// One order of statements is let through though it is right in SQLite only: an
// INSERT that computes the balance itself, then the fence, then the roll-back.
// SQLite lets nobody write between two statements of such a transaction.
package appendledger
