// Package exercises lists the course's exercises and reads the cells that belong
// to them: the one that is handed out, and the one of the reference solution.
//
// Each exercise is a folder of its own, and both cells are Go files in it, so
// that the compiler and the tests see them:
//
//	exercises/NAME/stub/stub.go      the cell as it is handed out
//	exercises/NAME/solution_test.go  the reference solution, for the same cell
//
// A cell is such a file without its package clause and its imports; GoNB's
// goimports adds those. The solution stands in a _test.go file, so that no cell
// can import it.
package exercises

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Exercise is one exercise of the course.
type Exercise struct {
	Name   string // its folder and package
	Lesson string // the notebook that it belongs to, without its ending
	Title  string // what the learner does
	Answer string // what the cell hands to the exercise's Check and Evaluate: "NewStorage"
	Points int    // what it counts in a grading: 1 for a choice, 2 for a function, 3 for more
}

// All returns the exercises in the order of the course.
func All() []Exercise {
	return []Exercise{
		{Name: "ownrelease", Lesson: "01-acquire-renew-release", Title: "release only your own lock", Answer: "Release", Points: 2},
		{Name: "placethepause", Lesson: "02-gc-pause", Title: "place the pause", Answer: "PlaceThePause", Points: 2},
		{Name: "breakclient", Lesson: "03-check-then-write", Title: "break four careful clients", Answer: "Break", Points: 2},
		{Name: "timedoutwrite", Lesson: "04-delayed-write", Title: "react to a write that timed out", Answer: "Reaction", Points: 3},
		{Name: "renewingworker", Lesson: "05-renewing-more-often", Title: "renew, and stop in time", Answer: "Renewing", Points: 3},
		{Name: "readtimeline", Lesson: "05-renewing-more-often", Title: "read a timeline", Answer: "Read", Points: 1},
		{Name: "fencedwrite", Lesson: "06-fencing-tokens", Title: "write the storage’s check", Answer: "NewStorage", Points: 2},
		{Name: "whichtoken", Lesson: "06-fencing-tokens", Title: "which number is a token", Answer: "Tokens", Points: 1},
		{Name: "claimfirst", Lesson: "07-the-hole", Title: "claim first", Answer: "AddLine", Points: 2},
		{Name: "severalresources", Lesson: "07-the-hole", Title: "two keys, two fences", Answer: "Transfers", Points: 3},
		{Name: "checkpoint", Lesson: "07-the-hole", Title: "go on from what is committed", Answer: "Process", Points: 2},
		{Name: "efficiencyorcorrectness", Lesson: "08-efficiency-or-correctness", Title: "what guards a job enough", Answer: "Choose", Points: 2},
		{Name: "leaselength", Lesson: "08-efficiency-or-correctness", Title: "how long a lease should be", Answer: "Length", Points: 2},
		{Name: "afterrestore", Lesson: "09-redlock", Title: "tokens after a restore", Answer: "Next", Points: 2},
		{Name: "withoutalock", Lesson: "10-without-a-lock", Title: "settle once, without a lock", Answer: "Settlement", Points: 3},
		{Name: "appendledger", Lesson: "10-without-a-lock", Title: "append to a ledger", Answer: "Append", Points: 3},
		{Name: "payout", Lesson: "10-without-a-lock", Title: "pay out once", Answer: "Payouts", Points: 3},
		{Name: "breakstorage", Lesson: "11-find-the-failure", Title: "break three storages", Answer: "Break", Points: 2},
		{Name: "rightnumber", Lesson: "12-real-systems", Title: "take the right number", Answer: "Tokens", Points: 2},
		{Name: "settlementledger", Lesson: "13-interview", Title: "settle every account once", Answer: "Settle", Points: 3},
	}
}

// Stub returns the cell as it is handed out. Root is the folder of the module.
func (e Exercise) Stub(root string) (string, error) {
	return cell(filepath.Join(root, "exercises", e.Name, "stub", "stub.go"))
}

// Solution returns the reference solution, which goes into the stub's place. The
// student edition of the course has none.
func (e Exercise) Solution(root string) (string, error) {
	text, err := cell(filepath.Join(root, "exercises", e.Name, "solution_test.go"))
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("this edition of the course has no solutions: ask whoever gave it to you")
	}
	return text, err
}

// cell returns what a Go file holds below its imports.
func cell(file string) (string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the cell of an exercise: %w", err)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ImportsOnly)
	if err != nil {
		return "", fmt.Errorf("read the cell of an exercise: %w", err)
	}
	end := parsed.Name.End()
	for _, d := range parsed.Decls {
		if imports, ok := d.(*ast.GenDecl); ok {
			end = imports.End()
		}
	}
	return strings.TrimSpace(string(source[files.Position(end).Offset:])), nil
}
