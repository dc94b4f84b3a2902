// Package settlementledger is the exercise of lesson 13, and the last of the
// course: the learner writes the worker that settles accounts.
//
// # The task
//
// A night's jobs are accounts and periods. Several workers go through the same
// jobs. Each of them may pause, die, or lose an answer at any moment, and another
// takes over. Each account and period is settled once, and its payout is made once,
// by a provider that knows a payout by its idempotency key alone.
//
// # What a right answer shows
//
// That the worker begins with a claim, which returns what is committed and keeps
// older holders out from then on. That it writes with the token of its own lease,
// stops when it is refused, and tidies nothing up. That a time-out is neither
// written nor not written. That a payout comes after the commit, under a key that
// belongs to account and period, and is asked for again by whoever finds the
// account settled: the worker that settled it may have died before it paid.
//
// # How it is defended against a wrong understanding
//
// Accounts, periods, tokens, lease and the job that is disturbed are drawn anew for
// every run. Two jobs share an account and two a period, so that a key which leaves
// one of them out loses a payout. A job is handed out again when its account holds
// another settlement too. The later a computation, the more bookings it finds, so
// that a settlement that is replaced is seen. The first worker dies and pauses
// before and after each step, its late write arrives in every gap of the second one
// (package trial), and replies and requests are lost or late. All runs are judged
// by one walk along their events, in walk.go, and a mistake is named only if the
// run proves it. The wrong answers that are known stand in wrong_test.go, each with
// the check that stops it.
package settlementledger
