package check

import (
	crypto "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// State is how a check, or a whole exercise, ended.
type State uint8

// The states. The zero state is that of an untouched notebook.
const (
	NotAttempted State = iota // the answer is still as it was handed out
	Passed
	Failed
	TimedOut // the answer did not come to an end in time
	Panicked
	NotRun // a check that could say nothing, because of what came before it
)

var stateNames = [...]string{
	NotAttempted: "not attempted", Passed: "passed", Failed: "failed",
	TimedOut: "timed out", Panicked: "panicked", NotRun: "not run",
}

// String returns the state's name, for example "timed out".
func (s State) String() string {
	if int(s) >= len(stateNames) {
		return "invalid"
	}
	return stateNames[s]
}

// Exercise is what stays the same for every answer to an exercise.
type Exercise struct {
	Name  string   // its package, as a cell names it: "fencedwrite"
	Todo  string   // what a learner who has not begun is told to do
	Right string   // why an answer that passed is right
	Call  string   // the call of Check with a %d for the seed, to run the same again
	Hints []string // from a nudge to nearly the answer
}

// Check is one thing that an exercise looks at.
type Check struct {
	Name  string
	Limit time.Duration  // of real time; 0 means 1.5 s
	Run   func() Finding // runs the answer and judges it
}

// Finding is what one check found, in the words of the course. A check that
// passed fills in Got with what it showed.
type Finding struct {
	Check    string         // the check's name
	State    State          // zero is never returned by a check that ran
	Mistake  string         // the misconception in a few words, the same for every answer that makes it
	Tried    string         // what was done with the answer
	Expected string         // what should have come of it
	Got      string         // what came of it
	Events   []string       // the events that decide it, a line each
	Trace    *fencing.Trace // the run of the learner's own code, if it ran in the simulator
	Run      string         // the title of that run; "" for that of any run of the learner's code
	Replay   []string       // the choices of the world that lead there again
	Think    string         // what to think about next
	On       string         // of a check that was not run: the check that it depends on
}

// Result is what an exercise found out about one answer. Findings has an entry
// for every check, in their order, whatever happened.
type Result struct {
	Exercise Exercise
	State    State
	Seed     uint64 // of everything that was drawn at random
	Findings []Finding
	Runaway  bool // some code of the answer still loops, and nothing can stop it
}

// First returns the first finding that did not pass, and false if all passed.
func (r Result) First() (Finding, bool) {
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.State != Passed })
	if i < 0 {
		return Finding{}, false
	}
	return r.Findings[i], true
}

// Finding returns what a check found.
func (r Result) Finding(check string) Finding {
	for _, f := range r.Findings {
		if f.Check == check {
			return f
		}
	}
	return Finding{Check: check, State: NotRun, Got: "this exercise has no such check"}
}

// Pass is the finding of a check that holds, with what it showed.
func Pass(shown string) Finding { return Finding{State: Passed, Got: shown} }

// Fail is the finding of a check that the answer did not pass.
func Fail(mistake, tried, expected, got, think string) Finding {
	return Finding{State: Failed, Mistake: mistake, Tried: tried, Expected: expected, Got: got, Think: think}
}

// Depends is the finding of a check that could not even begin, because of what
// the check named on looks at. If that one has passed, it is a failure of this
// check.
func Depends(on, mistake, tried, expected, got, think string) Finding {
	f := Fail(mistake, tried, expected, got, think)
	f.State, f.On = NotRun, on
	return f
}

// Seed returns the seed that was given, or draws a new one, so that no answer
// can know the numbers it will meet.
func Seed(given []uint64) uint64 {
	if len(given) > 0 {
		return given[0]
	}
	var b [8]byte
	_, _ = crypto.Read(b[:]) // never fails
	return uint64(binary.LittleEndian.Uint32(b[:]))
}

// Lines tells events of a trace as its story does, each once and in their order,
// with time and actor. A number that no event has, such as 0, is left out.
func Lines(trace *fencing.Trace, seqs ...int) []string {
	var lines []string
	for _, seq := range slices.Compact(slices.Sorted(slices.Values(seqs))) {
		if seq < 1 || seq > len(trace.Events) {
			continue
		}
		e := trace.Events[seq-1]
		lines = append(lines, fmt.Sprintf("%7s  %-*s  %s", fencing.Seconds(e.At), len(fencing.ActorLockService), e.Actor, trace.Sentence(e)))
	}
	return lines
}

// Choices writes faults as the choices of the world that they are.
func Choices(faults []fencing.Fault) []string {
	choices := make([]string, len(faults))
	for i, f := range faults {
		choices[i] = f.String()
	}
	return choices
}

// Happened returns the number of the first event of a kind by an actor, 0 if there
// is none.
func Happened(trace *fencing.Trace, kind fencing.Kind, actor string) int {
	for _, e := range trace.Events {
		if e.Kind == kind && e.Actor == actor {
			return e.Seq
		}
	}
	return 0
}

// Harm says what a correct program has suffered from the faults of a run, "" if
// nothing, and by which event: every client must come to its end, and the data of
// one must be there at the end.
func Harm(twin *fencing.Trace, last string) (why string, event int) {
	for _, client := range twin.Clients {
		if Happened(twin, fencing.Finished, client) == 0 {
			return client + " never came to an end", max(Happened(twin, fencing.Crashed, client), Happened(twin, fencing.Stuck, client))
		}
	}
	var content fencing.Content
	for _, content = range twin.Contents() {
	}
	if content.Client != last {
		return last + "’s data is gone", content.Event
	}
	return "", 0
}

// Tokens draws n tokens, rising, with gaps between them: a storage sees only the
// grants that led to a write. The first is above 100, so never 33 or 34.
func Tokens(random *rand.Rand, n int) []uint64 {
	tokens := make([]uint64, n)
	last := uint64(100)
	for i := range tokens {
		last += 10 + random.Uint64N(190)
		tokens[i] = last
	}
	return tokens
}

// FirstBroken returns the finding of the first rule that is broken, if any is.
func FirstBroken(rules ...func() (Finding, bool)) (Finding, bool) {
	for _, rule := range rules {
		if f, broken := rule(); broken {
			return f, true
		}
	}
	return Finding{}, false
}

// RunFailed turns the mistake that ended a run into a finding, and reports
// whether there was one. Events that say how it ended come before the sentence.
func RunFailed(trace *fencing.Trace) (Finding, bool) {
	if trace.Err() == nil {
		return Finding{}, false
	}
	for _, e := range trace.Events {
		switch e.Kind {
		case fencing.Panicked:
			value, stack, _ := strings.Cut(e.Note, "\n")
			f := Panic(value, stack)
			f.Trace = trace
			return f, true
		case fencing.Exited:
			f := Exit()
			f.Trace = trace
			return f, true
		}
	}
	f := Finding{State: Failed, Mistake: "the run has an error", Expected: "the run comes to an end", Got: trace.Err().Error(), Trace: trace,
		Think: "The sentence above says what to do instead."}
	if spent, _, endless := strings.Cut(f.Got, ": end the loop"); endless {
		last := len(trace.Events)
		f.Mistake, f.Got, f.Events = "a loop without an end", spent+", and was stopped", Lines(trace, last-3, last-2, last-1, last)
		f.Think = "Which of your loops has no way out? One that tries until it is answered goes on for ever when no answer comes. Let it look at the error, and at the time."
	}
	return f, true
}
