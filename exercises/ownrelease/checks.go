package ownrelease

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

// The checks that others depend on, by their names.
const (
	ownCheck  = "your own lock is freed"
	nextCheck = "the next holder’s lock stays"
)

// session is what one check works with: a grant that the answer gives back, the
// grant that comes after it, and a store.
type session struct {
	release    Release
	mine, next Grant
	again      Grant // a later grant, to the client of mine
	store      *Store
}

func newSession(release Release, seed uint64, number int) *session {
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	first := random.IntN(50)
	client := func(n int) string { return fmt.Sprintf("client %d", first+n) }
	lease := time.Duration(5+random.IntN(10)) * time.Second
	mine := Grant{Lock: fmt.Sprintf("account %d", 1000+random.IntN(9000)), Client: client(1), Token: 100 + random.Uint64N(900), Until: lease}
	next := mine
	next.Client, next.Token, next.Until = client(2), mine.Token+1+random.Uint64N(5), mine.Until+lease
	again := next
	again.Client = mine.Client
	s := &session{release: release, mine: mine, next: next, again: again}
	s.begin()
	return s
}

// begin makes a new store, in which the lock is held with mine. Another lock is
// held with the same token: the tokens of two locks say nothing about each other.
func (s *session) begin() {
	s.store = &Store{locks: map[string]Grant{}, now: s.mine.Until / 2}
	other := s.mine
	other.Lock, other.Client = "another "+s.mine.Lock, s.next.Client
	s.store.grant(other)
	s.store.grant(s.mine)
}

// handOver ends the lease of mine, if it was not given back, and gives the lock
// to the next grant.
func (s *session) handOver(next Grant) {
	s.store.expire(s.mine.Lock)
	s.store.now = max(s.store.now, s.mine.Until)
	s.store.grant(next)
}

// call calls the answer. A finding tells of one that asks without end.
func (s *session) call() (err error, f check.Finding, ok bool) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case endless:
			f = s.failed("asks without end", "your release was called", "it comes back after a few requests", fmt.Sprintf("it had not come back after %d requests", most),
				"A release that did not free the lock is no reason to try again: the lock is not yours any more. Say so, and return.")
		default:
			panic(p)
		}
	}()
	s.store.note("your release of token %d is called", s.mine.Token)
	err = s.release(s.store, s.mine)
	s.store.note("it returns: %v", err)
	return err, f, true
}

func (s *session) failed(mistake, tried, expected, got, think string) check.Finding {
	f := check.Fail(mistake, tried, expected, got, think)
	f.Events = s.store.events
	if n := len(f.Events); n > most {
		f.Events = slices.Concat(f.Events[:8], f.Events[n-2:])
	}
	return f
}

// asked reports whether a request of that kind was made.
func (s *session) asked(kind string) bool { return slices.Contains(s.store.kinds, kind) }

func (s *session) isHeld(g Grant) bool { return s.store.locks[g.Lock] == g }

func ownLock(s *session) check.Finding {
	tried := fmt.Sprintf("a release of %q by its holder, %s", s.mine.Lock, s.mine)
	err, f, ok := s.call()
	if !ok {
		return f
	}
	if _, held := s.store.locks["another "+s.mine.Lock]; !held {
		return s.failed("frees another lock", tried, "that lock is freed and no other", "another lock was freed",
			"The store has many locks. Free the one that mine.Lock names.")
	}
	if s.isHeld(s.mine) {
		return s.whyStillHeld(tried)
	}
	if err != nil {
		return s.failed("freed, and an error all the same", tried, "the lock is free, and nil is returned", fmt.Sprintf("the lock is free, and the error is %v", err),
			"The caller would take its release for one that failed. Return nil when the store says that the lock was freed.")
	}
	return check.Pass("the holder gives back what it holds, and the lock is free at once")
}

func (s *session) whyStillHeld(tried string) check.Finding {
	const expected = "the lock is free"
	switch {
	case s.asked("DeleteIf"):
		return s.failed("the condition does not know its own lock", tried, expected, "your condition turned the caller’s own grant away, and the lock is held",
			"The condition is given the grant that the lock is held with. Compare it with mine, and return true if it is the same grant.")
	case s.asked("Delete"):
		return s.failed("the lock is not found", tried, expected, "a lock of another name was deleted, and this one is held",
			"The store keeps a grant under the lock’s name, mine.Lock. Locks are called otherwise in every run.")
	}
	return s.failed("nothing is deleted", tried, expected, "your release asked for no delete, and the lock is held",
		"Nobody can get the lock before the lease ends. Which request of the store gives it back?")
}

// freesOwn finds out whether the answer can free anything: without that, that a
// lock stays shows nothing.
func (s *session) freesOwn() (check.Finding, bool) {
	defer s.begin()
	_, f, ok := s.call()
	switch {
	case !ok:
		return f, false
	case s.isHeld(s.mine):
		return check.Depends(ownCheck, "nothing is freed", "a release by the holder", "the lock is free", "it is still held",
			"A release that frees nothing harms nobody and helps nobody. First let it free the caller’s own lock."), false
	}
	return check.Finding{}, true
}

func renewedLock(s *session) check.Finding {
	if f, ok := s.freesOwn(); !ok {
		return f
	}
	renewed := s.mine
	renewed.Until *= 2
	s.store.locks[renewed.Lock] = renewed
	s.store.now = s.mine.Until + time.Second
	s.store.note("the lease is renewed: it is held now with %s", renewed)
	_, f, ok := s.call()
	if !ok {
		return f
	}
	if s.isHeld(renewed) {
		return s.failed("the end of the lease compared", fmt.Sprintf("a renewal of %q by its holder, and %s later its release", s.mine.Lock, fencing.Seconds(s.mine.Until/2+time.Second)),
			"the lock is free: it is the same grant as before", "the lock is held: your release took a renewed lease for another one’s, or for one that is over",
			"A renewal moves the end of the lease. What stays the same from the grant to its release?")
	}
	return check.Pass("a renewal moves the end and leaves the grant what it was")
}

func nextHolder(s *session) check.Finding {
	if f, ok := s.freesOwn(); !ok {
		return f
	}
	s.handOver(s.next)
	_, f, ok := s.call()
	if !ok {
		return f
	}
	stays := s.isHeld(s.next)
	if stays {
		f = check.Pass("the late release of an old holder does nothing, and nobody else enters")
	} else {
		f = s.whyNextFreed()
	}
	f.Trace = thirdClient(!stays, s.mine.Token)
	f.Run = "The same in the simulator: client 1 comes to its release late. Its lock service frees the next holder’s lock if yours did. Look at client 3:"
	return f
}

func (s *session) whyNextFreed() check.Finding {
	tried := fmt.Sprintf("a late release of token %d, when %q had been granted to %s", s.mine.Token, s.mine.Lock, s.next)
	expected := "the lock stays with " + s.next.Client
	got := fmt.Sprintf("it was freed: a third client can enter beside %s", s.next.Client)
	switch {
	case s.asked("DeleteIf") && !s.asked("Delete"):
		return s.failed("the condition accepts anybody’s lock", tried, expected, got,
			"The condition is asked about whatever grant the lock is held with. Of which grant alone may it return true?")
	case s.asked("Get"):
		return s.failed("deletes on a mismatch", tried, expected, got,
			"Your release saw that the lock was another’s, and deleted it all the same. What should it do then?")
	}
	return s.failed("unlocks by name", tried, expected, got,
		"A lock’s name says which lock, and not whose. A release must know what it gives back: your grant, and not whatever the lock is held with.")
}

// thirdClient is the failure of Laravel issue 26213 in the simulator, with a
// lock service that frees the next holder's lock or does not.
func thirdClient(frees bool, token uint64) *fencing.Trace {
	s := reported.PlainDelete()
	s.Name = "a late release"
	s.Config.FirstToken, s.Config.PlainDelete, s.Clients[0].ReleaseByName = token, frees, frees
	return s.Without()
}

func sameClient(s *session) check.Finding {
	if f, ok := s.freesOwn(); !ok {
		return f
	}
	if _, f, ok := s.call(); !ok {
		return f
	}
	s.store.note("the reply is lost, and %s will try again; meanwhile it asks for the lock", s.mine.Client)
	s.store.grant(s.again)
	if _, f, ok := s.call(); !ok {
		return f
	}
	if s.isHeld(s.again) {
		return check.Pass("the same client’s second grant is not the first, and a retry of the first release leaves it alone")
	}
	tried := fmt.Sprintf("a release of token %d that is sent again, when %s holds %q with token %d", s.mine.Token, s.mine.Client, s.mine.Lock, s.again.Token)
	const expected, got = "the lock stays: it is another grant", "it was freed"
	switch {
	case s.frees(func() { s.handOver(s.next) }):
		return check.Depends(nextCheck, "frees whoever holds it", tried, expected, got, "First leave the locks of other clients alone.")
	case s.frees(func() { s.store.grant(s.next) }):
		return s.failed("the clock asked, and not the owner", tried, expected, got+", and before the end of the first lease your release frees another client’s lock as well",
			"The first lease had been given back before its end, so the time says nothing. A clock tells when a lease ends, and not whose lock it is by then.")
	}
	return s.failed("the client compared, and not the grant", tried, expected, got,
		"The same client may hold the lock again, in another thread or after a restart, and an old release of its own may still be under way. Compare what is new with every grant.")
}

// frees tries out whether a release frees the next grant in a state of the store
// that another call makes. The events of the session stay as they are.
func (s *session) frees(state func()) bool {
	before := s.store
	defer func() { s.store = before }()
	s.begin()
	state()
	next := s.store.locks[s.mine.Lock]
	_, _, ok := s.call()
	return ok && !s.isHeld(next)
}

func nothingBetween(s *session) check.Finding {
	if f, ok := s.freesOwn(); !ok {
		return f
	}
	for _, next := range []Grant{s.next, s.again} {
		for after := 1; ; after++ {
			s.begin()
			given := false // back, before the hand-over
			s.store.between = func(made int) {
				if made == after {
					given = !s.isHeld(s.mine)
					s.handOver(next)
				}
			}
			_, f, ok := s.call()
			if !ok {
				return f
			}
			if len(s.store.kinds) < after {
				break // it makes no more requests than that
			}
			if !s.isHeld(next) {
				return s.whyBetween(next, after, given)
			}
		}
	}
	return check.Pass("the lock changed hands after each of your requests, and the new holder kept it")
}

func (s *session) whyBetween(next Grant, after int, given bool) check.Finding {
	tried := fmt.Sprintf("your release, which asked %s; after request %d the lock went to %s", strings.Join(s.store.kinds, ", then "), after, next)
	const expected, got = "the lock stays with the new holder", "it was freed"
	switch {
	case s.frees(func() { s.handOver(next) }):
		return check.Depends(nextCheck, "frees whoever holds it", tried, expected, got, "First let a late release leave the next grant alone.")
	case given:
		return s.failed("deletes once more", tried, expected, got,
			"Your first delete had done all that there was to do. What comes after it meets another’s lock.")
	}
	return s.failed("looks first, deletes afterwards", tried, expected, got,
		"What you read was true when you read it. Between the look and the delete there is a gap, and a hand-over fits into it. Let the store compare and delete in one step.")
}

func saysSo(s *session) check.Finding {
	if f, ok := s.freesOwn(); !ok {
		return f
	}
	for _, state := range []struct {
		name string
		make func()
	}{
		{"is held by " + s.next.Client, func() { s.handOver(s.next) }},
		{"is held by the same client with another token", func() { s.handOver(s.again) }},
		{"is free", func() { s.store.expire(s.mine.Lock) }},
	} {
		s.begin()
		state.make()
		err, f, ok := s.call()
		if !ok {
			return f
		}
		tried := fmt.Sprintf("a late release of token %d, when the lock %s", s.mine.Token, state.name)
		const expected = "an error for which errors.Is(err, fencing.ErrLeaseLost) is true"
		switch {
		case err == nil && state.name == "is free":
			return s.failed("success on a free lock", tried, expected, "nil",
				"That the lock is free now does not say that the caller held it to the end: its lease had ended before, and in between somebody else may have held it and written. The caller must learn that.")
		case err == nil:
			return s.failed("success on a mismatch", tried, expected, "nil",
				"The caller is told that it gave its lock back, and has long lost it. It may have written too late, and this reply is its only chance to learn that.")
		case !errors.Is(err, fencing.ErrLeaseLost):
			return s.failed("another error", tried, expected, fmt.Sprintf("another error: %v", err),
				"A caller must be able to tell a lease that is lost from a store that does not answer. Return fencing.ErrLeaseLost, or wrap it with fmt.Errorf and %w.")
		}
	}
	return check.Pass("a caller whose lease had ended learns it, whether the lock is another’s by then or free")
}
