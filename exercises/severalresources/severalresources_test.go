package severalresources_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/severalresources"
	"fencingtokens/exercises/severalresources/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Transfers)(1))
	prove.Golden(t, "passed with one record", of(Transfers)(1))
	prove.Golden(t, "passed with two accounts", of(yes(claimed))(1))
	for _, w := range catalogue {
		if w.Name == "two locks, and one token for both" || w.Name == "claims one and reads the other" || w.Name == "claims the second after the first write" || w.Name == "two accounts, and never half done" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestTransfers(t *testing.T) {
	prove.Cell(t, severalresources.Check, stub.Transfers, Transfers)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]func() answer{
		"two accounts, both claimed": yes(claimed),
		"one lock for all accounts": yes(func(c *client, j job) error {
			lease := c.Acquire("bank")
			from, err := c.Claim(j.From, lease.Token)
			to, err2 := c.Claim(j.To, lease.Token)
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			from, to = j.Move(c, from, to)
			if err := errors.Join(c.Write(j.From, from, lease.Token), c.Write(j.To, to, lease.Token)); err != nil {
				return err
			}
			return c.Release(lease)
		}),
		"the locks in the other order, and released at once when it is refused": yes(func(c *client, j job) error {
			l := leases{}
			for _, account := range []string{max(j.From, j.To), min(j.From, j.To)} {
				l[account] = c.Acquire(account)
			}
			to, err := c.Claim(j.To, l[j.To].Token)
			if err != nil {
				l.release(c, j)
				return err
			}
			from, err := c.Claim(j.From, l[j.From].Token)
			if err != nil {
				l.release(c, j)
				return err
			}
			return l.write(c, j, from, to)
		}),
	})
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(no(claimed))
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Replay, again.Replay)
	assert.NotEqual(t, first.Replay, other.Replay)
}
