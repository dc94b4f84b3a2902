package claimfirst_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/claimfirst"
	"fencingtokens/exercises/claimfirst/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.AddLine)(1))
	prove.Golden(t, "passed", of(AddLine)(1))
	for _, w := range catalogue {
		if w.Name == "reads" || w.Name == "reads, then claims" || w.Name == "takes the present token when refused" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestAddLine(t *testing.T) {
	prove.Cell(t, claimfirst.Check, stub.AddLine, AddLine)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]claimfirst.Answer{
		"releases whatever happens": func(c *fencing.Client, job claimfirst.Job) error {
			lease := c.Acquire(job.Record)
			defer c.Release(lease)
			text, err := c.Claim(job.Record, lease.Token)
			if err != nil {
				return err
			}
			return c.Write(job.Record, job.Add(c, text), lease.Token)
		},
		"renews on the way": func(c *fencing.Client, job claimfirst.Job) error {
			lease := c.Acquire(job.Record)
			c.KeepAlive(lease, job.Work/2)
			text, err := c.Claim(job.Record, lease.Token)
			if err == nil {
				err = c.Write(job.Record, job.Add(c, text), lease.Token)
			}
			return errors.Join(err, c.Release(lease))
		},
		"reads first, and uses the claim": func(c *fencing.Client, job claimfirst.Job) error {
			lease := c.Acquire(job.Record)
			c.Read(job.Record)
			text, err := c.Claim(job.Record, lease.Token)
			if err != nil {
				return err
			}
			if err := c.Write(job.Record, job.Add(c, text), lease.Token); err != nil {
				return err
			}
			return c.Release(lease)
		},
		"claims, and compares the version too": func(c *fencing.Client, job claimfirst.Job) error {
			lease := c.Acquire(job.Record)
			text, err := c.Claim(job.Record, lease.Token)
			if err != nil {
				return err
			}
			if err := c.WriteIf(job.Record, job.Add(c, text), lease.Token); err != nil {
				return err
			}
			return c.Release(lease)
		},
		"begins anew with a new lease when refused": func(c *fencing.Client, job claimfirst.Job) error {
			for {
				err := AddLine(c, job)
				if !errors.Is(err, fencing.ErrFenced) {
					return err
				}
			}
		},
	})
}

// It waits in one check only, and the others are still run.
func TestAnAnswerThatWaits(t *testing.T) {
	r := of(func(c *fencing.Client, job claimfirst.Job) error {
		if strings.HasSuffix(job.Record, " b") {
			select {}
		}
		return AddLine(c, job)
	})(1)
	f, _ := r.First()
	assert.Equal(t, check.TimedOut, r.State)
	assert.Equal(t, "two records, and two jobs each", f.Check)
	assert.Equal(t, "waits for ever", f.Mistake)
	assert.False(t, r.Runaway)
}

func TestASeedRepeatsARun(t *testing.T) {
	reads := of(worker(func(c *client, j job, _ fencing.Lease) (string, error) { return c.Read(j.Record) }))
	first, _ := reads(3).First()
	again, _ := reads(3).First()
	other, _ := reads(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
