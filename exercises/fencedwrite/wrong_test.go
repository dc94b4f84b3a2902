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
	prove.Exercise(t, of, stub.NewStorage, NewStorage, catalogue)
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
var catalogue = []prove.Wrong[func() fencing.Checker]{
	{Name: "no check at all", Check: "a lower token is rejected", Mistake: "every token gets past",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			return s.set(key, value, token)
		})},
	{Name: "the fence is never raised", Check: "a lower token is rejected", Mistake: "every token gets past",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.values[key] = value
			return nil
		})},
	{Name: "the fence stays at the first token", Check: "a lower token is rejected", Mistake: "the fence stays at the first token",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if s.fences[key] == 0 {
				s.fences[key] = token
			}
			s.values[key] = value
			return nil
		})},
	{Name: "a fence for every writer, known by what it writes", Check: "a lower token is rejected", Mistake: "a fence for every writer",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key+value] {
				return fencing.ErrFenced
			}
			s.fences[key+value] = token
			s.values[key] = value
			return nil
		})},
	{Name: "every write is rejected", Check: "a first write is accepted", Mistake: "first write rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			return fencing.ErrFenced
		})},
	{Name: "a key that was never written is unknown", Check: "a first write is accepted", Mistake: "first write rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			fence, known := s.fences[key]
			if !known || token < fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "the value is not stored", Check: "a first write is accepted", Mistake: "value not read back",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = token
			return nil
		})},
	{Name: "<= in place of <", Check: "the holder may write again", Mistake: "equal token rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token <= s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "only a newer grant's value is stored", Check: "the holder may write again", Mistake: "second value not stored",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if token > s.fences[key] {
				return s.set(key, value, token)
			}
			return nil
		})},
	{Name: "== in place of >=", Check: "a newer holder may write", Mistake: "only an equal token passes",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token != fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "the comparison the wrong way round", Check: "a newer holder may write", Mistake: "compared the wrong way round",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token > fence {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "the next token must be one higher", Check: "a newer holder may write", Mistake: "tokens counted up by one",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if fence, known := s.fences[key]; known && token != fence && token != fence+1 {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "the token cut to 32 bits", Check: "a newer holder may write", Mistake: "token cut off",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if uint32(token) < uint32(s.fences[key]) {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "a newer holder's value is not stored", Check: "a newer holder may write", Mistake: "newer value not stored",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if s.fences[key] == 0 || token == s.fences[key] {
				s.values[key] = value
			}
			s.fences[key] = token
			return nil
		})},
	{Name: "token 0 means no check", Check: "a write without a token does not get past", Mistake: "a way round the fence",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token != 0 && token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = max(s.fences[key], token)
			s.values[key] = value
			return nil
		})},
	{Name: "an error of its own", Check: "a rejection says fencing.ErrFenced", Mistake: "another error",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return errors.New("stale token")
			}
			return s.set(key, value, token)
		})},
	{Name: "ErrFenced lost by %v", Check: "a rejection says fencing.ErrFenced", Mistake: "another error",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fmt.Errorf("token %d: %v", token, fencing.ErrFenced)
			}
			return s.set(key, value, token)
		})},
	{Name: "stored before the comparison", Check: "a rejection changes nothing", Mistake: "rejected, and stored all the same",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			s.values[key] = value
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = token
			return nil
		})},
	{Name: "the last token seen in place of the highest accepted", Check: "a rejection changes nothing", Mistake: "a rejection lowers the fence",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			last := s.fences[key]
			s.fences[key] = token
			if token < last {
				return fencing.ErrFenced
			}
			s.values[key] = value
			return nil
		})},
	{Name: "a rejection closes the key", Check: "a rejection changes nothing", Mistake: "a rejection shuts the holder out",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				s.fences[key] = math.MaxUint64
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "one fence for all keys", Check: "every key has a fence of its own", Mistake: "one fence for all keys",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			const all = ""
			if token < s.fences[all] {
				return fencing.ErrFenced
			}
			s.fences[all] = token
			s.values[key] = value
			return nil
		})},
	{Name: "a fence for the last key only", Check: "every key has a fence of its own", Mistake: "only the last key has a fence",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			clear(s.fences)
			return s.set(key, value, token)
		})},
	{Name: "one value for all keys", Check: "every key has a fence of its own", Mistake: "keys share a value",
		Answer: func() fencing.Checker { return &oneValue{fences: map[string]uint64{}} }},
	{Name: "old fences are cleared away", Check: "the fence is never forgotten", Mistake: "the fence is forgotten",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			if len(s.fences) > 100 {
				clear(s.fences)
			}
			return s.set(key, value, token)
		})},
	{Name: "values in a package variable", Check: "two storages share nothing", Mistake: "storages share their values",
		Answer: func() fencing.Checker {
			return &wrongStorage{values: sharedValues, fences: map[string]uint64{}, write: rightWrite}
		}},
	{Name: "fences in a package variable", Check: "two storages share nothing", Mistake: "storages share their fences",
		Answer: func() fencing.Checker {
			return &wrongStorage{values: map[string]string{}, fences: sharedFences, write: rightWrite}
		}},
	{Name: "knows the keys of the other checks", Check: "the paused client does no harm", Mistake: "a stale write gets past",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if strings.HasPrefix(key, "account") {
				return rightWrite(s, key, value, token)
			}
			return s.set(key, value, token)
		})},
	{Name: "locks out client 2", Check: "the paused client does no harm", Mistake: "a write in order is rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "from client 2" {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "stores what it rejects, in the simulator only", Check: "the paused client does no harm", Mistake: "the data does not survive",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			err := rightWrite(s, key, value, token)
			if value == "from client 1" {
				s.values[key] = value
			}
			return err
		})},
	{Name: "tokens above 31 bits are rejected", Check: "a newer holder may write", Mistake: "a large token rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token > math.MaxInt32 {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "a key is written twice, and never by another", Check: "a newer holder may write", Mistake: "a higher token rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			s.fences["writes "+key]++
			if s.fences["writes "+key] > 2 {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "values are put one behind the other", Check: "the holder may write again", Mistake: "another value is read",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, s.values[key]+value, token)
		})},
	{Name: "a tolerance for tokens that are hardly lower", Check: "a lower token is rejected", Mistake: "a lower token gets past",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token+250 < s.fences[key] {
				return fencing.ErrFenced
			}
			s.fences[key] = max(s.fences[key], token)
			s.values[key] = value
			return nil
		})},
	{Name: "token 0 resets the fence", Check: "a write without a token does not get past", Mistake: "a way round the fence",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token != 0 && token < s.fences[key] {
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "a rejection empties the key", Check: "a rejection changes nothing", Mistake: "a rejection changes the value",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				delete(s.values, key)
				return fencing.ErrFenced
			}
			return s.set(key, value, token)
		})},
	{Name: "the first key's value is lost when there is a second", Check: "every key has a fence of its own", Mistake: "another value is read",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				return fencing.ErrFenced
			}
			clear(s.values)
			return s.set(key, value, token)
		})},
	{Name: "the first key with a token above 1 owns the storage", Check: "every key has a fence of its own", Mistake: "another key rejected",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			for other, fence := range s.fences {
				if other != key && fence > 1 {
					return fencing.ErrFenced
				}
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "a second storage takes nothing", Check: "two storages share nothing", Mistake: "a new storage rejects",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "in the second" {
				return fencing.ErrFenced
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "stores nothing, in the simulator only", Check: "the paused client does no harm", Mistake: "value not read back",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if key == "report" {
				value = ""
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "says that it took a stale write and keeps the old value, in the simulator only", Check: "the paused client does no harm", Mistake: "a stale write gets past",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if err := rightWrite(s, key, value, token); key != "report" {
				return err
			}
			return nil
		})},
	{Name: "no storage", Check: "a first write is accepted", Mistake: "no storage",
		Answer: func() fencing.Checker { return nil }},
	{Name: "a map that was never made", Check: "a first write is accepted", Mistake: "nil map", State: check.Panicked,
		Answer: func() fencing.Checker { return &wrongStorage{values: map[string]string{}, write: rightWrite} }},
	{Name: "panics on a rejection", Check: "a lower token is rejected", Mistake: "panic", State: check.Panicked,
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				panic("fenced")
			}
			return s.set(key, value, token)
		})},
	{Name: "ends its goroutine on a rejection", Check: "a lower token is rejected", Mistake: "ends its goroutine",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if token < s.fences[key] {
				runtime.Goexit()
			}
			return s.set(key, value, token)
		})},
	{Name: "panics in the simulator only", Check: "the paused client does no harm", Mistake: "panic", State: check.Panicked,
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
			if value == "from client 1" {
				panic("fenced")
			}
			return rightWrite(s, key, value, token)
		})},
	{Name: "ends its goroutine in the simulator only", Check: "the paused client does no harm", Mistake: "ends its goroutine",
		Answer: wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
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
