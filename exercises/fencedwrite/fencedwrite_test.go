package fencedwrite_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

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
		if w.Name == "no check at all" || w.Name == "the value is not stored" || w.Name == "stores what it rejects, in the simulator only" || w.Name == "the last token seen in place of the highest accepted" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// A mistake is told where it is proven; a check that cannot tell because of it
// names the check that it depends on.
func TestWhatElseIsSaid(t *testing.T) {
	said := func(r check.Result) map[string]string {
		others := map[string]string{}
		for _, f := range r.Findings {
			switch f.State {
			case check.NotRun:
				others[f.Check] = "depends on " + f.On
			case check.Failed:
				others[f.Check] = f.Mistake
			}
		}
		return others
	}
	const first, lower = "depends on a first write is accepted", "depends on a lower token is rejected"
	for name, want := range map[string]map[string]string{
		"the value is not stored": {
			"a first write is accepted":        "value not read back",
			"the holder may write again":       first,
			"a newer holder may write":         first,
			"a rejection changes nothing":      first,
			"every key has a fence of its own": first,
			"two storages share nothing":       first,
			"the paused client does no harm":   first,
		},
		"every write is rejected": {
			"a first write is accepted":                 "first write rejected",
			"the holder may write again":                first,
			"a newer holder may write":                  first,
			"a lower token is rejected":                 first,
			"a write without a token does not get past": first,
			"a rejection says fencing.ErrFenced":        first,
			"a rejection changes nothing":               first,
			"every key has a fence of its own":          first,
			"the fence is never forgotten":              first,
			"two storages share nothing":                first,
			"the paused client does no harm":            "a write in order is rejected",
		},
		"stored before the comparison": {
			"a rejection changes nothing":    "rejected, and stored all the same",
			"the paused client does no harm": "the data does not survive",
		},
		"<= in place of <": {
			"the holder may write again":  "equal token rejected",
			"a rejection changes nothing": "depends on the holder may write again",
		},
		"token 0 resets the fence": {
			"a write without a token does not get past": "a way round the fence",
		},
		"no check at all": {
			"a lower token is rejected":                 "every token gets past",
			"a write without a token does not get past": lower,
			"a rejection says fencing.ErrFenced":        lower,
			"a rejection changes nothing":               lower,
			"every key has a fence of its own":          lower,
			"the fence is never forgotten":              lower,
			"the paused client does no harm":            "a stale write gets past",
		},
	} {
		for _, w := range catalogue {
			for seed := range uint64(10) {
				if w.Name == name {
					assert.Equal(t, want, said(of(w.Answer)(seed)), "%s, seed %d", name, seed)
				}
			}
		}
	}
}

// The chart shows what Write answered. If Read says otherwise, it is left out.
func TestAChartDoesNotContradictTheStorage(t *testing.T) {
	const last = "the paused client does no harm"
	for name, shown := range map[string]bool{
		"knows the keys of the other checks":                                             true,
		"locks out client 2":                                                             true,
		"stored before the comparison":                                                   false,
		"stores what it rejects, in the simulator only":                                  false,
		"stores nothing, in the simulator only":                                          false,
		"says that it took a stale write and keeps the old value, in the simulator only": false,
	} {
		for _, w := range catalogue {
			if w.Name != name {
				continue
			}
			f := of(w.Answer)(1).Finding(last)
			assert.NotEqual(t, check.Passed, f.State, name)
			assert.Equal(t, shown, f.Trace != nil, name)
			assert.Equal(t, !shown, strings.Contains(f.Got, "Read says otherwise"), name)
		}
	}
}

// The cell of the notebook, in its three states.
func TestFencedWrite(t *testing.T) {
	prove.Cell(t, fencedwrite.Check, stub.NewStorage, NewStorage)
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
	prove.OthersPass(t, of, 20, map[string]func() fencing.Checker{
		"one record a key": func() fencing.Checker { return &oneRecord{records: map[string]record{}} },
		"no write without a token": func() fencing.Checker {
			return &strict{oneRecord{records: map[string]record{}}}
		},
	})
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
	wrong := of(catalogue[0].Answer)
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
