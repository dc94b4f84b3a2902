package efficiencyorcorrectness_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	ec "fencingtokens/exercises/efficiencyorcorrectness"
	"fencingtokens/exercises/efficiencyorcorrectness/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
)

func of(answer ec.Answer) prove.Answer {
	return func(seed uint64) check.Result { return ec.Evaluate(answer, seed) }
}

// but is the right answer with one change.
func but(change func(ec.Job, *ec.Choice)) ec.Answer {
	return func(j ec.Job) ec.Choice {
		c := Choose(j)
		change(j, &c)
		return c
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
	prove.Exercise(t, of(stub.Choose), of(Choose), wrong)
}

const (
	forCheck   = "what the lock is for"
	dataCheck  = "no data is lost"
	paidCheck  = "no payment is made twice"
	workCheck  = "the work that is saved is worth it"
	spareCheck = "nothing is there for nothing"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               ec.Answer
}{
	{name: "all locks save work", check: forCheck, mistake: "correctness taken for efficiency", answer: but(func(_ ec.Job, c *ec.Choice) { c.For = ec.Efficiency })},
	{name: "all locks are for correctness", check: forCheck, mistake: "efficiency taken for correctness", answer: but(func(_ ec.Job, c *ec.Choice) { c.For = ec.Correctness })},
	{name: "an e-mail twice is damage", check: forCheck, mistake: "efficiency taken for correctness", answer: but(func(j ec.Job, c *ec.Choice) {
		if j.Effect == ec.Mail {
			c.For = ec.Correctness
		}
	})},
	{name: "only records can be damaged", check: forCheck, mistake: "correctness taken for efficiency", answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.For = ec.Efficiency
		}
	})},
	{name: "whatever costs much is correctness", check: forCheck, mistake: "efficiency taken for correctness", answer: but(func(j ec.Job, c *ec.Choice) {
		if j.RunsPerYear*j.TwiceCents > ec.LockCentsPerYear {
			c.For = ec.Correctness
		}
	})},
	{name: "no purpose but in the example", check: forCheck, mistake: "no purpose", answer: but(func(j ec.Job, c *ec.Choice) {
		if j != ec.Examples[0] {
			c.For = ""
		}
	})},

	{name: "always a lease", check: dataCheck, mistake: "a lease alone in place of a fence", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, false, false })},
	{name: "never a guard", check: dataCheck, mistake: "nothing around a read and a write", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = false, false, false })},
	{name: "a key and no lock", check: dataCheck, mistake: "nothing around a read and a write", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = false, false, true })},
	{name: "a key in place of a fence", check: dataCheck, mistake: "a key in place of a fence", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, false, true })},
	{name: "a fence and no lock", check: dataCheck, mistake: "a fence without a lock", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock = false })},

	{name: "a fence against everything", check: paidCheck, mistake: "a fence against an effect outside", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, true, false })},
	{name: "a lease is enough for a payment", check: paidCheck, mistake: "a lease against an effect outside", answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.Lock, c.Key = true, false
		}
	})},
	{name: "nothing for what is made anew", check: paidCheck, mistake: "nothing against an effect outside", answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.Lock, c.Key = false, false
		}
	})},

	{name: "no lock for efficiency", check: workCheck, mistake: "no lock where it pays", answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence })},
	{name: "a key makes the lock needless", check: workCheck, mistake: "no lock where it pays", answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence || c.Lock && !c.Key })},
	{name: "a lock only where one run more is dear", check: workCheck, mistake: "no lock where it pays", answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence || j.TwiceCents > 1_000 })},

	{name: "a fence to be sure", check: spareCheck, mistake: "a fence where nothing is added to", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence = true, true })},
	{name: "a key to be sure", check: spareCheck, mistake: "a key where nothing is paid", answer: but(func(_ ec.Job, c *ec.Choice) { c.Key = true })},
	{name: "a key for every e-mail", check: spareCheck, mistake: "a key where nothing is paid", answer: but(func(j ec.Job, c *ec.Choice) { c.Key = j.Effect != ec.NoEffect })},
	{name: "always a lock", check: spareCheck, mistake: "a lock that costs more than it saves", answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock = true })},
	{name: "a lock for every payment", check: spareCheck, mistake: "a lock that costs more than it saves", answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Lock || c.Key })},

	{name: "a panic", check: forCheck, mistake: "nil map", state: check.Panicked, answer: func(j ec.Job) ec.Choice {
		var chosen map[string]ec.Choice
		chosen[j.Name] = ec.Choice{}
		return ec.Choice{}
	}},
	{name: "an exit", check: forCheck, mistake: "ends its goroutine", answer: func(ec.Job) ec.Choice { runtime.Goexit(); return ec.Choice{} }},
}

// A list by name or by place is no answer: names and order say nothing.
func TestALearnedListNeverPasses(t *testing.T) {
	known := map[string]ec.Choice{}
	var inOrder []ec.Choice
	of(func(j ec.Job) ec.Choice {
		known[j.Name] = Choose(j)
		inOrder = append(inOrder, Choose(j))
		return Choose(j)
	})(1)
	for seed := range uint64(50) {
		seed += 2
		assert.Equal(t, check.Failed, of(func(j ec.Job) ec.Choice { return known[j.Name] })(seed).State, "by name, seed %d", seed)
		i := 0
		assert.Equal(t, check.Failed, of(func(ec.Job) ec.Choice { i++; return inOrder[i%len(inOrder)] })(seed).State, "by place, seed %d", seed)
	}
}
