package afterrestore_test

import (
	"testing"

	"fencingtokens/exercises/afterrestore"
	"fencingtokens/exercises/afterrestore/stub"
	"fencingtokens/exercises/internal/prove"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Next)(1))
	prove.Golden(t, "passed", of(Next)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "the backup’s counter, plus one", "the next above every fence", "a thousand more than the backup":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestNext(t *testing.T) {
	prove.Cell(t, afterrestore.Check, stub.Next, Next)
}

func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 20, map[string]afterrestore.Answer{
		"more bits for the counter": func(r restore) uint64 { return r.Generation << 44 },
		"in decimal":                func(r restore) uint64 { return r.Generation * 1_000_000_000_000 },
	})
}
