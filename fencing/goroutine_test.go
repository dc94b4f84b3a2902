package fencing_test

import (
	"runtime"
	"testing"

	"fencingtokens/fencing"
)

// Crashes at points, restarts, pauses of single threads and runs that end with an
// error all leave coroutines parked somewhere.
func TestNoWorldLeavesAGoroutineBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	k := kind{options: true, declared: harmful, copies: true}
	for seed := range uint64(150) {
		k.world(randomBytes(seed)).Run()
	}
	run(faults(fencing.Crash("client 1", fencing.AfterAcquire), fencing.RestartAt("client 1", s)), func(c *fencing.Client) {
		c.KeepAlive(c.Acquire("report"), s)
		defer func() { recover(); c.Sleep(s) }()
		c.Work(3 * s)
		panic("too much")
	})
	// As in TestNoGoroutineIsLeftBehind: a leak keeps this waiting.
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}
