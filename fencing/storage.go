package fencing

import (
	"errors"
	"fmt"
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

// record is the simulator's own account of one key: the truth, whatever a
// Checker thinks.
type record struct {
	key     string
	value   string
	version int
	fence   uint64 // the highest token accepted
}

func (w *World) recordOf(key string) *record {
	for _, r := range w.records {
		if r.key == key {
			return r
		}
	}
	r := &record{key: key}
	w.records = append(w.records, r)
	return r
}

// store handles a request to the storage.
func (w *World) store(m message) {
	r := w.recordOf(m.key)
	if m.op == OpRead {
		value := r.value
		if w.config.Storage != nil {
			w.consult(func() { value = w.config.Storage.Read(m.key) })
		}
		if w.trace.err != nil {
			return // the storage came to no answer
		}
		w.record(Event{Actor: ActorStorage, Client: m.client.name, Kind: Served, Op: m.op, Call: m.call, Key: m.key, Value: value, Version: r.version, Fence: r.fence})
		w.answer(m, message{value: value, version: r.version})
		return
	}
	err := w.checkWrite(r, m)
	if w.trace.err != nil {
		return // the storage came to no answer
	}
	kind := Accepted
	if err != nil {
		kind = Rejected
	} else {
		r.value = m.value
		r.version++
		r.fence = max(r.fence, m.token)
	}
	w.record(Event{Actor: ActorStorage, Client: m.client.name, Kind: kind, Op: m.op, Call: m.call, Key: m.key, Token: m.token, Fence: r.fence, Value: m.value, Version: r.version, Note: reason(err)})
	w.answer(m, message{token: m.token, value: m.value, version: r.version, err: err})
}

func (w *World) checkWrite(r *record, m message) (err error) {
	switch {
	case w.config.Storage != nil:
		w.consult(func() { err = w.config.Storage.Write(m.key, m.value, m.token) })
	case w.config.Fencing && m.token < r.fence:
		err = fmt.Errorf("%w: %q has accepted token %d, and %d is lower", ErrFenced, r.key, r.fence, m.token)
	}
	return err
}

// consult calls a Checker, which may panic, exit or never come back.
func (w *World) consult(call func()) {
	thread := w.current
	w.current = nil
	co := newCoroutine(call)
	w.gate.open()
	co.resume()
	w.gate.close()
	w.current = thread
	switch {
	case co.panicked != nil:
		w.record(Event{Actor: ActorStorage, Kind: Panicked, Note: fmt.Sprint(co.panicked) + "\n" + string(co.stack)})
		w.fail(ActorStorage, fmt.Errorf("the storage panicked: %v (%s)", co.panicked, panicPlace(string(co.stack))))
	case co.exited:
		w.record(Event{Actor: ActorStorage, Kind: Exited})
		w.fail(ActorStorage, errors.New("the storage ended its goroutine (runtime.Goexit; t.FailNow and require do that too): return an error instead"))
	}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
