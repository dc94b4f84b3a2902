// Package placethepause is the exercise of lesson 02: the learner places a pause
// so that client 1's write is stale, and says beforehand which write it will be.
//
// # The task
//
// Two clients run the worker of the lesson against a storage without fencing:
// acquire, work, write, work 5 s, release. Client 1 asks for the lock at
// world.Start and gets it at once; client 2 asks 1 s later and waits. The lesson's
// numbers do not fit here: the answer is a function of the world, and is asked for
// three of them, with other leases, other work and other tokens. It returns one
// pause, at most 2 s longer than the lease, and a prediction: whose write will be
// stale, and when it will arrive at the storage.
//
// # What a right answer shows
//
// That a pause hurts between the grant and the write, and nowhere else. That the
// lease running out is not enough: the write is stale only when client 2, granted
// the lock at the lease's end, has worked and written before it. (Both do the same
// work, so the pause must be longer than the whole lease, and not only than what
// is left of it.) That the moment of waking is not the moment of writing. That
// the same fault does no harm to the same program if the storage checks tokens.
//
// # How it is defended against a wrong understanding
//
// The leases of the three worlds differ by more than the room that the budget
// leaves, so that no fixed pause fits two of them, and a pause of an hour fits
// none. A pause that is longer than the rest of the lease and shorter than the
// lease is the trap: its write is late and not stale. The prediction must name
// the write to the second, and what it was taken for is said only if that holds in
// all three worlds, since one number may fit by chance. The twin, the same program with fencing on, must
// survive: client 2's data stays, and both clients come to an end, so faults that
// would break every program do not pass. The wrong answers that are known stand
// in wrong_test.go, each with the check that stops it.
package placethepause
