package breakstorage

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

func (a *attempt) failed(mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	f.Events = check.Lines(a.trace, events...)
	return f
}

func everyWriteHappens(a *attempt) check.Finding {
	for _, w := range a.writes {
		expected := "a client writes when it has a token"
		if w.Client != client1 && w.Client != client2 {
			return a.failed("no such client", expected, fmt.Sprintf("nobody is called %q", w.Client),
				"The clients are called \"client 1\" and \"client 2\", to the letter.")
		}
		if granted := a.target.grant(w.Client); w.At < granted {
			return a.failed("before its grant", expected, fmt.Sprintf("%s is granted the lock at %s, and was to write at %s", w.Client, fencing.Seconds(granted), fencing.Seconds(w.At)),
				"A client has no token before its grant. When does client 2 get the lock, in a world where client 1 does not give it back?")
		}
	}
	return check.Pass("every write was made by a client with the token of its own grant")
}

func broken(a *attempt) check.Finding {
	if w, harm := a.harm(); harm != "" {
		f := check.Pass(fmt.Sprintf("at %s %s; a storage that compares and stores in one step had no trouble with the same writes", fencing.Seconds(w.At), harm))
		f.Trace, f.Run = a.trace, "Your writes, to the storage that "+a.target.Storage.String()+":"
		return f
	}
	f := a.whyNotBroken()
	f.Expected = "the storage rejects a holder that nobody newer has written after, or accepts one that somebody newer has"
	return f
}

// harm returns the write by which the storage went wrong, and how; "" if it did not.
func (a *attempt) harm() (w fencing.Attempt, how string) {
	for _, w := range a.trace.Attempts() {
		switch {
		case w.Accepted && w.Stale:
			return w, fmt.Sprintf("it accepted token %d after %d", w.Token, w.Fence)
		case !w.Accepted && !w.Stale:
			return w, fmt.Sprintf("it rejected token %d, although no higher one had come", w.Token)
		}
	}
	return w, ""
}

// whyNotBroken finds the misconception, from the roughest to the finest.
func (a *attempt) whyNotBroken() check.Finding {
	attempts := a.trace.Attempts()
	var events []int
	stale := false
	for _, w := range attempts {
		events = append(events, w.Event)
		stale = stale || w.Stale
	}
	two := a.target.Storage == InTwoSteps
	switch {
	case len(a.writes) == 0:
		return a.failed("no write yet", "", "you returned no write for it, and nothing went wrong",
			"Let Break return one or two writes for this storage too.")
	case len(a.writes) == 1:
		return a.failed("one write", "", "the one write was accepted, as it should be",
			"A check compares a write with one before it. Which two writes does this storage judge wrongly?", events...)
	case len(a.writes) > most:
		return a.failed("far too many writes", "", fmt.Sprintf("%d writes", len(a.writes)),
			fmt.Sprintf("Two are enough; more than %d are not even run.", most))
	case stale && two:
		return a.failed("after the newer one was stored", "", "the old holder’s write came when the newer one was stored already, and was rejected, as it should be",
			"Between its two steps the storage still knows the old fence only. Let the old holder’s write come in that gap.", events...)
	case stale:
		return a.failed("the old holder’s write", "", "the old holder’s write was rejected, as it should be",
			"This storage is safe against old holders. Look for somebody who is in the right, and whom it shuts out.", events...)
	case attempts[0].Token == attempts[1].Token && two:
		return a.failed("one holder alone", "", "one holder wrote twice, and both writes were accepted, as they should be",
			"With one token there is nothing to be confused about. It takes both holders, in an order that should not end well.", events...)
	case attempts[0].Token == attempts[1].Token:
		return a.failed("the same token twice", "", "one holder wrote twice, and both writes were accepted, as they should be",
			"An equal token is just what this storage takes. Who brings another one, and is in the right?", events...)
	case two:
		return a.failed("the old one first", "", "the two writes were stored in the order of their tokens",
			"Both are stored the same time after they came, so the one that comes first is stored first. Which must come first for the order to be wrong?", events...)
	}
	return a.failed("one after the other", "", "the holders wrote one after the other, and both were accepted, as they should be",
		"A higher token is just what this storage takes. Who brings the same one again, and is in the right?", events...)
}

func withinBudget(a *attempt) check.Finding {
	if len(a.writes) > 2 {
		return a.failed("more than two writes", "at most two writes", fmt.Sprintf("%d writes", len(a.writes)),
			"Take one away after another, and look what still goes wrong. The shortest failure explains best.")
	}
	return check.Pass("each storage fell to two writes")
}
