package afterrestore

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
)

func (a *attempt) failed(mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	f.Events = check.Lines(a.trace, events...)
	if len(events) > 0 {
		f.Trace, f.Run = a.trace, "The run with your first token:"
	}
	return f
}

func letIn(a *attempt) check.Finding {
	w := a.write(newHolder)
	if w.Accepted {
		return check.Pass("the new holder’s token is above the fence of the storage that it writes to")
	}
	const expected = "the new holder’s write is accepted"
	got := fmt.Sprintf("it was rejected with token %d: the fence is %d", w.Token, w.Fence)
	switch {
	case a.first <= a.world.Counter+1:
		return a.failed("goes on from the backup", expected, got,
			"The backup is older than the last grants, and a storage has seen one of them. A rightful holder with a lower token can do nothing.", w.Before, w.Event)
	case a.first <= a.world.Counter+20:
		return a.failed("a little room", expected, got,
			"How many grants there were since the backup nobody knows. Was your room large enough here, and will it always be?", w.Before, w.Event)
	}
	return a.failed("below a fence", expected, got,
		"There is more than one storage, and each has a fence of its own. The new holder may write to any of them.", w.Before, w.Event)
}

func oldRejected(a *attempt) check.Finding {
	w := a.write(oldHolder)
	if !w.Accepted {
		f := check.Pass("a write that was under way when the service died is rejected: its generation is over")
		f.Trace, f.Run = a.trace, "Your first token, in the last of three worlds:"
		return f
	}
	const expected = "the old holder’s write, granted before the restore, is rejected"
	got := fmt.Sprintf("it was accepted with token %d, and the new holder’s data is gone", w.Token)
	if w.Token == w.Fence {
		return a.failed("one token for two holders", expected, got,
			"Both hold the same number, and for the storage they are one. No storage had seen it before, so no fence could have told you.", w.Before, w.Event)
	}
	return a.failed("above every fence, and not above every grant", expected, got,
		"The highest fence says what has been written with. A client that was granted a token and has not written yet is in no fence.", w.Before, w.Event)
}

func nextIsHigher(a *attempt) check.Finding {
	later := a.world.Restore
	later.Generation++
	later.Counter = a.first + 1_000
	later.Fences = []uint64{a.first + 1_200}
	next := a.answer(later)
	// A service that grants a million times a second for an hour has counted that far.
	const grants = 3_600_000_000
	if next > a.first+grants {
		return check.Pass("however many were granted since, the next generation begins above them")
	}
	return a.failed("no room for what will be granted", fmt.Sprintf("the restore after this one begins more than %d tokens higher: so many may be granted in between, and nobody knows how many were", grants),
		fmt.Sprintf("the next one begins at %d, and this one at %d", next, a.first),
		"A fixed step, or what is known of counters and fences, is outrun by a busy service. What has to weigh more than any counter?")
}

func sameAgain(a *attempt) check.Finding {
	if again := a.answer(a.world.Restore); again != a.first {
		return a.failed("another token each time", "for the same restore it returns the same token", fmt.Sprintf("first %d, then %d", a.first, again),
			"Clocks jump back, and chance repeats itself. Two servers that restore at the same moment must come to one answer.")
	}
	return check.Pass("it depends on the generation and on nothing that moves")
}
