package fencedwrite

import (
	"fmt"
	"math/rand/v2"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// session is one storage of the learner's and everything that a check has done
// with it. What was done becomes the deciding events of a finding.
type session struct {
	newStorage func() fencing.Checker
	storage    fencing.Checker
	random     *rand.Rand
	base       int // the session's keys are accounts base to base+999
	used       map[string]bool
	events     []string
}

// judge runs one check on a storage of its own, with keys and tokens that depend
// on the seed and the check alone. No two checks use the same key, so that
// storages that share their state fail where that is asked.
func judge(newStorage func() fencing.Checker, seed uint64, number int, rule func(*session) check.Finding) check.Finding {
	s := &session{newStorage: newStorage, storage: newStorage(), used: map[string]bool{},
		random: rand.New(rand.NewPCG(seed, uint64(number))), base: 1000 * (number + 1)}
	if s.storage == nil {
		return noStorage()
	}
	f := rule(s)
	if f.State == check.Failed && f.Events == nil {
		f.Events = s.events
	}
	return f
}

func noStorage() check.Finding {
	return check.Finding{State: check.Failed, Mistake: "no storage",
		Tried: "your constructor was called", Expected: "it returns a storage", Got: "it returned nil",
		Think: "Return the storage that you make, for example &Storage{}, with every map in it made."}
}

// failed is the finding of a check that the answer did not pass.
func failed(mistake, tried, expected, got, think string) check.Finding {
	return check.Finding{State: check.Failed, Mistake: mistake, Tried: tried, Expected: expected, Got: got, Think: think}
}

// everyTokenPast is the finding of a check that could not even begin, because
// the check of the lower token fails.
func everyTokenPast(tried, expected string) check.Finding {
	return failed("every token gets past", tried, expected, "the lower token was accepted",
		"It is the mistake that the check of the lower token speaks of.")
}

// key draws a key that this session has not used.
func (s *session) key() string {
	for {
		k := fmt.Sprintf("account %d", s.base+s.random.IntN(1000))
		if !s.used[k] {
			s.used[k] = true
			return k
		}
	}
}

// tokens draws n tokens, rising, with gaps between them: a storage sees only the
// grants that led to a write. The first is above 100, so never 33 or 34.
func (s *session) tokens(n int) []uint64 {
	tokens := make([]uint64, n)
	last := uint64(100)
	for i := range tokens {
		last += 10 + s.random.Uint64N(190)
		tokens[i] = last
	}
	return tokens
}

// write hands a write to the storage and notes what came of it.
func (s *session) write(key, value string, token uint64) error {
	err := s.storage.Write(key, value, token)
	outcome := "accepted"
	if err != nil {
		outcome = fmt.Sprintf("rejected (%v)", err)
	}
	s.note("write %q to %q with token %d: %s", value, key, token, outcome)
	return err
}

func (s *session) read(key string) string {
	value := s.storage.Read(key)
	s.note("read %q: %q", key, value)
	return value
}

func (s *session) note(format string, args ...any) {
	s.events = append(s.events, fmt.Sprintf("%2d. ", len(s.events)+1)+fmt.Sprintf(format, args...))
}

// last keeps the end of a long list of events.
func (s *session) last(n int) []string { return s.events[max(0, len(s.events)-n):] }
