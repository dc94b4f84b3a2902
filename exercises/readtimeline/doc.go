// Package readtimeline is the exercise of lesson 05: the learner reads timelines.
//
// # The task
//
// A number draws three runs. The learner looks at their timelines and writes down,
// for each, how many writes came late and how many stale, whose data the storage
// holds at the end, and how long both clients believed that they held the lock.
//
// # What a right answer shows
//
// That late and stale are two things: late asks for the writer's lease, stale for
// what the storage has accepted before. That a rejected write changes nothing and
// an accepted one does, however wrong. That belief outlasts the lease, and ends when
// the client learns better; a client that stands still goes on believing.
//
// # How it is defended against a wrong understanding
//
// The runs are drawn from a number that the learner chooses, so that no list of
// answers can be passed on. Among the three there is always one whose late write is
// not stale and one in which a stale write is rejected or accepted. A misreading is
// named if it gives just the answers that the learner gave. The wrong answers that
// are known stand in wrong_test.go, each with the check that stops it.
package readtimeline
