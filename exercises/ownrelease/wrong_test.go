package ownrelease_test

import (
	"errors"
	"runtime"
	"testing"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/ownrelease"
	"fencingtokens/exercises/ownrelease/stub"
	"fencingtokens/fencing"
)

type (
	store = ownrelease.Store
	grant = ownrelease.Grant
)

func of(release ownrelease.Release) prove.Answer {
	return func(seed uint64) check.Result { return ownrelease.Evaluate(release, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Release, Release, catalogue)
}

const (
	own     = "your own lock is freed"
	renewed = "a renewed lock is your own as well"
	next    = "the next holder’s lock stays"
	same    = "a later grant of the same client stays"
	between = "nothing comes between look and delete"
	says    = "a release that freed nothing says so"
)

// told turns what the store reports into what the caller is told.
func told(freed bool) error {
	if freed {
		return nil
	}
	return fencing.ErrLeaseLost
}

var catalogue = []prove.Wrong[ownrelease.Release]{
	{Name: "nothing at all", Check: own, Mistake: "nothing is deleted", Answer: func(*store, grant) error { return nil }},
	{Name: "the lease is left to run out", Check: own, Mistake: "nothing is deleted", Answer: func(s *store, mine grant) error {
		_, held := s.Get(mine.Lock)
		return told(!held)
	}},
	{Name: "the lock of the lesson", Check: own, Mistake: "the lock is not found", Answer: func(s *store, mine grant) error {
		return told(s.Delete("report"))
	}},
	{Name: "compared the wrong way round", Check: own, Mistake: "the condition does not know its own lock", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token != mine.Token }))
	}},
	{Name: "another lock as well", Check: own, Mistake: "frees another lock", Answer: func(s *store, mine grant) error {
		isMine := func(held grant) bool { return held.Token == mine.Token }
		s.DeleteIf("another "+mine.Lock, isMine)
		return told(s.DeleteIf(mine.Lock, isMine))
	}},
	{Name: "an error when it was freed", Check: own, Mistake: "freed, and an error all the same", Answer: func(s *store, mine grant) error {
		if s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return fencing.ErrLeaseLost
		}
		return nil
	}},

	{Name: "the whole grant compared", Check: renewed, Mistake: "the end of the lease compared", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held == mine }))
	}},
	{Name: "the end of the lease as the owner", Check: renewed, Mistake: "the end of the lease compared", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Until == mine.Until }))
	}},
	{Name: "its own end on the store's clock, then a plain delete", Check: renewed, Mistake: "the end of the lease compared", Answer: func(s *store, mine grant) error {
		if s.Now() >= mine.Until {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},

	{Name: "unlocked by name", Check: next, Mistake: "unlocks by name", Answer: func(s *store, mine grant) error {
		return told(s.Delete(mine.Lock))
	}},
	{Name: "a condition that is always true", Check: next, Mistake: "the condition accepts anybody’s lock", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(grant) bool { return true }))
	}},
	{Name: "a token that is not lower", Check: next, Mistake: "the condition accepts anybody’s lock", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token >= mine.Token }))
	}},
	{Name: "an error on a mismatch, and the lock deleted", Check: next, Mistake: "deletes on a mismatch", Answer: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		s.Delete(mine.Lock)
		return told(ok && held.Token == mine.Token)
	}},
	{Name: "the present holder's token read and given back", Check: next, Mistake: "the condition accepts anybody’s lock", Answer: func(s *store, mine grant) error {
		now, _ := s.Get(mine.Lock)
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == now.Token }))
	}},
	{Name: "tried again until it is freed", Check: next, Mistake: "asks without end", Answer: func(s *store, mine grant) error {
		for !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
		}
		return nil
	}},

	{Name: "the client compared", Check: same, Mistake: "the client compared, and not the grant", Answer: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Client == mine.Client }))
	}},
	{Name: "the client read and compared, then a plain delete", Check: same, Mistake: "the client compared, and not the grant", Answer: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Client != mine.Client {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},

	{Name: "a plain delete as long as its first lease would last", Check: same, Mistake: "the clock asked, and not the owner", Answer: func(s *store, mine grant) error {
		if s.Now() < mine.Until {
			return told(s.Delete(mine.Lock))
		}
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }))
	}},

	{Name: "the token read and compared, then a plain delete", Check: between, Mistake: "looks first, deletes afterwards", Answer: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Token != mine.Token {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{Name: "read and compared twice, then a plain delete", Check: between, Mistake: "looks first, deletes afterwards", Answer: func(s *store, mine grant) error {
		for range 2 {
			if held, ok := s.Get(mine.Lock); !ok || held.Token != mine.Token {
				return fencing.ErrLeaseLost
			}
		}
		return told(s.Delete(mine.Lock))
	}},
	{Name: "the lease's present end on the store's clock, then a plain delete", Check: between, Mistake: "looks first, deletes afterwards", Answer: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Token != mine.Token || s.Now() >= held.Until {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{Name: "a condition that only looks, then a plain delete", Check: between, Mistake: "looks first, deletes afterwards", Answer: func(s *store, mine grant) error {
		isMine := false
		s.DeleteIf(mine.Lock, func(held grant) bool { isMine = held.Token == mine.Token; return false })
		if !isMine {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{Name: "a plain delete to be on the safe side", Check: between, Mistake: "deletes once more", Answer: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return fencing.ErrLeaseLost
		}
		s.Delete(mine.Lock)
		return nil
	}},

	{Name: "success on a mismatch", Check: says, Mistake: "success on a mismatch", Answer: func(s *store, mine grant) error {
		s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token })
		return nil
	}},
	{Name: "success on a free lock", Check: says, Mistake: "success on a free lock", Answer: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			if _, held := s.Get(mine.Lock); held {
				return fencing.ErrLeaseLost
			}
		}
		return nil
	}},
	{Name: "an error of its own", Check: says, Mistake: "another error", Answer: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return errors.New("not the owner")
		}
		return nil
	}},

	{Name: "a panic", Check: own, Mistake: "nil map", State: check.Panicked, Answer: func(s *store, mine grant) error {
		var released map[string]bool
		released[mine.Lock] = true
		return told(s.Delete(mine.Lock))
	}},
	{Name: "an exit", Check: own, Mistake: "ends its goroutine", Answer: func(*store, grant) error { runtime.Goexit(); return nil }},
}
