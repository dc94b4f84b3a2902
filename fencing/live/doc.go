// Package live runs a world's clients on real systems: each client is a process
// of its own, the lock service is a real one, the storage is a database behind a
// wire, a pause is SIGSTOP, a crash is SIGKILL.
package live
