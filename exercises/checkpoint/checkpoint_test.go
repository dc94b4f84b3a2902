package checkpoint_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/checkpoint"
	"fencingtokens/exercises/checkpoint/stub"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Process)(1))
	prove.Golden(t, "passed", of(Process)(1))
	for _, w := range catalogue {
		if w.Name == "starts again from 0" || w.Name == "deletes its progress when it is refused" || w.Name == "writes again after a time-out, and goes on" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestProcess(t *testing.T) {
	prove.Cell(t, checkpoint.Check, stub.Process, Process)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]checkpoint.Answer{
		"looks at its clock before every item": worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			if !c.Holds(lease) {
				return fencing.ErrLeaseLost
			}
			return one(c, j, done, lease)
		}}.answer,
		"renews on the way, and releases whatever happens": func(c *client, j job) error {
			lease := c.Acquire(j.Batch)
			defer c.Release(lease)
			c.KeepAlive(lease, j.Takes*3)
			progress, err := claim(c, j, lease)
			for done := j.Done(progress); err == nil && done < j.Items; done++ {
				err = one(c, j, done, lease)
			}
			return err
		},
		"looks at the progress again before every item": worker{item: func(c *client, j job, done int, lease fencing.Lease) error {
			if _, err := claim(c, j, lease); err != nil {
				return err
			}
			return one(c, j, done, lease)
		}}.answer,
		"begins anew, with a new lease, when it got no answer": func(c *client, j job) error {
			for {
				err := Process(c, j)
				if !errors.Is(err, fencing.ErrTimeout) {
					return err
				}
			}
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
