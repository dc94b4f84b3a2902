package ownrelease_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/ownrelease"
	"fencingtokens/exercises/ownrelease/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Release)(1))
	prove.Golden(t, "passed", of(Release)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "unlocked by name", "the client compared", "the token read and compared, then a plain delete", "tried again until it is freed":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestRelease(t *testing.T) {
	prove.Cell(t, ownrelease.Check, stub.Release, Release)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]ownrelease.Release{
		"client and token compared": func(s *store, mine grant) error {
			return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Client == mine.Client && held.Token == mine.Token }))
		},
		"a look that spares the delete": func(s *store, mine grant) error {
			if held, ok := s.Get(mine.Lock); !ok || held.Token != mine.Token {
				return told(false)
			}
			return told(s.DeleteIf(mine.Lock, func(held grant) bool { return held.Token == mine.Token }))
		},
		"the whole grant but for its end": func(s *store, mine grant) error {
			return told(s.DeleteIf(mine.Lock, func(held grant) bool {
				held.Until = mine.Until
				return held == mine
			}))
		},
	})
}

func TestAnAnswerThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		defer close(never)
		r := of(func(*store, grant) error { <-never; return nil })(1)
		assert.Equal(t, check.TimedOut, r.State)
		assert.False(t, r.Runaway)
	})
}
