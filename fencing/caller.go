package fencing

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// This file finds a client's method that is called by a goroutine which the
// client's function began: such a goroutine runs beside the simulator, whenever
// the machine likes.

// A place is where a goroutine's stack is, in units of 16 bytes and without its
// highest bits.
const placeBits = 30

func place() uint64 {
	var here byte
	return uint64(uintptr(unsafe.Pointer(&here))>>4) & (1<<placeBits - 1)
}

// isNear reports whether two places are so near that they are on one stack: the
// runtime gives a goroutine another stack before less than 800 bytes are left.
func isNear(a, b uint64) bool {
	const near = 768 / 16
	return (a-b+near)&(1<<placeBits-1) < 2*near
}

// isCoroutine reports whether the caller's goroutine is one of the simulator's
// coroutines, by what has been called on its stack. That takes a microsecond or
// more.
func isCoroutine() bool {
	callers := make([]uintptr, 64)
	for skip := 0; ; skip += len(callers) {
		n := runtime.Callers(skip, callers)
		for frames := runtime.CallersFrames(callers[:n]); ; {
			frame, more := frames.Next()
			if frame.Function == "fencingtokens/fencing.(*coroutine).run" {
				return true
			}
			if !more {
				break
			}
		}
		if n < len(callers) {
			return false
		}
	}
}

// intrude ends the goroutine that has called a method of the client without
// being the client's, and leaves word for the run's error. When the world does
// not run there is nobody to report to, and it panics.
func (c *Client) intrude() {
	caller := make([]uintptr, 1)
	runtime.Callers(3, caller)
	method, _ := runtime.CallersFrames(caller).Next()
	what := fmt.Sprintf("%s’s method %s was called", c.name, method.Function[strings.LastIndex(method.Function, ".")+1:])
	const advice = ": call it in the function that world.Client was given, and not behind go; what is to happen beside it can be c.KeepAlive, or a client of its own"
	g := c.world.gate
	g.intruder.CompareAndSwap(nil, &intruder{c.name, what + " by a goroutine that is not the client’s" + advice})
	if g.word.Load()&states == idle {
		panic("fencing: " + what + " while its world did not run" + advice)
	}
	runtime.Goexit()
}

// intruder is what a goroutine that is no client's has left behind.
type intruder struct{ client, text string }
