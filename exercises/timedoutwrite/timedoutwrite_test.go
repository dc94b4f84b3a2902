package timedoutwrite_test

import (
	"testing"

	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/timedoutwrite"
	"fencingtokens/exercises/timedoutwrite/stub"
	"fencingtokens/fencing"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Reaction)(1))
	prove.Golden(t, "passed", of(Reaction)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "timed out is not written", "read back, and not there is not written", "timed out is written", "sent again, without a number", "a rejection of the second is a no to the first":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestReaction(t *testing.T) {
	prove.Cell(t, timedoutwrite.Check, stub.Reaction, Reaction)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]timedoutwrite.Reaction{
		"a few tries": numbered(tries(3, unknown)),
		"the version compared instead of a number": unnumbered(func(c client, l lease, value string) fencing.Outcome {
			known := fail
			for c.Holds(l) {
				err := c.WriteIf(l.Lock, value, l.Token)
				if err == nil {
					return ok
				}
				if !timedOut(err) {
					if now, _ := c.Read(l.Lock); now == value {
						return ok
					}
					return known
				}
				known = unknown
			}
			return known
		}),
		"read back before it is sent again": numbered(func(c client, l lease, value string) fencing.Outcome {
			known := fail
			for c.Holds(l) {
				err := write(c, l, value)
				if err == nil {
					return ok
				}
				if !timedOut(err) {
					return known
				}
				known = unknown
				if now, err := c.Read(l.Lock); err == nil && now == value {
					return ok
				}
			}
			return known
		}),
		"claimed before it is sent again": numbered(func(c client, l lease, value string) fencing.Outcome {
			known := fail
			for c.Holds(l) {
				err := write(c, l, value)
				if err == nil {
					return ok
				}
				if !timedOut(err) {
					return known
				}
				known = unknown
				if now, err := c.Claim(l.Lock, l.Token); err == nil && now == value {
					return ok
				}
			}
			return known
		}),
		"renewed on the way": numbered(func(c client, l lease, value string) fencing.Outcome {
			c.Renew(l)
			return Save(c, l, value)
		}),
	})
}
