package fencing

import (
	"fmt"
	"slices"
	"time"
)

// service is the lock service, or one lock node of several.
type service struct {
	name       string
	clock      clock
	generation uint64
}

// lock is what a service knows about one lock. That is the truth about who holds
// it, whatever the clients believe.
type lock struct {
	service *service
	name    string
	index   int
	counter uint64        // how many grants there were, as far as the service remembers
	holder  *message      // the acquire that was granted; nil if the lock is free
	last    *Client       // whom it was granted to last
	token   uint64        // of the last grant
	since   time.Duration // when it was granted, on the service's clock
	until   time.Duration // when the lease ends, on the service's clock; at that very time it is over
	jumped  time.Duration // true time of the last jump of the service's clock, if that was since the lease was lent; else 0
	delayed bool          // a lease ended by the clock, and there is a lock-delay
	closed  time.Duration // then nobody gets the lock before that time on the service's clock
	queue   []waiter      // in order
}

// waiter is an acquire that waits for its turn.
type waiter struct {
	*message
	until time.Duration // when its place ends, on the service's clock, if places do
}

func (w *World) lock(s *service, name string) *lock {
	for _, l := range w.locks {
		if l.service == s && l.name == name {
			return l
		}
	}
	l := again(&w.locks)
	*l = lock{service: s, name: name, index: len(w.locks) - 1, queue: l.queue[:0]}
	return l
}

// serve handles a request to a service, which looks at its clock first.
func (w *World) serve(m *message) {
	l := w.lock(m.node, m.key)
	w.expire(l)
	switch m.op {
	case OpAcquire, OpTryAcquire:
		w.serveAcquire(l, m)
	case OpRenew:
		if w.serveIfHeld(l, m) {
			w.lend(l, Renewed)
			w.answer(m, message{token: l.token})
		}
	case OpRelease:
		if w.serveIfHeld(l, m) {
			released := w.lockEvent(l, Released)
			if l.holder.client != m.client {
				released.Note = m.client.name
			}
			w.record(released)
			l.holder = nil
			w.answer(m, message{token: m.token})
			w.grantNext(l)
		}
	case OpAsk:
		w.answer(m, message{token: l.token})
	}
}

// serveAcquire knows a request that was asked again by its call, so that a
// client whose reply was lost gets the same grant and not a second one.
func (w *World) serveAcquire(l *lock, m *message) {
	switch {
	case l.holder == nil && len(l.queue) == 0 && !w.isClosed(l):
		w.grant(l, m)
	case l.holder != nil && l.holder.call == m.call:
		w.answer(m, message{token: l.token})
	case m.op == OpTryAcquire:
		w.refuse(l, m, l.whyHeld(), ErrHeld)
	default:
		w.enqueue(l, m)
		w.answer(m, message{queued: true})
	}
}

// isClosed reports whether the lock-delay still runs.
func (w *World) isClosed(l *lock) bool {
	return l.delayed && l.service.clock.at(w.now) < l.closed
}

func (l *lock) whyHeld() string {
	if l.holder == nil {
		return "the lock-delay after a lease that ended is not over"
	}
	if l.token == 0 {
		return l.holder.client.name + " holds it"
	}
	return fmt.Sprintf("%s holds it with token %d", l.holder.client.name, l.token)
}

func (w *World) enqueue(l *lock, m *message) {
	place := waiter{m, l.service.clock.at(w.now) + w.config.Lease}
	for i := range l.queue {
		if l.queue[i].call == m.call {
			l.queue[i].until = place.until
			return
		}
	}
	l.queue = append(l.queue, place)
	e := Event{Actor: l.service.name, Client: m.client.name, Kind: Queued, Op: m.op, Call: m.call, Key: l.name}
	if l.holder != nil {
		e.Token, e.Until, e.Note = l.token, w.trueEnd(l), l.holder.client.name
	}
	w.record(e)
}

// serveIfHeld refuses a renewal or a release of a lease that is over, unless the
// service was told to be lenient.
func (w *World) serveIfHeld(l *lock, m *message) bool {
	switch {
	case l.holder != nil && l.token == m.token && l.holder.client == m.client:
		return true
	case w.config.PlainDelete && m.op == OpRelease && l.holder != nil:
		return true
	case w.config.ReviveLate && m.op == OpRenew && l.holder == nil && l.token == m.token && l.last == m.client && len(l.queue) == 0 && !w.heldTooLong(l):
		l.holder = m
		return true
	}
	why := "nobody holds the lock now"
	switch {
	case l.holder != nil && l.token == 0:
		why = l.holder.client.name + " holds the lock"
	case l.holder != nil:
		why = fmt.Sprintf("the lock is held with token %d", l.token)
	}
	w.refuse(l, m, why, ErrLeaseLost)
	return false
}

// heldTooLong reports whether no renewal can make the lease last any longer.
func (w *World) heldTooLong(l *lock) bool {
	return w.config.MaxHold > 0 && l.service.clock.at(w.now) >= l.since+w.config.MaxHold
}

func (w *World) refuse(l *lock, m *message, why string, err error) {
	w.record(Event{Actor: l.service.name, Client: m.client.name, Kind: Refused, Op: m.op, Call: m.call, Key: l.name, Token: m.token, Note: why})
	w.answer(m, message{token: m.token, err: &refusal{err, why}})
}

func (w *World) grant(l *lock, m *message) {
	again := w.config.SameToken && l.last == m.client && l.token != 0
	if !again && w.config.Nodes == 0 {
		l.token = w.tokenOf(l)
		l.counter++
	}
	l.holder, l.last = m, m.client
	w.lend(l, Granted)
	w.answer(m, message{token: l.token})
}

// generationSize is how far apart the tokens of two generations are.
const generationSize = 1_000_000

func (w *World) tokenOf(l *lock) uint64 {
	token := w.config.FirstToken + l.counter
	if w.config.Generations {
		token += l.service.generation * generationSize
	}
	return token
}

// lend lets the holder's lease end a full length from now.
func (w *World) lend(l *lock, kind Kind) {
	now := l.service.clock.at(w.now)
	if kind == Granted {
		l.since = now
	}
	l.until, l.jumped = now+w.config.Lease, 0
	if w.config.MaxHold > 0 {
		l.until = min(l.until, l.since+w.config.MaxHold)
	}
	w.record(w.lockEvent(l, kind))
	w.watchLock(l)
}

// watchLock sets a timer for the end of the lease, or of the lock-delay after it.
func (w *World) watchLock(l *lock) {
	if w.untimed != nil {
		return // it may end at any moment
	}
	end := farthest
	switch {
	case l.holder != nil:
		end = w.trueEnd(l)
	case l.delayed:
		end = max(w.now, l.service.clock.when(l.closed))
	}
	if end < farthest {
		w.at(end, expiry, l.index, 0)
	}
}

// trueEnd is the true time at which the service will notice that the lease is
// over, if its clock goes on as it does now.
func (w *World) trueEnd(l *lock) time.Duration {
	return max(w.now, l.service.clock.when(l.until+w.config.NoticeLate))
}

// expire ends the lease if its time is over, and lets the next client in. It
// runs when that may be the case and before every request.
func (w *World) expire(l *lock) {
	if w.untimed != nil {
		return // it does so when the picker says so
	}
	if l.holder != nil && l.service.clock.at(w.now) >= l.until+w.config.NoticeLate {
		w.endLease(l)
	}
	if l.holder == nil && !w.isClosed(l) {
		w.grantNext(l)
	}
}

func (w *World) endLease(l *lock) {
	expired := w.lockEvent(l, Expired)
	expired.Note = w.whyEnded(l)
	w.record(expired)
	l.holder = nil
	if w.config.LockDelay > 0 {
		l.delayed, l.closed = true, l.service.clock.at(w.now)+w.config.LockDelay
		w.watchLock(l)
	}
}

// whyEnded says why a lease ends, if it is not just that its holder did not renew
// it in time.
func (w *World) whyEnded(l *lock) string {
	switch {
	case l.jumped > 0 && l.jumped == w.now:
		return "its clock has jumped past the end"
	case w.config.MaxHold > 0 && l.until == l.since+w.config.MaxHold:
		return "no lease lasts longer than " + Seconds(w.config.MaxHold)
	case l.jumped > 0:
		return l.holder.client.name + " did not renew it in time, by a clock that had jumped"
	}
	return ""
}

func (w *World) grantNext(l *lock) {
	now := l.service.clock.at(w.now)
	for len(l.queue) > 0 && l.holder == nil {
		next := l.queue[0]
		l.queue = slices.Delete(l.queue, 0, 1)
		if w.config.WaiterLease && now >= next.until {
			w.record(Event{Actor: l.service.name, Client: next.client.name, Kind: LeftOut, Key: l.name, Call: next.call})
			continue
		}
		w.grant(l, next.message)
	}
}

// failOver puts another lock service in place of this one.
func (w *World) failOver(f Fault) {
	s := w.services[0]
	s.generation++
	if len(w.locks) == 0 {
		w.record(Event{Actor: s.name, Kind: FailedOver})
	}
	for _, l := range w.locks {
		failed := Event{Actor: s.name, Kind: FailedOver, Key: l.name}
		if f.Back > l.counter && f.Back != FromStart && !w.config.Untraced {
			failed.Note = fmt.Sprintf("it had made %s, and not the %d that were to be lost", count(int(l.counter), "grant"), f.Back)
		}
		l.counter -= min(f.Back, l.counter)
		failed.Token = w.tokenOf(l)
		w.record(failed)
		if !f.Keep {
			w.forget(l)
		}
	}
}

// forget loses a lock and its queue: those who wait ask again.
func (w *World) forget(l *lock) {
	if l.holder != nil {
		w.record(w.lockEvent(l, Forgot))
	}
	l.holder, l.last, l.delayed = nil, nil, false
	queue := l.queue
	l.queue = nil
	for _, q := range queue {
		if !q.client.crashed && q.life == q.client.lives {
			w.serveAcquire(l, q.message)
		}
	}
}

func (w *World) lockEvent(l *lock, kind Kind) Event {
	return Event{Actor: l.service.name, Client: l.holder.client.name, Kind: kind, Key: l.name, Token: l.token, Until: w.trueEnd(l)}
}
