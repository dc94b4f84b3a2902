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
	if f.State != check.Passed && f.Events == nil {
		f.Events = s.events
	}
	return f
}

func noStorage() check.Finding {
	return check.Finding{State: check.Failed, Mistake: "no storage",
		Tried: "your constructor was called", Expected: "it returns a storage", Got: "it returned nil",
		Think: "Return the storage that you make, for example &Storage{}, with every map in it made."}
}

// dependsOnLower is the finding of a check that needs a rejection, and a lower
// token was accepted.
func dependsOnLower(tried string) check.Finding {
	return check.Depends(lowerCheck, "a lower token gets past", tried, "the lower token is rejected", "the lower token was accepted",
		"It is the mistake that the check of the lower token speaks of.")
}

// anotherValue is the finding of a read that returned neither the value that was
// expected nor one that tells where it comes from.
func anotherValue(tried, expected, got string) check.Finding {
	return check.Fail("another value is read", tried, expected, fmt.Sprintf("it holds %q", got),
		"Read returns what the last accepted write to that key brought. Print what your storage holds after every write of the list above.")
}

func rejected(err error) string { return "it was rejected: " + err.Error() }

// accepts writes to a new key, which every check begins with. Without that there
// is nothing to find out: ok is false, and the finding says so.
func (s *session) accepts(key, value string, token uint64) (f check.Finding, ok bool) {
	if err := s.write(key, value, token); err != nil {
		return check.Depends(firstCheck, "first write rejected", fmt.Sprintf("the first write to %q, with token %d", key, token), "it is accepted", rejected(err), firstRejected), false
	}
	return check.Finding{}, true
}

// stores is accepts for a check that looks at values too.
func (s *session) stores(key, value string, token uint64) (f check.Finding, ok bool) {
	if f, ok := s.accepts(key, value, token); !ok {
		return f, false
	}
	if got := s.read(key); got != value {
		return check.Depends(firstCheck, "value not read back", fmt.Sprintf("the first write to %q, then a read", key), fmt.Sprintf("the read returns %q", value),
			fmt.Sprintf("the read returned %q", got), notReadBack), false
	}
	return check.Finding{}, true
}

// taken makes a write that only tries out a diagnosis, so it is not noted.
func (s *session) taken(key string, token uint64, value ...string) bool {
	return s.storage.Write(key, fmt.Sprint(append(value, "tried out")), token) == nil
}

// rejectsLower tries out on a new key whether a lower token is rejected when
// nothing else has happened to the key.
func (s *session) rejectsLower(fence, lower uint64) bool {
	key := s.key()
	return s.taken(key, fence) && !s.taken(key, lower)
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
