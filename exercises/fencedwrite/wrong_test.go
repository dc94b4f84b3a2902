package fencedwrite_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"fencingtokens/exercises/fencedwrite"
	"fencingtokens/exercises/fencedwrite/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

// wrongStorage is a storage with a mistake in its Write.
type wrongStorage struct {
	values map[string]string
	fences map[string]uint64
	write  func(s *wrongStorage, key, value string, token uint64) error
}

func (s *wrongStorage) Write(key, value string, token uint64) error {
	return s.write(s, key, value, token)
}

func (s *wrongStorage) Read(key string) string { return s.values[key] }

// set is what every one of them does with a write that it accepts.
func (s *wrongStorage) set(key, value string, token uint64) error {
	s.values[key], s.fences[key] = value, token
	return nil
}

type writeFunc = func(s *wrongStorage, key, value string, token uint64) error

func wrongWrite(write writeFunc) func() fencing.Checker {
	return func() fencing.Checker {
		return &wrongStorage{values: map[string]string{}, fences: map[string]uint64{}, write: write}
	}
}

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.storage)})
	}
	prove.Exercise(t, of(stub.NewStorage), of(NewStorage), wrong)
}

func of(newStorage func() fencing.Checker) prove.Answer {
	return func(seed uint64) check.Result {
		// Package variables are empty when a cell runs again.
		clear(sharedValues)
		clear(sharedFences)
		return fencedwrite.Evaluate(newStorage, seed)
	}
}

// Without a check and with a fence that is never raised a storage behaves in one
// way, so these two share a message, which names both.
var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	storage              func() fencing.Checker
}{
	{name: "no check at all", check: "a lower token is rejected", mistake: "every token gets past",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			return s.set(key, value, token)
		})},
	{name: "the fence is never raised", check: "a lower token is rejected", mistake: "every token gets past",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.values[key] = value
			return nil
		})},
	{name: "the fence stays at the first token", check: "a lower token is rejected", mistake: "the fence stays at the first token",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if s.fences[key] == 0 {
				s.fences[key] = token
			}
			s.values[key] = value
			return nil
		})},
	{name: "a fence for every writer, known by what it writes", check: "a lower token is rejected", mistake: "a fence for every writer",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key+value] {
				return fencing.ErrFenced
			}
			s.fences[key+value] = token
			s.values[key] = value
			return nil
		})},
	{name: "every write is rejected", check: "a first write is accepted", mistake: "first write rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			return fencing.ErrFenced
		})},
	{name: "a key that was never written is unknown", check: "a first write is accepted", mistake: "first write rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			fence, known := s.fences[key]
			if !known || token < fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "the value is not stored", check: "a first write is accepted", mistake: "value not read back",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = token
			return nil
		})},
	{name: "<= in place of <", check: "the holder may write again", mistake: "equal token rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token <= s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "only a newer grant's value is stored", check: "the holder may write again", mistake: "second value not stored",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if token > s.fences[key] {
				return s.set(key, value, token)
			}
			return nil
		})},
	{name: "== in place of >=", check: "a newer holder may write", mistake: "only an equal token passes",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token != fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "the comparison the wrong way round", check: "a newer holder may write", mistake: "compared the wrong way round",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token > fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "the next token must be one higher", check: "a newer holder may write", mistake: "tokens counted up by one",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token != fence && token != fence+1 {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "the token cut to 32 bits", check: "a newer holder may write", mistake: "token cut off",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if uint32(token) < uint32(s.fences[key]) {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "a newer holder's value is not stored", check: "a newer holder may write", mistake: "newer value not stored",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if s.fences[key] == 0 || token == s.fences[key] {
				s.values[key] = value
			}
			s.fences[key] = token
			return nil
		})},
	{name: "token 0 means no check", check: "a write without a token does not get past", mistake: "a way round the fence",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token != 0 && token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = max(s.fences[key], token)
			s.values[key] = value
			return nil
		})},
	{name: "an error of its own", check: "a rejection says fencing.ErrFenced", mistake: "another error",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return errors.New("stale token")
			}
			return s.set(key, value, token)
		})},
	{name: "ErrFenced lost by %v", check: "a rejection says fencing.ErrFenced", mistake: "another error",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fmt.Errorf("token %d: %v", token, fencing.ErrFenced)
			}
			return s.set(key, value, token)
		})},
	{name: "stored before the comparison", check: "a rejection changes nothing", mistake: "rejected, and stored all the same",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			s.values[key] = value
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = token
			return nil
		})},
	{name: "the last token seen in place of the highest accepted", check: "a rejection changes nothing", mistake: "a rejection lowers the fence",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			last := s.fences[key]
			s.fences[key] = token
			if token < last {
				return fencing.ErrFenced
			}
			s.values[key] = value
			return nil
		})},
	{name: "a rejection closes the key", check: "a rejection changes nothing", mistake: "a rejection shuts the holder out",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				s.fences[key] = math.MaxUint64
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "one fence for all keys", check: "every key has a fence of its own", mistake: "one fence for all keys",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			const all = ""
			if token < s.fences[all] {
				return fencing.ErrFenced
			}
			s.fences[all] = token
			s.values[key] = value
			return nil
		})},
	{name: "a fence for the last key only", check: "every key has a fence of its own", mistake: "only the last key has a fence",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			clear(s.fences)
			return s.set(key, value, token)
		})},
	{name: "one value for all keys", check: "every key has a fence of its own", mistake: "keys share a value",
		storage: func() fencing.Checker { return &oneValue{fences: map[string]uint64{}} }},
	{name: "old fences are cleared away", check: "the fence is never forgotten", mistake: "the fence is forgotten",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if len(s.fences) > 100 {
				clear(s.fences)
			}
			return s.set(key, value, token)
		})},
	{name: "values in a package variable", check: "two storages share nothing", mistake: "storages share their values",
		storage: func() fencing.Checker {
			return &wrongStorage{values: sharedValues, fences: map[string]uint64{}, write: rightWrite}
		}},
	{name: "fences in a package variable", check: "two storages share nothing", mistake: "storages share their fences",
		storage: func() fencing.Checker {
			return &wrongStorage{values: map[string]string{}, fences: sharedFences, write: rightWrite}
		}},
	{name: "knows the keys of the other checks", check: "the paused client does no harm", mistake: "a stale write gets past",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if strings.HasPrefix(key, "account") {
				return rightWrite(s, key, value, token)
			}
			return s.set(key, value, token)
		})},
	{name: "locks out client 2", check: "the paused client does no harm", mistake: "a write in order is rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "from client 2" {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "stores what it rejects, in the simulator only", check: "the paused client does no harm", mistake: "the data does not survive",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			err := rightWrite(s, key, value, token)
			if value == "from client 1" {
				s.values[key] = value
			}
			return err
		})},
	{name: "tokens above 31 bits are rejected", check: "a newer holder may write", mistake: "a large token rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token > math.MaxInt32 {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "a key is written twice, and never by another", check: "a newer holder may write", mistake: "a higher token rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			s.fences["writes "+key]++
			if s.fences["writes "+key] > 2 {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "values are put one behind the other", check: "the holder may write again", mistake: "another value is read",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, s.values[key]+value, token)
		})},
	{name: "a tolerance for tokens that are hardly lower", check: "a lower token is rejected", mistake: "a lower token gets past",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token+250 < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = max(s.fences[key], token)
			s.values[key] = value
			return nil
		})},
	{name: "token 0 resets the fence", check: "a write without a token does not get past", mistake: "a way round the fence",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token != 0 && token < s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "a rejection empties the key", check: "a rejection changes nothing", mistake: "a rejection changes the value",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				delete(s.values, key)
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{name: "the first key's value is lost when there is a second", check: "every key has a fence of its own", mistake: "another value is read",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			clear(s.values)
			return s.set(key, value, token)
		})},
	{name: "the first key with a token above 1 owns the storage", check: "every key has a fence of its own", mistake: "another key rejected",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			for other, fence := range s.fences {
				if other != key && fence > 1 {
					return fencing.ErrFenced
				}
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "a second storage takes nothing", check: "two storages share nothing", mistake: "a new storage rejects",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "in the second" {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "stores nothing, in the simulator only", check: "the paused client does no harm", mistake: "value not read back",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if key == "report" {
				value = ""
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "says that it took a stale write and keeps the old value, in the simulator only", check: "the paused client does no harm", mistake: "a stale write gets past",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if err := rightWrite(s, key, value, token); key != "report" {
				return err
			}
			return nil
		})},
	{name: "no storage", check: "a first write is accepted", mistake: "no storage",
		storage: func() fencing.Checker { return nil }},
	{name: "a map that was never made", check: "a first write is accepted", mistake: "nil map", state: check.Panicked,
		storage: func() fencing.Checker { return &wrongStorage{values: map[string]string{}, write: rightWrite} }},
	{name: "panics on a rejection", check: "a lower token is rejected", mistake: "panic", state: check.Panicked,
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				panic("fenced")
			}
			return s.set(key, value, token)
		})},
	{name: "ends its goroutine on a rejection", check: "a lower token is rejected", mistake: "ends its goroutine",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				runtime.Goexit()
			}
			return s.set(key, value, token)
		})},
	{name: "panics in the simulator only", check: "the paused client does no harm", mistake: "panic", state: check.Panicked,
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "from client 1" {
				panic("fenced")
			}
			return rightWrite(s, key, value, token)
		})},
	{name: "ends its goroutine in the simulator only", check: "the paused client does no harm", mistake: "ends its goroutine",
		storage: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "from client 1" {
				runtime.Goexit()
			}
			return rightWrite(s, key, value, token)
		})},
}

var (
	sharedValues = map[string]string{}
	sharedFences = map[string]uint64{}
)

func rightWrite(s *wrongStorage, key, value string, token uint64) error {
	if token < s.fences[key] {
		return fencing.ErrFenced
	}
	return s.set(key, value, token)
}

// oneValue has a fence for every key and only one value.
type oneValue struct {
	value  string
	fences map[string]uint64
}

func (s *oneValue) Write(key, value string, token uint64) error {
	if token < s.fences[key] {
		return fencing.ErrFenced
	}
	s.fences[key], s.value = token, value
	return nil
}

func (s *oneValue) Read(string) string { return s.value }
