// Package whichtoken is the second exercise of lesson 06: the learner says which
// number of a real system is a fencing token.
//
// # The task
//
// Four systems, each with the numbers that it shows to a client that holds its
// lock: etcd, ZooKeeper, a Redis with a replica, and a lock table in a database.
// For each of them the learner names the one number that a storage can check, or
// says that there is none.
//
// # What a right answer shows
//
// That a token rises with every grant of the lock, also across fail-overs and
// deleted nodes; that it is the number of one's own grant, and not the newest one
// that one has heard of; that it stays what it is while one holds the lock; and
// that a random value has no order, so a check that lets only rising numbers in
// is of no use with it.
//
// # How it is defended against a wrong understanding
//
// An answer is not compared with a key. Every choice is run: three clients hold
// the lock one after the other, the first is paused in the middle and writes again
// too late, and a storage lets in what is not lower than the highest number so
// far. What differs between the choices is the number that comes with each write,
// by a model of how the system counts (models.go, with the sources). A token gets
// three writes accepted and one rejected; every other number either lets the late
// write in or locks out a rightful holder, and the finding shows that run. The
// numbers themselves are drawn anew every time. A choice among a few can be found
// by trying all: then the learner has read why each of the others fails. The wrong
// answers stand in wrong_test.go, each with the check that stops it.
package whichtoken
