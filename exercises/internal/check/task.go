package check

import "testing"

// Task is one exercise with what judges its answers. A is the type of an
// answer, for example func() fencing.Checker.
type Task[A any] struct {
	Exercise

	// Attempted says whether the answer differs from the cell as it is handed out.
	Attempted func(answer A) bool

	// Checks returns what is asked of the answer, in the order of the report. All
	// that is drawn at random depends on the seed alone.
	Checks func(answer A, seed uint64) []Check
}

// Evaluate judges an answer without reporting.
func (task Task[A]) Evaluate(answer A, seed uint64) Result {
	return Evaluate(task.Exercise, seed, func() bool { return task.Attempted(answer) }, task.Checks(answer, seed))
}

// Check judges an answer and reports to the learner and to the test. Without a
// seed it draws one.
func (task Task[A]) Check(tb testing.TB, answer A, seed ...uint64) {
	tb.Helper()
	Report(tb, task.Evaluate(answer, Seed(seed)))
}

// Hint prints one hint, counted from 1.
func (task Task[A]) Hint(n int) { Hint(task.Exercise, n) }

// Rule is what a check asks of S, the answer as it was run.
type Rule[S any] struct {
	Name  string
	Judge func(S) Finding
}

// Each makes a check of every rule. Run runs the answer anew for the rule with
// this number and returns what the rule says about it.
func Each[S any](rules []Rule[S], run func(number int, rule func(S) Finding) Finding) []Check {
	list := make([]Check, len(rules))
	for i, rule := range rules {
		list[i] = Check{Name: rule.Name, Run: func() Finding { return run(i, rule.Judge) }}
	}
	return list
}
