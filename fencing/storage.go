package fencing

import (
	"errors"
	"fmt"
	"strconv"
)

// Checker is a storage of your own, for [Config.Storage]: it decides which
// writes it takes. It is called by the simulator, one call at a time.
type Checker interface {
	// Write stores value under key, or returns an error and changes nothing. A
	// rejection because of the token should wrap [ErrFenced].
	Write(key, value string, token uint64) error
	// Read returns the value under key, "" if there is none.
	Read(key string) string
}

// record is one key of the storage. The truth is kept beside what the storage
// remembers, which a restart can make it forget.
type record struct {
	key     string
	value   string
	version int
	asked   bool // a client has sent a request for it

	fence   uint64 // the highest token accepted or claimed with: the truth
	known   uint64 // the same, as far as the storage remembers
	number  int    // of the last write with the known fence
	claimed uint64 // the token that claimed the key last
	writers hash   // who has changed it to which version, in order, for a fingerprint
}

func (w *World) recordOf(key string) *record {
	for _, r := range w.records {
		if r.key == key {
			return r
		}
	}
	r := again(&w.records)
	*r = record{key: key}
	return r
}

// store handles a request to the storage.
func (w *World) store(m *message) {
	r := w.recordOf(m.key)
	r.asked = true
	switch m.op {
	case OpRead:
		w.storeRead(r, m)
	case OpClaim:
		w.storeClaim(r, m)
	case OpWrite, OpDelete:
		w.storeWrite(r, m)
	}
}

func (w *World) storeRead(r *record, m *message) {
	value := r.value
	if w.config.Storage != nil && !w.consult(func() { value = w.config.Storage.Read(m.key) }) {
		return
	}
	w.record(r.event(Served, m, value, ""))
	w.answer(m, message{value: value, version: r.version})
}

// storeClaim raises the fence and reads, in one step.
func (w *World) storeClaim(r *record, m *message) {
	if w.config.Fencing && m.token < r.known {
		w.reject(r, m, r.tooLow(m.token))
		return
	}
	r.raise(m.token, 0)
	r.claimed = m.token
	w.record(r.event(Claimed, m, r.value, ""))
	w.answer(m, message{token: m.token, value: r.value, version: r.version})
}

func (w *World) storeWrite(r *record, m *message) {
	if w.config.Storage != nil && m.op == OpWrite {
		w.storeInYours(r, m)
		return
	}
	if err := w.checkWrite(r, m); err != nil {
		w.reject(r, m, err)
		return
	}
	if w.config.Fencing && w.config.Check == TwoSteps {
		w.record(r.event(Passed, m, m.value, ""))
		w.messages = append(w.messages, *m)
		w.at(w.now+w.config.CheckGap, second, len(w.messages)-1, 0)
		return
	}
	w.accept(r, m)
}

// storeSecondStep is the write after a check that may be long out of date.
func (w *World) storeSecondStep(m *message) { w.accept(w.recordOf(m.key), m) }

// storeInYours lets a storage of your own decide, and keeps account of it.
func (w *World) storeInYours(r *record, m *message) {
	var err error
	if !w.consult(func() { err = w.config.Storage.Write(m.key, m.value, m.token) }) {
		return
	}
	if err != nil {
		w.reject(r, m, err)
		return
	}
	w.accept(r, m)
}

func (w *World) accept(r *record, m *message) {
	kind := Accepted
	r.value = m.value
	r.version++
	r.writers.add(uint64(m.client.index), m.token, uint64(r.version))
	r.raise(m.token, m.number)
	w.suspect(r, m)
	if m.op == OpDelete {
		kind = Deleted
		r.deleted(w.config.FenceForgotten)
	}
	w.record(r.event(kind, m, m.value, ""))
	w.answer(m, message{token: m.token, value: m.value, version: r.version})
}

// suspect notes what a write that was accepted may have done.
func (w *World) suspect(r *record, m *message) {
	w.stale = w.stale || m.token < r.fence
	w.lost = w.lost || m.base > 0 && r.version > m.base
}

func (w *World) reject(r *record, m *message, err error) {
	w.record(r.event(Rejected, m, m.value, err.Error()))
	w.answer(m, message{token: m.token, version: r.version, err: err})
}

func (w *World) checkWrite(r *record, m *message) error {
	if m.check && m.version != r.version {
		return fmt.Errorf("%w: %q has version %d, and %s", ErrConflict, r.key, r.version, m.seen())
	}
	if !w.config.Fencing {
		return nil
	}
	switch w.config.Check {
	case Higher:
		if r.known != 0 && m.token <= r.known {
			return r.tooLow(m.token)
		}
	case Equal:
		if r.known != 0 && m.token != r.known {
			return fmt.Errorf("%w: %q belongs to token %d, and %d is another", ErrFenced, r.key, r.known, m.token)
		}
	case Version:
		if m.version != r.version {
			return fmt.Errorf("%w: %q has version %d, and %s", ErrConflict, r.key, r.version, m.seen())
		}
	case Owner:
		switch {
		case r.claimed == m.token:
		case r.claimed == 0:
			return fmt.Errorf("%w: the storage knows of no claim of %q, and takes writes of the last to claim alone", ErrFenced, r.key)
		default:
			return fmt.Errorf("%w: %q was claimed with token %d last, and %d is another", ErrFenced, r.key, r.claimed, m.token)
		}
	default:
		if m.token < r.known {
			return r.tooLow(m.token)
		}
		if w.config.NumberedWrites && m.token == r.known && m.number < r.number {
			return fmt.Errorf("%w: %q has accepted write %d of token %d, and this is write %d", ErrFenced, r.key, r.number, m.token, m.number)
		}
	}
	return nil
}

// seen says which version of the key a writer goes by.
func (m *message) seen() string {
	if m.version == 0 && m.base == 0 {
		return "the writer has not read it"
	}
	return fmt.Sprintf("the last that the writer has seen is version %d", m.version)
}

func (r *record) tooLow(token uint64) error {
	relation := "lower"
	if token == r.known {
		relation = "not higher"
	}
	return &refusal{ErrFenced, strconv.Quote(r.key) + " has accepted token " + number(r.known) + ", and " + number(token) + " is " + relation}
}

// raise lifts the fence to a token, never lowers it.
func (r *record) raise(token uint64, number int) {
	r.fence = max(r.fence, token)
	if token > r.known {
		r.known, r.number = token, 0
	}
	if token == r.known {
		r.number = max(r.number, number)
	}
}

func (r *record) forget() { r.known, r.number, r.claimed = 0, 0, 0 }

func (r *record) deleted(forgetFence bool) {
	r.value = ""
	if forgetFence {
		r.forget()
	}
}

// reboot restarts the storage, or a lock node.
func (w *World) reboot(f Fault) {
	w.record(Event{Actor: f.Actor, Kind: Rebooted})
	if f.Actor == ActorStorage {
		for _, r := range w.records {
			if w.config.FenceForgotten {
				r.forget()
			}
		}
		return
	}
	for _, l := range w.locks {
		if l.service.name == f.Actor {
			w.forget(l)
		}
	}
}

// cleanUp deletes a key without asking for a token, as a janitor does.
func (w *World) cleanUp(key string) {
	r := w.recordOf(key)
	r.version++
	r.deleted(w.config.FenceForgotten)
	w.record(Event{Actor: ActorStorage, Kind: Deleted, Key: key, Fence: r.known, Version: r.version, Note: "a clean-up"})
}

func (r *record) event(kind Kind, m *message, value, note string) Event {
	return Event{Actor: ActorStorage, Client: m.client.name, Kind: kind, Op: m.op, Call: m.call, Key: r.key, Token: m.token,
		Fence: r.fence, Value: value, Version: r.version, Number: m.number, Note: note}
}

// consult calls a Checker, which may panic, exit or never come back, and
// reports whether it came back whole.
func (w *World) consult(call func()) bool {
	thread := w.current
	w.current = nil
	co := w.coroutine(call)
	w.gate.open()
	co.resume()
	co.collect()
	w.gate.settle()
	w.current = thread
	w.giveBack(co)
	switch {
	case co.panicked != nil:
		w.record(Event{Actor: ActorStorage, Kind: Panicked, Note: fmt.Sprint(co.panicked) + "\n" + string(co.stack)})
		w.fail(ActorStorage, fmt.Errorf("the storage panicked: %v (%s)", co.panicked, panicPlace(string(co.stack))))
	case co.exited:
		w.record(Event{Actor: ActorStorage, Kind: Exited})
		w.fail(ActorStorage, errors.New("the storage ended its goroutine (runtime.Goexit; t.FailNow and require do that too): return an error instead"))
	}
	return co.returned
}
