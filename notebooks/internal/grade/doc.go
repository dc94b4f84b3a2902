//go:build !windows

// Package grade judges the notebooks of a whole class and writes a table of it.
//
// # What is handed in
//
// A folder with one entry a student: a folder, a notebook or a zip file, whose
// name is the student's. It may hold the notebooks of several lessons, under any
// names, also in folders and zip files below. Which lesson a notebook is, is told
// by the ids of its cells, else by its file's name; what is neither may hold the
// answers to any exercise. Of two notebooks of one lesson the one with the
// lesson's own name counts first, then the others by name, and of these the first
// with an attempt. Symbolic links are not followed, zip files are read in memory
// and never unpacked, and what is larger than 20 MB is not read.
//
// # How it is judged
//
// Package answer says what of a notebook is taken for an answer, package judge
// how it is run, and what that promises. The checks are those of the course that
// grades. All answers get the same seed, so that grading again gives the same
// states. An answer that timed out is judged once more when nothing else runs,
// since a busy machine may be to blame.
//
// # The table
//
// It has a row for every student, whatever was handed in, sorted by name. The
// columns: student, points, possible, note; then for each exercise in the
// course's order its state, the first check that did not pass, the misconception
// that the check found (or what the compiler said), and the seconds that judging
// took. All but the seconds is the same when the same is graded again.
//
// The states:
//
//	passed           all checks passed; it alone gives points
//	failed           a check did not pass, or the answer broke its limits
//	timed out        it did not come to an end
//	panicked         it panicked
//	not attempted    it is as it was handed out
//	does not compile the compiler, or the parser, does not take it
//	refused          it uses what no answer may (see package answer)
//	answer missing   no cell declares it
//	unreadable       the same, and a notebook of the student could not be read
//	not judged       the machine failed, not the student: grade again
//
// A text that a spreadsheet would take for a formula begins with an apostrophe.
package grade
