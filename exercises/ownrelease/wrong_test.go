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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.release)})
	}
	prove.Exercise(t, of(stub.Release), of(Release), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	release              ownrelease.Release
}{
	{name: "nothing at all", check: own, mistake: "nothing is deleted", release: func(*store, grant) error { return nil }},
	{name: "the lease is left to run out", check: own, mistake: "nothing is deleted", release: func(s *store, mine grant) error {
		_, held := s.Get(mine.Lock)
		return told(!held)
	}},
	{name: "the lock of the lesson", check: own, mistake: "the lock is not found", release: func(s *store, mine grant) error {
		return told(s.Delete("report"))
	}},
	{name: "compared the wrong way round", check: own, mistake: "the condition does not know its own lock", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token != mine.Token }))
	}},
	{name: "another lock as well", check: own, mistake: "frees another lock", release: func(s *store, mine grant) error {
		isMine := func(held grant) bool { return held.Token == mine.Token }
		s.DeleteIf("another "+mine.Lock, isMine)
		return told(s.DeleteIf(mine.Lock, isMine))
	}},
	{name: "an error when it was freed", check: own, mistake: "freed, and an error all the same", release: func(s *store, mine grant) error {
		if s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return fencing.ErrLeaseLost
		}
		return nil
	}},

	{name: "the whole grant compared", check: renewed, mistake: "the end of the lease compared", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held == mine }))
	}},
	{name: "the end of the lease as the owner", check: renewed, mistake: "the end of the lease compared", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Until == mine.Until }))
	}},
	{name: "its own end on the store's clock, then a plain delete", check: renewed, mistake: "the end of the lease compared", release: func(s *store, mine grant) error {
		if s.Now() >= mine.Until {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},

	{name: "unlocked by name", check: next, mistake: "unlocks by name", release: func(s *store, mine grant) error {
		return told(s.Delete(mine.Lock))
	}},
	{name: "a condition that is always true", check: next, mistake: "the condition accepts anybody’s lock", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(grant) bool { return true }))
	}},
	{name: "a token that is not lower", check: next, mistake: "the condition accepts anybody’s lock", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token >= mine.Token }))
	}},
	{name: "an error on a mismatch, and the lock deleted", check: next, mistake: "deletes on a mismatch", release: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		s.Delete(mine.Lock)
		return told(ok && held.Token == mine.Token)
	}},
	{name: "the present holder's token read and given back", check: next, mistake: "the condition accepts anybody’s lock", release: func(s *store, mine grant) error {
		now, _ := s.Get(mine.Lock)
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == now.Token }))
	}},
	{name: "tried again until it is freed", check: next, mistake: "asks without end", release: func(s *store, mine grant) error {
		for !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
		}
		return nil
	}},

	{name: "the client compared", check: same, mistake: "the client compared, and not the grant", release: func(s *store, mine grant) error {
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Client == mine.Client }))
	}},
	{name: "the client read and compared, then a plain delete", check: same, mistake: "the client compared, and not the grant", release: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Client != mine.Client {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},

	{name: "a plain delete as long as its first lease would last", check: same, mistake: "the clock asked, and not the owner", release: func(s *store, mine grant) error {
		if s.Now() < mine.Until {
			return told(s.Delete(mine.Lock))
		}
		return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }))
	}},

	{name: "the token read and compared, then a plain delete", check: between, mistake: "looks first, deletes afterwards", release: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Token != mine.Token {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{name: "read and compared twice, then a plain delete", check: between, mistake: "looks first, deletes afterwards", release: func(s *store, mine grant) error {
		for range 2 {
			if held, ok := s.Get(mine.Lock); !ok || held.Token != mine.Token {
				return fencing.ErrLeaseLost
			}
		}
		return told(s.Delete(mine.Lock))
	}},
	{name: "the lease's present end on the store's clock, then a plain delete", check: between, mistake: "looks first, deletes afterwards", release: func(s *store, mine grant) error {
		held, ok := s.Get(mine.Lock)
		if !ok || held.Token != mine.Token || s.Now() >= held.Until {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{name: "a condition that only looks, then a plain delete", check: between, mistake: "looks first, deletes afterwards", release: func(s *store, mine grant) error {
		isMine := false
		s.DeleteIf(mine.Lock, func(held grant) bool { isMine = held.Token == mine.Token; return false })
		if !isMine {
			return fencing.ErrLeaseLost
		}
		return told(s.Delete(mine.Lock))
	}},
	{name: "a plain delete to be on the safe side", check: between, mistake: "deletes once more", release: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return fencing.ErrLeaseLost
		}
		s.Delete(mine.Lock)
		return nil
	}},

	{name: "success on a mismatch", check: says, mistake: "success on a mismatch", release: func(s *store, mine grant) error {
		s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token })
		return nil
	}},
	{name: "success on a free lock", check: says, mistake: "success on a free lock", release: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			if _, held := s.Get(mine.Lock); held {
				return fencing.ErrLeaseLost
			}
		}
		return nil
	}},
	{name: "an error of its own", check: says, mistake: "another error", release: func(s *store, mine grant) error {
		if !s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }) {
			return errors.New("not the owner")
		}
		return nil
	}},

	{name: "a panic", check: own, mistake: "nil map", state: check.Panicked, release: func(s *store, mine grant) error {
		var released map[string]bool
		released[mine.Lock] = true
		return told(s.Delete(mine.Lock))
	}},
	{name: "an exit", check: own, mistake: "ends its goroutine", release: func(*store, grant) error { runtime.Goexit(); return nil }},
}
