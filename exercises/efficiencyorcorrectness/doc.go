// Package efficiencyorcorrectness is the first exercise of lesson 08: the learner
// says what a lock is for, and what guards a job enough.
//
// # The task
//
// The learner writes a function from the description of a job to a choice: whether
// keeping two workers apart is for efficiency or for correctness, and which of
// three guards the job needs: a lock with a lease, a fence at the storage (claimed
// first), a key that lets an effect on the world outside happen once.
//
// # What a right answer shows
//
// That the question belongs to the job and not to the lock: what happens if two do
// it at once? That a lease saves work and does not keep data; that a fence keeps
// data and does not hold back an effect outside; that a key does, and keeps no
// data; and that a lock which costs more than the work it saves is none at all.
//
// # How it is defended against a wrong understanding
//
// No choice is compared with a key: each is run (world.go), on an ordinary day and
// with the first worker stalled for longer than its lease between its effect and
// its write. Too little is refuted by the run in which data is lost or an effect
// had twice; too much, by the run in which the same job comes out as well with
// less. There are jobs of every kind, their numbers are drawn, and their names and
// their order say nothing: a ledger may be summed anew, and a report may be added
// to. The wrong answers stand in wrong_test.go, each with the check that stops it.
package efficiencyorcorrectness
