// Package fencedwrite is the exercise of lesson 06: the learner writes the
// storage's check, as a Go type.
//
// # The task
//
// Client 1 was paused, its lease ended, client 2 holds the lock and has written.
// Now client 1 wakes and writes. The lock service cannot stop it, and client 1
// itself does not know. The storage can: it remembers for every key the highest
// token that it has accepted, the key's fence, and rejects what is lower. Write
// that storage: Write stores a value or returns an error that wraps
// fencing.ErrFenced and changes nothing; Read returns the value.
//
// # What a right answer shows
//
// That one comparison and one remembered number per key are enough. That the
// comparison lets an equal token pass, because the holder may write twice, and a
// higher one by however much, because not every grant leads to a write. That a
// rejected write leaves no mark. That the fence belongs to the key, not to the
// storage, the writer or the value, and is never forgotten.
//
// # How it is defended against a wrong understanding
//
// Keys and tokens are drawn anew for every run, with gaps between the tokens, and
// one of them needs more than 32 bits: an answer that knows 33 and 34, counts up
// by one or cuts the number off does not pass. Each rule has a check of its own on
// a storage and keys of its own, so that one mistake does not hide another. A
// rejected write is followed by a token between it and the fence, which finds a
// fence that was lowered; a key is asked again after many others, which finds a
// fence that was forgotten. The last check puts the storage into the simulator,
// under the same pause that the lesson showed, and reads after every write, since
// the simulator believes what Write answers. A mistake is named only if it is
// proven, by the value that was read or by a write that tries it out on a fresh
// key; a check that needs what another one looks at says so and is not run. The wrong answers that are
// known stand in wrong_test.go, each with the check that stops it.
package fencedwrite
