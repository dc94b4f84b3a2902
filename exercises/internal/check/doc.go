// Package check is what all exercises share: how an answer is run, what state
// it ends in, and how the outcome is told.
//
// An exercise is a package with three functions over one [Task]:
//
//	func Evaluate(answer Answer, seed uint64) check.Result  // judges, prints nothing
//	func Check(t testing.TB, answer Answer, seed ...uint64) // judges and reports
//	func Hint(n int)                                        // prints one hint
//
// Judging and reporting are kept apart, so that an exercise's tests can prove by
// the result which check stops which wrong answer, and a grader can read it.
//
// A new exercise is a folder with doc.go (the task, what a right answer shows,
// how it is defended), NAME.go (the task's values), the checks, stub/stub.go and
// solution_test.go (the two cells, see package exercises), wrong_test.go (a
// catalogue of wrong answers) and one line in exercises.All. Package prove has
// the tests that all of them share.
//
// Every check of an exercise has a name, a time limit and a goroutine of its
// own. A panic, an exit or a hang in one is a finding under its name, and the
// others still run. What a check returns is a [Finding] in the words of the
// course; [Report] prints them to standard output in one fixed order. Nothing
// is written to standard error: some graders take a line there as a failure.
package check
