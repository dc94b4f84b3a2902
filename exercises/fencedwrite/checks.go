package fencedwrite

import (
	"errors"
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

func firstWrite(s *session) check.Finding {
	for _, token := range []uint64{1, s.tokens(1)[0]} {
		key := s.key()
		tried := fmt.Sprintf("the first write to %q, with token %d", key, token)
		if err := s.write(key, "first", token); err != nil {
			return failed("first write rejected", tried, "it is accepted: no higher token came before it",
				"it was rejected: "+err.Error(),
				"A key that was never written has accepted no token yet. What does your comparison say about such a key?")
		}
		if got := s.read(key); got != "first" {
			return failed("value not stored", tried+", then a read", `the read returns "first"`, fmt.Sprintf("it returned %q", got),
				"An accepted write must be there for the next reader: store the value under its key before you return nil.")
		}
	}
	return check.Pass("nothing came before it, so whatever token it brings is the highest")
}

func holderWritesAgain(s *session) check.Finding {
	key, token := s.key(), s.tokens(1)[0]
	tried := fmt.Sprintf("two writes to %q, both with token %d, by the one holder of that lease", key, token)
	_ = s.write(key, "draft", token)
	if err := s.write(key, "final", token); err != nil {
		return failed("equal token rejected", tried, "both are accepted", "the second was rejected: "+err.Error(),
			"One grant, one token: the holder’s second write brings the same number again, and the holder is still the newest. Which comparison refuses what is lower and nothing else?")
	}
	if got := s.read(key); got != "final" {
		return failed("second value not stored", tried, `the key then holds "final"`, fmt.Sprintf("it holds %q", got),
			"A write whose token equals the fence is accepted like any other: its value replaces the one before.")
	}
	return check.Pass("an equal token is the same grant, so the holder’s second write passes")
}

func newerHolder(s *session) check.Finding {
	key := s.key()
	tokens := s.tokens(4)
	// ZooKeeper's numbers are that long. Cut to 32 bits, this one is the lowest.
	tokens[3] = 1<<(32+s.random.UintN(8)) + s.random.Uint64N(100)
	for i, token := range tokens {
		err := s.write(key, fmt.Sprintf("from holder %d", i+1), token)
		if err == nil {
			continue
		}
		tried := fmt.Sprintf("a write to %q with token %d, from a newer holder", key, token)
		expected := "it is accepted: the token is higher than every one before"
		if i == 0 {
			return failed("first write rejected", tried, expected, "it was rejected: "+err.Error(), "It is the mistake that the check of the first write speaks of.")
		}
		got := fmt.Sprintf("it was rejected after token %d: %s", tokens[i-1], err)
		if i == len(tokens)-1 {
			return failed("token cut off", tried, expected, got,
				"This token needs more than 32 bits. Keep a token in the type that it comes in, uint64, and never convert it.")
		}
		if s.storage.Write(key, "again", tokens[i-1]+1) == nil {
			return failed("tokens counted up by one", tried, expected, got,
				"Not every grant leads to a write, so the storage sees tokens with gaps. It must not expect the next number, only one that is not lower.")
		}
		if s.storage.Write(key, "again", tokens[i-1]-1) == nil {
			return failed("compared the wrong way round", tried, expected, got,
				"A lower token gets past and a higher one does not. Which of two holders is the newer one, that with the higher or that with the lower token?")
		}
		return failed("only an equal token passes", tried, expected, got,
			"A test for equality locks out every later holder for ever. The storage must know who is too old, not who was first.")
	}
	if got := s.read(key); got != "from holder 4" {
		return failed("newer value not stored", fmt.Sprintf("four writes to %q with rising tokens", key), `the key then holds "from holder 4"`, fmt.Sprintf("it holds %q", got),
			"Every accepted write replaces the value. Does yours store only the first one?")
	}
	return check.Pass("a higher token passes, by however much it is higher")
}

func lowerToken(s *session) check.Finding {
	key, tokens := s.key(), s.tokens(3)
	first, between, newest := tokens[0], tokens[1], tokens[2]
	_ = s.write(key, "from the first holder", first)
	_ = s.write(key, "from the newest holder", newest)
	err := s.write(key, "from the old holder", between)
	if err != nil {
		return check.Pass("the old holder’s write is stale, and is rejected")
	}
	tried := fmt.Sprintf("a write to %q with token %d, after the key had accepted %d", key, between, newest)
	expected := "it is rejected: a newer holder has written"
	got := "it was accepted, and the newest holder’s data is gone"
	switch {
	case s.storage.Write(key, "from the newest holder", between-1) != nil:
		return failed("a fence for every writer", tried, expected, got,
			"Your storage did reject a lower token when it came with the newest holder’s own value, so its fence belongs to a writer. The question is not whether a writer goes back behind itself, but whether anybody newer has written to this key.")
	case s.storage.Write(key, "from a still older holder", first-1) != nil:
		return failed("the fence stays at the first token", tried, expected, got,
			"Your storage rejects what is lower than the first token, and nothing else. When a newer holder’s write is accepted, the fence must rise to its token.")
	}
	return failed("every token gets past", tried, expected, got,
		"Either nothing is compared, or what it is compared with never rises. The storage must do both: compare the token with the key’s fence, and raise the fence when it accepts a write.")
}

func noToken(s *session) check.Finding {
	key, token := s.key(), s.tokens(1)[0]
	_ = s.write(key, "with a token", token)
	if s.write(key, "without one", 0) == nil {
		if s.storage.Write(key, "too low", token-1) == nil {
			return everyTokenPast(fmt.Sprintf("token 0 to %q, after the key had accepted %d", key, token), "it is rejected")
		}
		return failed("a way round the fence", fmt.Sprintf("a write to %q with token 0, after the key had accepted %d", key, token),
			"it is rejected: 0 is lower", "it was accepted",
			"A client that sends no token sends 0. If 0 gets past, a single old program that knows nothing of tokens undoes the fence for all the others.")
	}
	return check.Pass("token 0 is lower than every grant’s, and is rejected")
}

func saysFenced(s *session) check.Finding {
	key, tokens := s.key(), s.tokens(2)
	_ = s.write(key, "new", tokens[1])
	err := s.write(key, "old", tokens[0])
	tried := fmt.Sprintf("a write to %q with token %d, after the key had accepted %d", key, tokens[0], tokens[1])
	expected := "an error for which errors.Is(err, fencing.ErrFenced) is true"
	switch {
	case err == nil:
		return everyTokenPast(tried, expected)
	case !errors.Is(err, fencing.ErrFenced):
		return failed("another error", tried, expected, fmt.Sprintf("another error: %v", err),
			"A client must be able to tell this rejection from a full disk: on ErrFenced it stops, and does not try again. Return fencing.ErrFenced, or wrap it with fmt.Errorf and %w (with %v or a text of your own it is lost).")
	}
	return check.Pass("a client learns from it that a newer holder is at work, and stops")
}

func changesNothing(s *session) check.Finding {
	key, tokens := s.key(), s.tokens(3)
	low, between, fence := tokens[0], tokens[1], tokens[2]
	_ = s.write(key, "kept", fence)
	rejected := s.write(key, "rejected", low)
	tried := fmt.Sprintf("token %d to %q, then token %d, which is too low", fence, key, low)
	if got := s.read(key); got != "kept" {
		if rejected == nil {
			return everyTokenPast(tried, `the key still holds "kept"`)
		}
		return failed("rejected, and stored all the same", tried, `the second write returns an error and the key still holds "kept"`, fmt.Sprintf("it returns an error, and the key holds %q", got),
			"The client is told that nothing happened, and the newer holder’s data is gone. Compare first, and return before anything is stored.")
	}
	if s.write(key, "rejected too", between) == nil {
		return failed("a rejection lowers the fence", fmt.Sprintf("%s, then token %d", tried, between), fmt.Sprintf("token %d is rejected too: the key has accepted %d", between, fence), "it was accepted",
			"The rejected write has left its token behind as the new fence. Only an accepted write may set the fence.")
	}
	if err := s.write(key, "more from the holder", fence); err != nil {
		return failed("a rejection shuts the holder out", tried+", then the holder again", "the holder’s write is accepted", "it was rejected: "+err.Error(),
			"The holder did nothing wrong. A write that is rejected must leave the key exactly as it was.")
	}
	return check.Pass("after a rejection, value and fence are what they were")
}

func fencePerKey(s *session) check.Finding {
	one, other, tokens := s.key(), s.key(), s.tokens(3)
	low, lower, high := tokens[1], tokens[0], tokens[2]
	_ = s.write(one, "one", high)
	if err := s.write(other, "other", low); err != nil {
		return failed("one fence for all keys", fmt.Sprintf("token %d to %q, then token %d to %q, another key", high, one, low, other),
			"both are accepted", "the second was rejected: "+err.Error(),
			"Tokens count the grants of one lock, and another key is another lock’s: their numbers cannot be compared. Keep a fence for every key.")
	}
	if s.write(other, "old", lower) == nil {
		return everyTokenPast(fmt.Sprintf("token %d to %q, after the key had accepted %d", lower, other, low), "it is rejected")
	}
	if s.write(one, "old", low) == nil {
		return failed("only the last key has a fence", fmt.Sprintf("token %d to %q, token %d to %q, then token %d to %q", high, one, low, other, low, one),
			fmt.Sprintf("the last one is rejected: %q has accepted %d", one, high), "it was accepted",
			"Your storage knew one key’s fence until another key was written to. It must remember a fence for every key at the same time.")
	}
	if s.read(one) != "one" || s.read(other) != "other" {
		return failed("keys share a value", fmt.Sprintf("a write to %q and one to %q", one, other), "each key holds its own value", "they do not",
			"Store the value under its key.")
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
		keys[i], tokens[i] = s.key(), s.tokens(2)[1]
		_ = s.write(keys[i], "first", tokens[i])
	}
	if last := many - 1; s.write(keys[last], "old", tokens[last]-1) == nil {
		f := everyTokenPast(fmt.Sprintf("a lower token to %q, the key written last", keys[last]), "it is rejected")
		f.Events = s.last(1)
		return f
	}
	for i, key := range keys[:many-1] {
		if s.write(key, "old", tokens[i]-1) == nil {
			f := failed("the fence is forgotten", fmt.Sprintf("writes to %d keys, then a lower token to each", many), "every lower token is rejected",
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
	key, tokens := s.key(), s.tokens(2)
	_ = s.write(key, "in the first", tokens[1])
	tried := fmt.Sprintf("token %d to %q in one storage, then token %d to the same key in a new one", tokens[1], key, tokens[0])
	if err := other.Write(key, "in the second", tokens[0]); err != nil {
		return failed("storages share their fences", tried, "the new storage accepts it", "it was rejected: "+err.Error(),
			"Keep the fences in the storage that your constructor makes, not in a package variable: a new, empty storage has accepted no token yet.")
	}
	if got := s.read(key); got != "in the first" {
		return failed("storages share their values", tried, `the first storage still holds "in the first"`, fmt.Sprintf("it holds %q", got),
			"Keep the values in the storage that your constructor makes, not in a package variable: two storages are two places.")
	}
	return check.Pass("each has its own values and its own fences")
}

func pausedClient(s *session) check.Finding {
	preset := fencing.GCPause()
	preset.Name = "GC pause, with your storage"
	preset.FirstToken = s.tokens(1)[0]
	preset.Storage = s.storage
	trace := preset.Run()
	f := judgePause(trace)
	if f.State == check.Passed {
		f = judgeContent(s.storage)
	}
	f.Trace = trace
	if f.State == check.Failed {
		f.Tried = "the GC pause of the lesson: client 1 stands still past the end of its lease, client 2 writes, client 1 wakes and writes"
		f.Replay = append(check.Choices(preset.Faults), fmt.Sprintf("first token %d", preset.FirstToken))
	}
	return f
}

func judgeContent(storage fencing.Checker) check.Finding {
	const want = "from client 2"
	if got := storage.Read("report"); got != want {
		return failed("the data does not survive", "", fmt.Sprintf("the key then holds %q", want), fmt.Sprintf("it holds %q", got),
			"Every write was answered as it should be, and the key holds something else. Store exactly what you accept, and let Read return it.")
	}
	return check.Pass("client 1 woke and wrote, was rejected, and client 2’s data is still there")
}

func judgePause(trace *fencing.Trace) check.Finding {
	if f, bad := check.RunFailed(trace); bad {
		return f
	}
	for _, a := range trace.Attempts() {
		if a.Accepted == !a.Stale {
			continue
		}
		f := failed("a stale write gets past", "", "client 1’s write is rejected, and client 2’s data survives", trace.Verdict().Headline,
			"Read the two deciding events: when the second write arrived, which token had the key accepted already?")
		f.Events = check.Lines(trace, a.Before, a.Event)
		if !a.Accepted {
			f.Mistake, f.Expected = "a write in order is rejected", "a write is accepted if no higher token came before it"
			f.Think = "Client 2 holds the lock, and its token is the highest. What does your check hold against it?"
		}
		return f
	}
	return check.Pass("")
}
