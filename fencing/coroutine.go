package fencing

import (
	"iter"
	"runtime"
	"runtime/debug"
)

// A coroutine runs a client's function until it parks, and goes on from there
// when resumed. Exactly one of the simulator's loop and its coroutines runs at
// any instant, which is what makes a run repeatable.
//
// It ends in one of four ways: its function returns, panics, ends its goroutine
// (runtime.Goexit, as testify's FailNow does), or is stopped from outside.
// A Goexit inside an iterator is raised again in whoever resumes it. So that
// this is never the simulator's loop, the coroutine yields one last time while
// it exits, and a goroutine made for the purpose collects the exit.
//
// A coroutine whose function has returned waits for another one, because to make
// one takes longer than most functions run.
type coroutine struct {
	next  func() (struct{}, bool)
	halt  func() // ends a coroutine that waits for a function
	yield func(struct{}) bool
	body  func()

	done      bool
	returned  bool
	exited    bool
	stopping  bool
	unwinding bool
	unwinds   int
	panicked  any
	stack     []byte
}

// coroutine returns one that will run the function.
func (w *World) coroutine(body func()) *coroutine {
	if n := len(w.idle) - 1; n >= 0 {
		co := w.idle[n]
		w.idle = w.idle[:n]
		*co = coroutine{next: co.next, halt: co.halt, yield: co.yield, body: body}
		return co
	}
	co := &coroutine{body: body}
	co.next, co.halt = iter.Pull(func(yield func(struct{}) bool) {
		co.yield = yield
		for co.run(); yield(struct{}{}); {
			co.run()
		}
	})
	return co
}

// giveBack keeps a coroutine whose function is over for another one, unless its
// goroutine has ended with it.
func (w *World) giveBack(co *coroutine) {
	if !co.exited {
		w.idle = append(w.idle, co)
	}
}

func (co *coroutine) run() {
	defer co.end()
	co.body()
	co.returned = true
}

// resume runs the coroutine until it parks or ends.
func (co *coroutine) resume() { co.next() }

// collect is for a coroutine that has ended: its goroutine may be ending too.
func (co *coroutine) collect() {
	if co.exited {
		elsewhere(co.halt)
	}
}

// park hands over to whoever resumed the coroutine, and reports whether it may
// go on. If not, it is to leave.
//
// It has one call and no more, so that the compiler puts it into its caller:
// after a switch the processor expects none of the returns that come then, and
// each takes several times as long as any other.
func (co *coroutine) park() (goesOn bool) {
	return co.yield(struct{}{}) && !co.unwinding
}

// leave ends a coroutine that was stopped or is to be unrolled. A recover in the
// client's function cannot hold up the first, as it could a panic.
func (co *coroutine) leave() {
	if !co.unwinding {
		runtime.Goexit()
	}
	co.unwind()
}

// stop ends a parked coroutine. The functions its client deferred are run.
func (co *coroutine) stop() {
	co.stopping, co.exited = true, true
	elsewhere(co.halt)
}

// unroll ends a parked coroutine by a panic, so that it can be used again, which
// is worth it where there are many runs. If the client's function recovers and
// goes on, again and again, the coroutine is stopped all the same.
func (co *coroutine) unroll() {
	co.stopping, co.unwinding = true, true
	co.next()
	if !co.done {
		co.stop()
	}
}

// unwound is the value of the panic by which a coroutine is unrolled.
type unwound struct{}

func (unwound) String() string {
	return "fencing: the client is gone, and this is how its function ends"
}

func (co *coroutine) unwind() {
	const patience = 10
	if co.unwinds++; co.unwinds > patience {
		co.yield(struct{}{}) // to be stopped
		runtime.Goexit()
	}
	panic(unwound{})
}

func (co *coroutine) end() {
	if r := recover(); r != nil && !co.stopping {
		co.panicked, co.stack = r, debug.Stack()
	}
	co.done = true
	if !co.returned && !co.stopping {
		// A panic too may have come while the goroutine was ending.
		co.exited = true
		co.yield(struct{}{})
	}
}

// elsewhere runs f, which may end its goroutine, in a goroutine of its own and
// waits for its end.
func elsewhere(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}
