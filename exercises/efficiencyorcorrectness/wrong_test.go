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
	prove.Exercise(t, of, stub.Choose, Choose, catalogue)
}

const (
	forCheck   = "what the lock is for"
	dataCheck  = "no data is lost"
	paidCheck  = "no payment is made twice"
	workCheck  = "the work that is saved is worth it"
	spareCheck = "nothing is there for nothing"
)

var catalogue = []prove.Wrong[ec.Answer]{
	{Name: "all locks save work", Check: forCheck, Mistake: "correctness taken for efficiency", Answer: but(func(_ ec.Job, c *ec.Choice) { c.For = ec.Efficiency })},
	{Name: "all locks are for correctness", Check: forCheck, Mistake: "efficiency taken for correctness", Answer: but(func(_ ec.Job, c *ec.Choice) { c.For = ec.Correctness })},
	{Name: "an e-mail twice is damage", Check: forCheck, Mistake: "efficiency taken for correctness", Answer: but(func(j ec.Job, c *ec.Choice) {
		if j.Effect == ec.Mail {
			c.For = ec.Correctness
		}
	})},
	{Name: "only records can be damaged", Check: forCheck, Mistake: "correctness taken for efficiency", Answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.For = ec.Efficiency
		}
	})},
	{Name: "whatever costs much is correctness", Check: forCheck, Mistake: "efficiency taken for correctness", Answer: but(func(j ec.Job, c *ec.Choice) {
		if j.RunsPerYear*j.TwiceCents > ec.LockCentsPerYear {
			c.For = ec.Correctness
		}
	})},
	{Name: "no purpose but in the example", Check: forCheck, Mistake: "no purpose", Answer: but(func(j ec.Job, c *ec.Choice) {
		if j != ec.Examples[0] {
			c.For = ""
		}
	})},

	{Name: "always a lease", Check: dataCheck, Mistake: "a lease alone in place of a fence", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, false, false })},
	{Name: "never a guard", Check: dataCheck, Mistake: "nothing around a read and a write", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = false, false, false })},
	{Name: "a key and no lock", Check: dataCheck, Mistake: "nothing around a read and a write", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = false, false, true })},
	{Name: "a key in place of a fence", Check: dataCheck, Mistake: "a key in place of a fence", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, false, true })},
	{Name: "a fence and no lock", Check: dataCheck, Mistake: "a fence without a lock", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock = false })},

	{Name: "a fence against everything", Check: paidCheck, Mistake: "a fence against an effect outside", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence, c.Key = true, true, false })},
	{Name: "a lease is enough for a payment", Check: paidCheck, Mistake: "a lease against an effect outside", Answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.Lock, c.Key = true, false
		}
	})},
	{Name: "nothing for what is made anew", Check: paidCheck, Mistake: "nothing against an effect outside", Answer: but(func(j ec.Job, c *ec.Choice) {
		if !j.AddsTo {
			c.Lock, c.Key = false, false
		}
	})},

	{Name: "no lock for efficiency", Check: workCheck, Mistake: "no lock where it pays", Answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence })},
	{Name: "a key makes the lock needless", Check: workCheck, Mistake: "no lock where it pays", Answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence || c.Lock && !c.Key })},
	{Name: "a lock only where one run more is dear", Check: workCheck, Mistake: "no lock where it pays", Answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Fence || j.TwiceCents > 1_000 })},

	{Name: "a fence to be sure", Check: spareCheck, Mistake: "a fence where nothing is added to", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock, c.Fence = true, true })},
	{Name: "a key to be sure", Check: spareCheck, Mistake: "a key where nothing is paid", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Key = true })},
	{Name: "a key for every e-mail", Check: spareCheck, Mistake: "a key where nothing is paid", Answer: but(func(j ec.Job, c *ec.Choice) { c.Key = j.Effect != ec.NoEffect })},
	{Name: "always a lock", Check: spareCheck, Mistake: "a lock that costs more than it saves", Answer: but(func(_ ec.Job, c *ec.Choice) { c.Lock = true })},
	{Name: "a lock for every payment", Check: spareCheck, Mistake: "a lock that costs more than it saves", Answer: but(func(j ec.Job, c *ec.Choice) { c.Lock = c.Lock || c.Key })},

	{Name: "a panic", Check: forCheck, Mistake: "nil map", State: check.Panicked, Answer: func(j ec.Job) ec.Choice {
		var chosen map[string]ec.Choice
		chosen[j.Name] = ec.Choice{}
		return ec.Choice{}
	}},
	{Name: "an exit", Check: forCheck, Mistake: "ends its goroutine", Answer: func(ec.Job) ec.Choice { runtime.Goexit(); return ec.Choice{} }},
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
