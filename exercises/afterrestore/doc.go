// Package afterrestore is the exercise of lesson 09: a lock service is restored
// from a backup, and the learner says with which token it begins again.
//
// # The task
//
// A lock service counts its grants. It died, and was restored from a backup that is
// older than its last grants. The learner gets what is known then: the counter in
// the backup, the fences of the storages that could be asked, and how often the
// service has been restored, a number that somebody keeps outside the backup. Next
// returns the first token to grant. From there on the service counts up by one.
//
// # What a right answer shows
//
// That a token which begins again lower than a fence locks the rightful holder out.
// That a token which was granted before and is granted again makes two holders one
// for the storage, also if no storage has seen it yet: its write may still be on its
// way. That no number in the backup and no fence tells of such a grant, so something
// else has to rise: a generation, in front of the counter.
//
// # How it is defended against a wrong understanding
//
// Counters, fences and generations are drawn anew for every run. In each world a
// client still holds a token that was granted after the backup, and writes late. The
// answer runs in the simulator: what is shown is the storage that rejects the new
// holder, or takes the old one's write. Next is asked twice for the same world and
// for the restore after it. The wrong answers that are known stand in wrong_test.go,
// each with the check that stops it.
package afterrestore
