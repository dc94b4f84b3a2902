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
	prove.Exercise(t, of, stub.Read, Read, catalogue)
}

const (
	lateCheck  = "late writes"
	staleCheck = "stale writes"
	endCheck   = "whose data is there at the end"
	bothCheck  = "how long both believed"
)

var catalogue = []prove.Wrong[readtimeline.Answer]{
	{Name: "no number", Check: lateCheck, Mistake: "no number", Answer: func() readtimeline.Readings {
		r := Read()
		r.Number = 0
		return r
	}},
	{Name: "late is what comes after a higher token", Check: lateCheck, Mistake: "late taken for stale", Answer: misread(3, func(r *reading) { r.Late = 0 })},
	{Name: "late is what is rejected", Check: lateCheck, Mistake: "only what is rejected counted as late", Answer: misread(2, func(r *reading) { r.Late = 0 })},
	{Name: "late is what comes after a pause", Check: lateCheck, Mistake: "a write in time called late", Answer: misread(1, func(r *reading) { r.Late = 1 })},
	{Name: "ten late writes", Check: lateCheck, Mistake: "more writes than there are", Answer: misread(1, func(r *reading) { r.Late = 10 })},
	{Name: "a rejected write is not late", Check: lateCheck, Mistake: "a late write not seen", Answer: fenced(func(r *reading) { r.Late = 0 })},

	{Name: "late is stale", Check: staleCheck, Mistake: "every late write is stale", Answer: misread(3, func(r *reading) { r.Stale = 1 })},
	{Name: "a second write is stale", Check: staleCheck, Mistake: "a write in order called stale", Answer: misread(1, func(r *reading) { r.Stale = 1 })},
	{Name: "a rejected write is not stale", Check: staleCheck, Mistake: "a stale write not seen", Answer: fenced(func(r *reading) { r.Stale = 0 })},

	{Name: "the last who tried", Check: endCheck, Mistake: "a rejected write stores", Answer: fenced(func(r *reading) { r.AtTheEnd = "client 1" })},
	{Name: "the highest token, without fencing", Check: endCheck, Mistake: "the highest token wins", Answer: misread(2, func(r *reading) { r.AtTheEnd = "client 2" })},
	{Name: "who came first", Check: endCheck, Mistake: "the first write stays", Answer: misread(1, func(r *reading) { r.AtTheEnd = "client 1" })},
	{Name: "both of them", Check: endCheck, Mistake: "no such client", Answer: misread(1, func(r *reading) { r.AtTheEnd = "both" })},

	{Name: "belief ends with the lease", Check: bothCheck, Mistake: "belief ends with the lease", Answer: misread(2, func(r *reading) { r.Overlap = 0 })},
	{Name: "only while both run", Check: bothCheck, Mistake: "only while both run", Answer: misread(2, func(r *reading) { r.Overlap = 6 * time.Second })},
	{Name: "from the beginning of the pause", Check: bothCheck, Mistake: "from the beginning of the pause", Answer: misread(2, func(r *reading) { r.Overlap = 15 * time.Second })},
	{Name: "the pause", Check: bothCheck, Mistake: "the pause measured", Answer: misread(2, func(r *reading) { r.Overlap = 9 * time.Second })},
	{Name: "a guess", Check: bothCheck, Mistake: "another length", Answer: misread(2, func(r *reading) { r.Overlap = 3 * time.Second })},
	{Name: "minutes", Check: bothCheck, Mistake: "longer than the run", Answer: misread(2, func(r *reading) { r.Overlap = 7 * time.Minute })},

	{Name: "a panic", Check: lateCheck, Mistake: "panic", State: check.Panicked, Answer: func() readtimeline.Readings { panic("no idea") }},
	{Name: "an exit", Check: lateCheck, Mistake: "ends its goroutine", Answer: func() readtimeline.Readings { runtime.Goexit(); return Read() }},
}
