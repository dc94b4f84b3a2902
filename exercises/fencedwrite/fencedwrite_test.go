package fencedwrite_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises/fencedwrite"
	"fencingtokens/exercises/fencedwrite/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.NewStorage)(1))
	prove.Golden(t, "passed", of(NewStorage)(1))
	for _, w := range catalogue {
		if w.name == "no check at all" || w.name == "the last token seen in place of the highest accepted" {
			prove.Golden(t, w.name, of(w.storage)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestFencedWrite(t *testing.T) {
	t.Run("untouched", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped(), "an untouched notebook must run to its end") })
		fencedwrite.Check(t, stub.NewStorage)
	})
	t.Run("no answer", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped()) })
		fencedwrite.Check(t, nil)
	})
	t.Run("solved", func(t *testing.T) { fencedwrite.Check(t, NewStorage) })
}

// oneRecord is another way to write it: one record a key, under a mutex.
type oneRecord struct {
	mutex   sync.Mutex
	records map[string]record
}

type record struct {
	value string
	fence uint64
}

func (s *oneRecord) Write(key, value string, token uint64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if r, known := s.records[key]; known && r.fence > token {
		return fencing.ErrFenced
	}
	s.records[key] = record{value, token}
	return nil
}

func (s *oneRecord) Read(key string) string { return s.records[key].value }

// strict takes no write without a token, which is right too.
type strict struct{ oneRecord }

func (s *strict) Write(key, value string, token uint64) error {
	if token == 0 {
		return fmt.Errorf("%w: no token", fencing.ErrFenced)
	}
	return s.oneRecord.Write(key, value, token)
}

func TestOtherRightAnswersPass(t *testing.T) {
	for name, newStorage := range map[string]func() fencing.Checker{
		"one record a key": func() fencing.Checker { return &oneRecord{records: map[string]record{}} },
		"no write without a token": func() fencing.Checker {
			return &strict{oneRecord{records: map[string]record{}}}
		},
	} {
		for seed := range uint64(20) {
			f, failed := of(newStorage)(seed).First()
			require.False(t, failed, "%s: %+v", name, f)
		}
	}
}

// A storage that keeps its lock when it rejects stops the call after that one.
func TestALockThatIsNotGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		r := of(func() fencing.Checker {
			locked := false
			return wrongWrite(func(s *wrongStorage, key, value string, token uint64) error {
				if locked {
					<-over
				}
				if token < s.fences[key] {
					locked = true
					return fencing.ErrFenced
				}
				return s.set(key, value, token)
			})()
		})(1)
		f, _ := r.First()
		assert.Equal(t, "a rejection changes nothing", f.Check)
		assert.Equal(t, check.TimedOut, r.State)
		assert.Equal(t, "waits for ever", f.Mistake)
		assert.Equal(t, check.Passed, r.Finding("two storages share nothing").State, "the others still run")
		assert.False(t, r.Runaway)
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(catalogue[0].storage)
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
