package fencedwrite

import (
	"errors"
	"fmt"
	"slices"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// The checks that others depend on, by their names.
const (
	firstCheck  = "a first write is accepted"
	holderCheck = "the holder may write again"
	newerCheck  = "a newer holder may write"
	lowerCheck  = "a lower token is rejected"
	perKeyCheck = "every key has a fence of its own"
)

func firstWrite(s *session) check.Finding {
	for _, token := range []uint64{1, check.Tokens(s.random, 1)[0]} {
		key := s.key()
		tried := fmt.Sprintf("the first write to %q, with token %d", key, token)
		if err := s.write(key, "first", token); err != nil {
			return check.Fail("first write rejected", tried, "it is accepted: no higher token came before it", rejected(err), firstRejected)
		}
		if got := s.read(key); got != "first" {
			return check.Fail("value not read back", tried+", then a read", `the read returns "first"`, fmt.Sprintf("it returned %q", got), notReadBack)
		}
	}
	return check.Pass("nothing came before it, so whatever token it brings is the highest")
}

const (
	firstRejected = "A key that was never written has accepted no token yet. What does your comparison say about such a key?"
	notReadBack   = "An accepted write must be there for the next reader: store the value under its key before you return nil, and let Read return it."
)

func holderWritesAgain(s *session) check.Finding {
	key, token := s.key(), check.Tokens(s.random, 1)[0]
	tried := fmt.Sprintf("two writes to %q, both with token %d, by the one holder of that lease", key, token)
	if f, ok := s.stores(key, "draft", token); !ok {
		return f
	}
	if err := s.write(key, "final", token); err != nil {
		return check.Fail("equal token rejected", tried, "both are accepted", "the second was rejected: "+err.Error(),
			"One grant, one token: the holder’s second write brings the same number again, and the holder is still the newest. Which comparison refuses what is lower and nothing else?")
	}
	const expected = `the key then holds "final"`
	switch got := s.read(key); got {
	case "final":
		return check.Pass("an equal token is the same grant, so the holder’s second write passes")
	case "draft":
		return check.Fail("second value not stored", tried, expected, `it still holds "draft"`,
			"A write whose token equals the fence is accepted like any other: its value replaces the one before.")
	default:
		return anotherValue(tried, expected, got)
	}
}

func newerHolder(s *session) check.Finding {
	key := s.key()
	tokens := check.Tokens(s.random, 4)
	// ZooKeeper's numbers are that long. Cut to 32 bits, this one is the lowest.
	tokens[3] = 1<<(32+s.random.UintN(8)) + s.random.Uint64N(100)
	values := []string{"from holder 1", "from holder 2", "from holder 3", "from holder 4"}
	if f, ok := s.stores(key, values[0], tokens[0]); !ok {
		return f
	}
	for i, token := range tokens[1:] {
		if err := s.write(key, values[i+1], token); err != nil {
			return s.whyNotNewer(key, tokens[i], token, err)
		}
	}
	tried, expected := fmt.Sprintf("four writes to %q with rising tokens", key), `the key then holds "from holder 4"`
	got := s.read(key)
	switch {
	case got == values[3]:
		return check.Pass("a higher token passes, by however much it is higher")
	case slices.Contains(values, got):
		return check.Fail("newer value not stored", tried, expected, fmt.Sprintf("it still holds %q", got),
			"Every accepted write replaces the value. Does yours store only the first one?")
	}
	return anotherValue(tried, expected, got)
}

// whyNotNewer finds out why a token was rejected after a lower one.
func (s *session) whyNotNewer(key string, before, token uint64, err error) check.Finding {
	tried := fmt.Sprintf("a write to %q with token %d, from a newer holder", key, token)
	expected := "it is accepted: the token is higher than every one before"
	got := fmt.Sprintf("it was rejected after token %d: %s", before, err)
	// The same step upwards, with lower 32 bits that rise as well.
	if low := s.key(); token >= 1<<32 && s.taken(low, before) && s.taken(low, 1<<32+1_000_000) {
		return check.Fail("token cut off", tried, expected, got,
			"This token needs more than 32 bits. Keep a token in the type that it comes in, uint64, and never convert it.")
	}
	if token >= 1<<32 {
		return check.Fail("a large token rejected", tried, expected, got,
			"Smaller tokens got past, and this one needs more than 32 bits. What in your storage has a limit?")
	}
	switch {
	case s.taken(key, before+1) && !s.taken(key, before+3):
		return check.Fail("tokens counted up by one", tried, expected, got,
			"Not every grant leads to a write, so the storage sees tokens with gaps. It must not expect the next number, only one that is not lower.")
	case s.taken(key, before-1):
		return check.Fail("compared the wrong way round", tried, expected, got,
			"A lower token gets past and a higher one does not. Which of two holders is the newer one, that with the higher or that with the lower token?")
	case s.taken(key, before):
		return check.Fail("only an equal token passes", tried, expected, got,
			"A test for equality locks out every later holder for ever. The storage must know who is too old, not who was first.")
	}
	return check.Fail("a higher token rejected", tried, expected, got,
		"Go through your Write with the two tokens that you see above: which line returns the error?")
}

func lowerToken(s *session) check.Finding {
	key, tokens := s.key(), check.Tokens(s.random, 3)
	first, between, newest := tokens[0], tokens[1], tokens[2]
	if f, ok := s.accepts(key, "from the first holder", first); !ok {
		return f
	}
	if err := s.write(key, "from the newest holder", newest); err != nil {
		return check.Depends(newerCheck, "a higher token rejected", fmt.Sprintf("token %d to %q, then token %d", first, key, newest), "both are accepted",
			"the second was rejected: "+err.Error(), "A lower token can be told from a higher one only when the higher one was accepted.")
	}
	err := s.write(key, "from the old holder", between)
	if err != nil {
		return check.Pass("the old holder’s write is stale, and is rejected")
	}
	tried := fmt.Sprintf("a write to %q with token %d, after the key had accepted %d", key, between, newest)
	expected := "it is rejected: a newer holder has written"
	got := "it was accepted"
	if s.read(key) == "from the old holder" {
		got += ", and the newest holder’s data is gone"
	}
	// What each of them says is tried out, each on a key that has seen nothing else.
	writer, start, all := s.key(), s.key(), s.key()
	const far = 1 << 20
	switch {
	case s.taken(writer, newest, "one") && !s.taken(writer, between, "one") && s.taken(writer, between, "another"):
		return check.Fail("a fence for every writer", tried, expected, got,
			"Your storage did reject a lower token when it came with the newest holder’s own value, so its fence belongs to a writer. The question is not whether a writer goes back behind itself, but whether anybody newer has written to this key.")
	case s.taken(start, first) && s.taken(start, newest) && !s.taken(start, first-1) && s.taken(start, first):
		return check.Fail("the fence stays at the first token", tried, expected, got,
			"Your storage rejects what is lower than the first token, and nothing else. When a newer holder’s write is accepted, the fence must rise to its token.")
	case s.taken(all, far) && s.taken(all, 1):
		return check.Fail("every token gets past", tried, expected, got,
			"Either nothing is compared, or what it is compared with never rises. The storage must do both: compare the token with the key’s fence, and raise the fence when it accepts a write.")
	}
	return check.Fail("a lower token gets past", tried, expected, got,
		"Your storage does reject some lower tokens, but not this one. A token that is lower by one is as stale as any other.")
}

func noToken(s *session) check.Finding {
	key, token := s.key(), check.Tokens(s.random, 1)[0]
	if f, ok := s.accepts(key, "with a token", token); !ok {
		return f
	}
	if s.write(key, "without one", 0) == nil {
		tried := fmt.Sprintf("a write to %q with token 0, after the key had accepted %d", key, token)
		if !s.rejectsLower(token, token-1) {
			return dependsOnLower(tried)
		}
		return check.Fail("a way round the fence", tried, "it is rejected: 0 is lower", "it was accepted",
			"A client that sends no token sends 0. If 0 gets past, a single old program that knows nothing of tokens undoes the fence for all the others.")
	}
	return check.Pass("token 0 is lower than every grant’s, and is rejected")
}

func saysFenced(s *session) check.Finding {
	key, tokens := s.key(), check.Tokens(s.random, 2)
	if f, ok := s.accepts(key, "new", tokens[1]); !ok {
		return f
	}
	err := s.write(key, "old", tokens[0])
	tried := fmt.Sprintf("a write to %q with token %d, after the key had accepted %d", key, tokens[0], tokens[1])
	switch {
	case err == nil:
		return dependsOnLower(tried)
	case !errors.Is(err, fencing.ErrFenced):
		return check.Fail("another error", tried, "an error for which errors.Is(err, fencing.ErrFenced) is true", fmt.Sprintf("another error: %v", err),
			"A client must be able to tell this rejection from a full disk: on ErrFenced it stops, and does not try again. Return fencing.ErrFenced, or wrap it with fmt.Errorf and %w (with %v or a text of your own it is lost).")
	}
	return check.Pass("a client learns from it that a newer holder is at work, and stops")
}

func changesNothing(s *session) check.Finding {
	key, tokens := s.key(), check.Tokens(s.random, 3)
	low, between, fence := tokens[0], tokens[1], tokens[2]
	if f, ok := s.stores(key, "kept", fence); !ok {
		return f
	}
	tried := fmt.Sprintf("token %d to %q, then token %d, which is too low", fence, key, low)
	if s.write(key, "rejected", low) == nil {
		return dependsOnLower(tried)
	}
	const expected = `the second write returns an error and the key still holds "kept"`
	switch got := s.read(key); got {
	case "kept":
	case "rejected":
		return check.Fail("rejected, and stored all the same", tried, expected, fmt.Sprintf("it returns an error, and the key holds %q", got),
			"The client is told that nothing happened, and the newer holder’s data is gone. Compare first, and return before anything is stored.")
	default:
		return check.Fail("a rejection changes the value", tried, expected, fmt.Sprintf("it returns an error, and the key holds %q", got),
			"What does your Write do to the key before it returns the error? It must do nothing.")
	}
	if s.write(key, "rejected too", between) == nil {
		tried := fmt.Sprintf("%s, then token %d", tried, between)
		if !s.rejectsLower(fence, between) {
			return dependsOnLower(tried)
		}
		return check.Fail("a rejection lowers the fence", tried, fmt.Sprintf("token %d is rejected too: the key has accepted %d", between, fence), "it was accepted",
			"The rejected write has left its token behind as the new fence. Only an accepted write may set the fence.")
	}
	if err := s.write(key, "more from the holder", fence); err != nil {
		tried := tried + ", then the holder again"
		if again := s.key(); !s.taken(again, fence) || !s.taken(again, fence) {
			return check.Depends(holderCheck, "equal token rejected", tried, "the holder’s write is accepted", "an equal token is rejected without a rejection before it, too",
				"First let the holder write twice; then look at what a rejection leaves behind.")
		}
		return check.Fail("a rejection shuts the holder out", tried, "the holder’s write is accepted", rejected(err),
			"The holder did nothing wrong. A write that is rejected must leave the key exactly as it was.")
	}
	return check.Pass("after a rejection, value and fence are what they were")
}

func fencePerKey(s *session) check.Finding {
	one, other, tokens := s.key(), s.key(), check.Tokens(s.random, 3)
	low, lower, high := tokens[1], tokens[0], tokens[2]
	if f, ok := s.stores(one, "one", high); !ok {
		return f
	}
	if err := s.write(other, "other", low); err != nil {
		tried, got := fmt.Sprintf("token %d to %q, then token %d to %q, another key", high, one, low, other), "the second was rejected: "+err.Error()
		if s.taken(s.key(), high+1) {
			return check.Fail("one fence for all keys", tried, "both are accepted", got,
				"Tokens count the grants of one lock, and another key is another lock’s: their numbers cannot be compared. Keep a fence for every key.")
		}
		return check.Fail("another key rejected", tried, "both are accepted", got,
			"Your storage takes one key’s writes and not those of the next. What does it know about a key before its first write?")
	}
	tried, expected := fmt.Sprintf("a write to %q and one to %q", one, other), "each key holds its own value"
	gotOne, gotOther := s.read(one), s.read(other)
	switch {
	case gotOne == "other":
		return check.Fail("keys share a value", tried, expected, fmt.Sprintf("%q holds the value of %q", one, other), "Store the value under its key.")
	case gotOne != "one":
		return anotherValue(tried, fmt.Sprintf(`%q still holds "one"`, one), gotOne)
	case gotOther != "other":
		return anotherValue(tried, fmt.Sprintf(`%q holds "other"`, other), gotOther)
	}
	if s.write(other, "old", lower) == nil {
		return dependsOnLower(fmt.Sprintf("token %d to %q, after the key had accepted %d", lower, other, low))
	}
	if s.write(one, "old", low) == nil {
		tried := fmt.Sprintf("token %d to %q, token %d to %q, then token %d to %q", high, one, low, other, low, one)
		if !s.rejectsLower(high, low) {
			return dependsOnLower(tried)
		}
		return check.Fail("only the last key has a fence", tried, fmt.Sprintf("the last one is rejected: %q has accepted %d", one, high), "it was accepted",
			"Your storage knew one key’s fence until another key was written to. It must remember a fence for every key at the same time.")
	}
	return check.Pass("the token of one key’s lock says nothing about another key")
}

// many is how many keys are written before the first is asked again: enough that
// a storage which clears up after itself has done so.
const many = 300

func neverForgotten(s *session) check.Finding {
	keys := make([]string, many)
	tokens := make([]uint64, many)
	for i := range keys {
		keys[i], tokens[i] = s.key(), check.Tokens(s.random, 2)[1]
		err := s.write(keys[i], "first", tokens[i])
		if err == nil {
			continue
		}
		on := perKeyCheck
		if i == 0 {
			on = firstCheck
		}
		f := check.Depends(on, "first write rejected", fmt.Sprintf("a first write to %q, with token %d, after %d other keys", keys[i], tokens[i], i), "it is accepted", rejected(err), firstRejected)
		f.Events = s.last(1)
		return f
	}
	if last := many - 1; s.write(keys[last], "old", tokens[last]-1) == nil {
		f := dependsOnLower(fmt.Sprintf("a lower token to %q, the key written last", keys[last]))
		f.Events = s.last(1)
		return f
	}
	for i, key := range keys[:many-1] {
		if s.write(key, "old", tokens[i]-1) == nil {
			f := check.Fail("the fence is forgotten", fmt.Sprintf("writes to %d keys, then a lower token to each", many), "every lower token is rejected",
				fmt.Sprintf("%q had accepted %d and now accepts %d", key, tokens[i], tokens[i]-1),
				"However long ago a key was written, the old holder may still come. Storages that cleared old fences away have let stale writes in.")
			f.Events = s.last(1)
			return f
		}
	}
	return check.Pass(fmt.Sprintf("%d keys later, the old holder is still rejected", many))
}

func shareNothing(s *session) check.Finding {
	other := s.newStorage()
	if other == nil {
		return noStorage()
	}
	key, tokens := s.key(), check.Tokens(s.random, 2)
	if f, ok := s.stores(key, "in the first", tokens[1]); !ok {
		return f
	}
	tried := fmt.Sprintf("token %d to %q in one storage, then token %d to the same key in a new one", tokens[1], key, tokens[0])
	if err := other.Write(key, "in the second", tokens[0]); err != nil {
		const expected = "the new storage accepts it"
		if other.Write(key, "in the second", tokens[1]) == nil || other.Write(key, "in the second", tokens[1]+1) == nil {
			return check.Fail("storages share their fences", tried, expected, rejected(err),
				"Keep the fences in the storage that your constructor makes, not in a package variable: a new, empty storage has accepted no token yet.")
		}
		return check.Fail("a new storage rejects", tried, expected, rejected(err),
			"The second storage that your constructor makes does not take what the first one takes. What do the two have in common?")
	}
	expected := `the first storage still holds "in the first"`
	switch got := s.read(key); got {
	case "in the first":
		return check.Pass("each has its own values and its own fences")
	case "in the second":
		return check.Fail("storages share their values", tried, expected, fmt.Sprintf("it holds %q", got),
			"Keep the values in the storage that your constructor makes, not in a package variable: two storages are two places.")
	default:
		return anotherValue(tried, expected, got)
	}
}
