package ownrelease

import (
	"fmt"
	"time"

	"fencingtokens/fencing"
)

// Grant is what the store keeps under the name of a lock that is held, and what
// the holder was given.
type Grant struct {
	Lock   string        // the lock's name
	Client string        // whom it was granted to
	Token  uint64        // the number of the grant: every grant of a lock has another
	Until  time.Duration // when it ends; a renewal moves it in the store, not in the holder's copy
}

func (g Grant) String() string {
	return fmt.Sprintf("%s, token %d, until %s", g.Client, g.Token, fencing.Seconds(g.Until))
}

// Store is the key-value store in which the locks are kept. Each method is one
// request. Before the next one arrives others may have changed what the store
// holds; within one request nothing else happens.
type Store struct {
	now     time.Duration
	locks   map[string]Grant
	kinds   []string // of the requests so far
	events  []string
	between func(made int) // what the world does after a request
}

// Get returns the grant that the lock is held with, and false if it is free.
func (s *Store) Get(lock string) (Grant, bool) {
	g, held := s.locks[lock]
	s.request("Get", "get %q: %s", lock, s.holds(lock))
	return g, held
}

// Delete frees the lock, whoever holds it, and reports whether anybody did.
func (s *Store) Delete(lock string) bool {
	was := s.holds(lock)
	_, held := s.locks[lock]
	delete(s.locks, lock)
	s.request("Delete", "delete %q: it was %s", lock, was)
	return held
}

// DeleteIf frees the lock if it is held and the condition, which runs inside the
// store in the same step, says so of the grant that it is held with. It reports
// whether it freed the lock.
func (s *Store) DeleteIf(lock string, condition func(held Grant) bool) bool {
	was := s.holds(lock)
	g, held := s.locks[lock]
	if !held || !condition(g) {
		s.request("DeleteIf", "delete %q if the condition holds: it does not, and it stays %s", lock, was)
		return false
	}
	delete(s.locks, lock)
	s.request("DeleteIf", "delete %q if the condition holds: it does, and it was %s", lock, was)
	return true
}

// Now asks for the time by the store's clock, which the ends of leases are
// counted on.
func (s *Store) Now() time.Duration {
	now := s.now
	s.request("Now", "ask for the time: %s", fencing.Seconds(now))
	return now
}

func (s *Store) holds(lock string) string {
	if g, held := s.locks[lock]; held {
		return "held (" + g.String() + ")"
	}
	return "free"
}

// most is how many requests one release may make: none needs more than a few.
const most = 100

// endless is what a request after too many of them panics with.
type endless struct{}

func (s *Store) request(kind, format string, args ...any) {
	s.note(format, args...)
	s.kinds = append(s.kinds, kind)
	if len(s.kinds) > most {
		panic(endless{})
	}
	if s.between != nil {
		s.between(len(s.kinds))
	}
}

// grant lets the world give the lock to a client.
func (s *Store) grant(g Grant) {
	s.locks[g.Lock] = g
	s.note("the lock %q is granted to %s", g.Lock, g)
}

// expire lets the lease end, if it has not been given back.
func (s *Store) expire(lock string) {
	if _, held := s.locks[lock]; held {
		delete(s.locks, lock)
		s.note("the lease on %q ends", lock)
	}
}

func (s *Store) note(format string, args ...any) {
	s.events = append(s.events, fmt.Sprintf("%2d. ", len(s.events)+1)+fmt.Sprintf(format, args...))
}
