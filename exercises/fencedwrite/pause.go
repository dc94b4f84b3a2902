package fencedwrite

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// observed is the learner's storage in the simulator, with a read after every
// write. The simulator believes what Write answers, and its story and its chart
// tell that; what the key really holds only Read can say.
type observed struct {
	fencing.Checker
	reads []string // what Read returned after each write
}

func (o *observed) Write(key, value string, token uint64) error {
	err := o.Checker.Write(key, value, token)
	o.reads = append(o.reads, o.Read(key))
	return err
}

func pausedClient(s *session) check.Finding {
	storage := &observed{Checker: s.storage}
	preset := fencing.GCPause()
	preset.Name = "GC pause, with your storage"
	preset.FirstToken = check.Tokens(s.random, 1)[0]
	preset.Storage = storage
	trace := preset.Run()
	f := storage.judge(trace)
	if f.State != check.Passed {
		f.Tried = "the GC pause of the lesson: client 1 stands still past the end of its lease, client 2 writes, client 1 wakes and writes"
		f.Replay = append(check.Choices(preset.Faults), fmt.Sprintf("first token %d", preset.FirstToken))
	}
	if f.Trace != nil {
		f.Run = "The timeline of your own storage, under the GC pause of the lesson:"
	}
	return f
}

// judge returns what the run shows. The finding has the run only if its chart
// tells what the storage holds.
func (o *observed) judge(trace *fencing.Trace) check.Finding {
	if f, bad := check.RunFailed(trace); bad {
		return f
	}
	f := o.judgeAnswers(trace)
	at := o.contradiction(trace)
	if f.State == check.Passed {
		f = o.judgeContent(trace, at)
	}
	if at < 0 {
		f.Trace = trace
		return f
	}
	f.Got += ". (A timeline would show what Write answered, and Read says otherwise: so there is none.)"
	f.Events = o.told(trace)
	return f
}

// contradiction returns the first write after which Read did not return what
// Write's answers say that the key holds, -1 if there is none.
func (o *observed) contradiction(trace *fencing.Trace) int {
	holds := ""
	for i, a := range trace.Attempts() {
		if a.Accepted {
			holds = a.Value
		}
		if o.reads[i] != holds {
			return i
		}
	}
	return -1
}

func (o *observed) judgeAnswers(trace *fencing.Trace) check.Finding {
	for i, a := range trace.Attempts() {
		if a.Accepted == !a.Stale {
			continue
		}
		if !a.Accepted {
			f := check.Fail("a write in order is rejected", "", "a write is accepted if no higher token came before it", trace.Verdict().Headline,
				"Client 2 holds the lock, and its token is the highest. What does your check hold against it?")
			f.Got = fmt.Sprintf("the write of %s with token %d is rejected at %s", a.Client, a.Token, fencing.Seconds(a.At))
			f.Events = check.Lines(trace, a.Before, a.Event)
			return f
		}
		f := check.Fail("a stale write gets past", "", "client 1’s write is rejected, and client 2’s data survives",
			fmt.Sprintf("the write of %s with token %d is accepted at %s, after token %d; Read then returns %q", a.Client, a.Token, fencing.Seconds(a.At), a.Fence, o.reads[i]),
			"Read the two deciding events: when the second write arrived, which token had the key accepted already?")
		f.Events = check.Lines(trace, a.Before, a.Event)
		return f
	}
	return check.Pass("client 1 woke and wrote, was rejected, and client 2’s data is still there")
}

// judgeContent looks at what Read returned in a run in which all the answers of
// Write were right.
func (o *observed) judgeContent(trace *fencing.Trace, at int) check.Finding {
	if at < 0 {
		return check.Pass("client 1 woke and wrote, was rejected, and client 2’s data is still there")
	}
	a := trace.Attempts()[at]
	got := fmt.Sprintf("after the write at %s, which was %s, Read returned %q", fencing.Seconds(a.At), answer(a), o.reads[at])
	if a.Accepted {
		return check.Depends(firstCheck, "value not read back", "", fmt.Sprintf("Read returns %q once that write was accepted", a.Value), got, notReadBack)
	}
	return check.Fail("the data does not survive", "", `Read returns "from client 2" to the end`, got,
		"Every write was answered as it should be, and the key holds something else. Store exactly what you accept, and let Read return it.")
}

func answer(a fencing.Attempt) string {
	if a.Accepted {
		return "accepted"
	}
	return "rejected"
}

// told tells the writes and what was read after each, without the simulator's
// words for what became of the data.
func (o *observed) told(trace *fencing.Trace) []string {
	var lines []string
	for i, a := range trace.Attempts() {
		lines = append(lines,
			fmt.Sprintf("%7s  write %q with token %d: %s", fencing.Seconds(a.At), a.Value, a.Token, answer(a)),
			fmt.Sprintf("%7s  read: %q", fencing.Seconds(a.At), o.reads[i]))
	}
	return lines
}
