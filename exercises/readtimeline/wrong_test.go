package readtimeline_test

import (
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/readtimeline"
	"fencingtokens/exercises/readtimeline/stub"
)

type reading = readtimeline.Reading

func of(answer readtimeline.Answer) prove.Answer {
	return func(seed uint64) check.Result { return readtimeline.Evaluate(answer, seed) }
}

// misread returns the right readings with one of them changed. Run 2 of number 1
// accepts a stale write; run 3 has a late one that is not stale.
func misread(run int, change func(*reading)) readtimeline.Answer {
	return func() readtimeline.Readings {
		r := Read()
		change(&r.Runs[run-1])
		return r
	}
}

// fenced are the right readings of number 3, whose last run rejects a stale write.
func fenced(change func(*reading)) readtimeline.Answer {
	return func() readtimeline.Readings {
		r := readtimeline.Readings{Number: 3, Runs: [3]reading{
			{Late: 1, AtTheEnd: "client 2", Overlap: 6500 * time.Millisecond},
			{AtTheEnd: "client 2"},
			{Late: 1, Stale: 1, AtTheEnd: "client 2", Overlap: 5 * time.Second},
		}}
		change(&r.Runs[2])
		return r
	}
}

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Read), of(Read), wrong)
}

const (
	lateCheck  = "late writes"
	staleCheck = "stale writes"
	endCheck   = "whose data is there at the end"
	bothCheck  = "how long both believed"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               readtimeline.Answer
}{
	{name: "no number", check: lateCheck, mistake: "no number", answer: func() readtimeline.Readings {
		r := Read()
		r.Number = 0
		return r
	}},
	{name: "late is what comes after a higher token", check: lateCheck, mistake: "late taken for stale", answer: misread(3, func(r *reading) { r.Late = 0 })},
	{name: "late is what is rejected", check: lateCheck, mistake: "only what is rejected counted as late", answer: misread(2, func(r *reading) { r.Late = 0 })},
	{name: "late is what comes after a pause", check: lateCheck, mistake: "a write in time called late", answer: misread(1, func(r *reading) { r.Late = 1 })},
	{name: "ten late writes", check: lateCheck, mistake: "more writes than there are", answer: misread(1, func(r *reading) { r.Late = 10 })},
	{name: "a rejected write is not late", check: lateCheck, mistake: "a late write not seen", answer: fenced(func(r *reading) { r.Late = 0 })},

	{name: "late is stale", check: staleCheck, mistake: "every late write is stale", answer: misread(3, func(r *reading) { r.Stale = 1 })},
	{name: "a second write is stale", check: staleCheck, mistake: "a write in order called stale", answer: misread(1, func(r *reading) { r.Stale = 1 })},
	{name: "a rejected write is not stale", check: staleCheck, mistake: "a stale write not seen", answer: fenced(func(r *reading) { r.Stale = 0 })},

	{name: "the last who tried", check: endCheck, mistake: "a rejected write stores", answer: fenced(func(r *reading) { r.AtTheEnd = "client 1" })},
	{name: "the highest token, without fencing", check: endCheck, mistake: "the highest token wins", answer: misread(2, func(r *reading) { r.AtTheEnd = "client 2" })},
	{name: "who came first", check: endCheck, mistake: "the first write stays", answer: misread(1, func(r *reading) { r.AtTheEnd = "client 1" })},
	{name: "both of them", check: endCheck, mistake: "no such client", answer: misread(1, func(r *reading) { r.AtTheEnd = "both" })},

	{name: "belief ends with the lease", check: bothCheck, mistake: "belief ends with the lease", answer: misread(2, func(r *reading) { r.Overlap = 0 })},
	{name: "only while both run", check: bothCheck, mistake: "only while both run", answer: misread(2, func(r *reading) { r.Overlap = 6 * time.Second })},
	{name: "from the beginning of the pause", check: bothCheck, mistake: "from the beginning of the pause", answer: misread(2, func(r *reading) { r.Overlap = 15 * time.Second })},
	{name: "the pause", check: bothCheck, mistake: "the pause measured", answer: misread(2, func(r *reading) { r.Overlap = 9 * time.Second })},
	{name: "a guess", check: bothCheck, mistake: "another length", answer: misread(2, func(r *reading) { r.Overlap = 3 * time.Second })},
	{name: "minutes", check: bothCheck, mistake: "longer than the run", answer: misread(2, func(r *reading) { r.Overlap = 7 * time.Minute })},

	{name: "a panic", check: lateCheck, mistake: "panic", state: check.Panicked, answer: func() readtimeline.Readings { panic("no idea") }},
	{name: "an exit", check: lateCheck, mistake: "ends its goroutine", answer: func() readtimeline.Readings { runtime.Goexit(); return Read() }},
}
