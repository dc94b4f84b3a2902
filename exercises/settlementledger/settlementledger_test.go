package settlementledger_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/settlementledger"
	"fencingtokens/exercises/settlementledger/stub"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Settle)(1))
	prove.Golden(t, "passed", of(Settle)(1))
	for _, w := range catalogue {
		if w.Name == "leaves when it is settled" || w.Name == "reads in place of a claim" || w.Name == "takes a time-out for not written" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestSettle(t *testing.T) {
	prove.Cell(t, settlementledger.Check, stub.Settle, Settle)
}

// again calls Settle again after an error of this kind.
func again(kind error) settlementledger.Answer {
	return func(c *client, j job) error {
		for {
			if err := Settle(c, j); !errors.Is(err, kind) {
				return err
			}
		}
	}
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]settlementledger.Answer{
		"begins anew, with a new lease, when it got no answer": again(fencing.ErrTimeout),
		"begins anew, with a new lease, when it was refused":   again(fencing.ErrFenced),
		"sends the very same write again after a time-out": worker{write: func(c *client, j job, value string, l lease) error {
			value = j.Compute(c, value)
			err := c.Write(j.Account, value, l.Token)
			for errors.Is(err, fencing.ErrTimeout) {
				err = c.Write(j.Account, value, l.Token)
			}
			return err
		}}.answer,
		"looks at its clock before the write too": worker{write: func(c *client, j job, value string, l lease) error {
			value = j.Compute(c, value)
			if !c.Holds(l) {
				return fencing.ErrLeaseLost
			}
			return c.Write(j.Account, value, l.Token)
		}}.answer,
		"renews on the way, and releases whatever happens": func(c *client, j job) error {
			l := c.Acquire(j.Account)
			defer c.Release(l)
			c.KeepAlive(l, j.Takes)
			value, err := claim(c, j, l)
			if err == nil && !j.Settled(value) {
				err = write(c, j, value, l)
			}
			if err == nil {
				pay(c, j, l)
			}
			return err
		},
		"pays after it has released": func(c *client, j job) error {
			err := worker{pay: func(*client, job, lease) {}}.answer(c, j)
			if err == nil || errors.Is(err, fencing.ErrLeaseLost) {
				pay(c, j, lease{})
			}
			return err
		},
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(worker{look: read}.answer)
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Replay, again.Replay)
	assert.NotEqual(t, first.Replay, other.Replay)
}
