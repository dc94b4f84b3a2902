//go:build !windows

package grade

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/author"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

// The two exercises that the class of the tests has answered.
const (
	pause, pauseLesson = "placethepause", "02-gc-pause"
	write, writeLesson = "fencedwrite", "06-fencing-tokens"
)

// bench makes what students hand in.
type bench struct {
	t *testing.T
	course.Course
	dir string
}

func newBench(t *testing.T) bench {
	c, err := course.Find()
	require.NoError(t, err)
	return bench{t, c, t.TempDir()}
}

func (b bench) exercise(name string) exercises.Exercise {
	for _, e := range exercises.All() {
		if e.Name == name {
			return e
		}
	}
	b.t.Fatalf("there is no exercise %s", name)
	return exercises.Exercise{}
}

func (b bench) solution(name string) string {
	text, err := b.exercise(name).Solution(b.Root)
	require.NoError(b.t, err)
	return text
}

func (b bench) stub(name string) string {
	text, err := b.exercise(name).Stub(b.Root)
	require.NoError(b.t, err)
	return text
}

func (b bench) lesson(name string) []byte {
	data, err := os.ReadFile(b.Notebooks(name + ".ipynb"))
	require.NoError(b.t, err)
	return data
}

// answered is the exercise's lesson with other cells in the place of its own.
func (b bench) answered(name string, cells ...string) []byte {
	data := b.lesson(b.exercise(name).Lesson)
	n, err := ipynb.Parse(data)
	require.NoError(b.t, err)
	at := -1
	for i, c := range n.Cells {
		if c.Code() && strings.TrimSpace(string(c.Source)) == b.stub(name) {
			at = i
		}
	}
	require.GreaterOrEqual(b.t, at, 0)
	data, err = ipynb.Keep(data, func(i int, _ *ipynb.Cell) bool { return i != at })
	require.NoError(b.t, err)
	for i, source := range cells {
		data, err = ipynb.Insert(data, at+i, fmt.Sprintf("mine-%d", i), source)
		require.NoError(b.t, err)
	}
	return data
}

// with is the stub of the fenced write with another Write, and what comes below.
func (b bench) with(body, below string) []byte {
	cell := strings.Replace(b.stub(write), "return fencedwrite.ErrNotAttempted // your check goes here", body, 1)
	return b.answered(write, cell+"\n"+below)
}

func (b bench) put(name string, data []byte) {
	file := filepath.Join(b.dir, name)
	require.NoError(b.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(b.t, os.WriteFile(file, data, 0o644))
}

func (b bench) zipped(files map[string][]byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, data := range files {
		f, err := w.Create(name)
		require.NoError(b.t, err)
		_, err = f.Write(data)
		require.NoError(b.t, err)
	}
	require.NoError(b.t, w.Close())
	return out.Bytes()
}

// grade returns the table's lines by student, each by column, and what was said.
func (b bench) grade() (map[string]map[string]string, string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "grades.csv")
	var said strings.Builder
	require.NoError(b.t, Class(b.t.Context(), b.Course, b.dir, Options{Out: file, Seed: 1}, &said))
	data, err := os.ReadFile(file)
	require.NoError(b.t, err)
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(b.t, err)
	table := map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		table[row["student"]] = row
	}
	return table, said.String()
}

var cellNumber = regexp.MustCompile(`^cell \d+`)

// limits is the check that an answer does not pass which ends its process.
const limits = "the answer keeps to its process and its limits"

func TestAClassOfThirtyIsGradedRightWhateverIsHandedIn(t *testing.T) {
	b := newBench(t)
	solved := map[string][]byte{pauseLesson: b.answered(pause, b.solution(pause)), writeLesson: b.answered(write, b.solution(write))}
	wrongWrite := "s.values[key] = value\n\treturn nil"
	wrong := strings.Replace(b.stub(write), "return fencedwrite.ErrNotAttempted // your check goes here", wrongWrite, 1)
	helped := strings.Replace(b.solution(write), "token < s.fences[key]", "lower(token, s.fences[key])", 1)
	require.Contains(t, helped, "lower(")
	secret := filepath.Join(b.Root, "exercises", write, "solution_test.go")
	require.FileExists(t, secret)
	mallory := `
func stolen() bool {
	for _, file := range []string{"` + secret + `", "exercises/fencedwrite/solution_test.go", "../../../exercises/fencedwrite/solution_test.go", "/etc/passwd"} {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return true
		}
	}
	return false
}`

	type want struct{ pause, pauseCheck, pauseMistake, write, check, mistake string }
	all := map[string]want{}
	hand := func(student string, w want, files map[string][]byte) {
		require.NotContains(t, all, student)
		all[student] = w
		if len(files) == 0 {
			require.NoError(t, os.Mkdir(filepath.Join(b.dir, student), 0o755))
		}
		for name, data := range files {
			b.put(filepath.Join(student, name), data)
		}
	}
	missing := want{pause: "answer missing", write: "answer missing"}
	// only the fenced write is answered, in a notebook with the lesson's name
	only := func(student, state, check, mistake string, data []byte) {
		hand(student, want{pause: "answer missing", write: state, check: check, mistake: mistake}, map[string][]byte{writeLesson + ".ipynb": data})
	}

	// Honest ones.
	both := map[string][]byte{pauseLesson + ".ipynb": solved[pauseLesson], writeLesson + ".ipynb": solved[writeLesson]}
	hand("01 all right", want{pause: "passed", write: "passed"}, both)
	hand("02 all right, in folders", want{pause: "passed", write: "passed"}, map[string][]byte{
		"week 1/my pause.ipynb": solved[pauseLesson], "week 2/" + writeLesson + " (1).ipynb": solved[writeLesson]})
	all["03 a zip file"] = want{pause: "passed", write: "passed"}
	b.put("03 a zip file.zip", b.zipped(map[string][]byte{"x/" + pauseLesson + ".ipynb": solved[pauseLesson], "x/" + writeLesson + ".ipynb": solved[writeLesson],
		"__MACOSX/x/._" + pauseLesson + ".ipynb": []byte("\x00"), "../../escape.ipynb": b.lesson("00-start-here")}))
	all["04 one notebook"] = want{pause: "answer missing", write: "passed"}
	b.put("04 one notebook.ipynb", solved[writeLesson])
	hand("05 untouched", want{pause: "not attempted", write: "not attempted"}, map[string][]byte{
		pauseLesson + ".ipynb": b.lesson(pauseLesson), writeLesson + ".ipynb": b.lesson(writeLesson)})
	hand("06 nothing", missing, nil)
	only("07 a copied cell", "passed", "", "", b.answered(write, wrong, "%%\nfmt.Println(1)", b.solution(write)))
	only("08 a copied cell, the last is wrong", "failed", "a lower token is rejected", "every token gets past",
		b.answered(write, b.solution(write), wrong))
	only("09 the stub copied below", "passed", "", "", b.answered(write, b.solution(write), b.stub(write)))
	only("10 a deleted cell", "answer missing", "", "", b.answered(write))
	only("11 a helper in a cell of its own", "passed", "", "", b.answered(write, helped, "func lower(token, fence uint64) bool { return token < fence }"))
	only("12 answers in one notebook", "passed", "", "", func() []byte {
		n, err := ipynb.Insert([]byte(`{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`), 0, "a", b.solution(write))
		require.NoError(t, err)
		return n
	}())
	only("13 no check", "failed", "a lower token is rejected", "every token gets past", b.with(wrongWrite, ""))
	only("14 a nil map", "panicked", "a first write is accepted", "nil map", b.with("var m map[string]string\n\tm[key] = value\n\treturn nil", ""))
	only("15 a type error", "does not compile", "", "cell N, line 13: undefined: fences", b.with("return fences", ""))
	only("16 a syntax error", "does not compile", "", "cell N, line 14: expected operand, found '}'", b.with("return !", ""))
	only("17 another signature", "does not compile", "", "the answer does not fit: cannot use answer.NewStorage (value of type func() int) as func() fencing.Checker value in argument to exercise.Evaluate",
		b.answered(write, "func NewStorage() int { return 1 }"))
	hand("18 a notebook that is not JSON", want{pause: "passed", write: "unreadable"}, map[string][]byte{
		pauseLesson + ".ipynb": solved[pauseLesson], writeLesson + ".ipynb": []byte("<html>log in</html>")})

	// Loops, floods and ends.
	only("19 an endless loop", "timed out", "a first write is accepted", "endless loop", b.with("for {\n\t}", ""))
	only("20 an endless loop before the checks", "timed out", limits, "does not come to an end",
		b.with("return start", "var start = func() error { for {} }()"))
	only("21 a fork bomb of goroutines", "failed", limits, "needs more than 1024 MB of memory",
		b.with("for {\n\t\tgo func() { select {} }()\n\t}", ""))
	only("22 a gigabyte of output", "failed", limits, "prints more than 1 MB",
		b.with("for range 1 << 20 {\n\t\tfmt.Println(strings.Repeat(key, 100))\n\t}\n\treturn nil", ""))
	only("23 an exit in an init", "not attempted", "", "", b.answered(write, b.stub(write), "func init() { os.Exit(0) }"))
	only("24 an exit before the checks", "failed", limits, "ends the process", b.with("return start", "var start = func() error { os.Exit(0); return nil }()"))
	only("25 an exit in a check", "failed", limits, "ends the process", b.with("os.Exit(0)\n\treturn nil", ""))

	// Tricks.
	only("26 the check redefined", "failed", "a lower token is rejected", "every token gets past", b.answered(write,
		wrong, "type own struct{ ErrNotAttempted error }\nfunc (own) Check(...any) {}\nfunc (own) Evaluate(...any) {}\nvar fencedwrite own",
		"%test\nfunc TestFencedWrite(t *testing.T) {}\nfunc TestMain(m *testing.M) { os.Exit(0) }"))
	only("27 a result of its own", "failed", limits, "ends the process", b.with(
		"os.NewFile(4, \"\").WriteString(`{\"State\": \"passed\"}` + \"\\n\")\n\tfmt.Println(`{\"State\": \"passed\"} PASS ok`)\n\tos.Exit(0)\n\treturn nil", ""))
	only("28 an attempt to read the solutions", "failed", "a lower token is rejected", "every token gets past", b.with(
		"if stolen() {\n\t\tpanic(\"read\")\n\t}\n\t"+wrongWrite, mallory))
	only("29 =HYPERLINK(1)", "refused", "", "cell N uses the package net/http, which no exercise asks for", b.with("_, err := http.Get(\"http://example.org\")\n\treturn err", ""))
	all["30 a link"] = want{pause: "unreadable", write: "unreadable"}
	require.NoError(t, os.Symlink(b.Notebooks(writeLesson+".ipynb"), filepath.Join(b.dir, "30 a link")))
	require.Len(t, all, 30)

	begin := time.Now()
	table, said := b.grade()
	took := time.Since(begin)
	t.Logf("30 students on %d cores: %.0f s\n%s", runtime.NumCPU(), took.Seconds(), said)

	require.Len(t, table, 30)
	if strings.Contains(said, "can read your files") {
		t.Log("this system closes no files, so the attempt to read the solutions is not looked at")
		delete(all, "28 an attempt to read the solutions")
	}
	for student, w := range all {
		row := table[student]
		require.NotNil(t, row, student)
		got := want{row[pause+" state"], row[pause+" first failed check"], row[pause+" misconception"],
			row[write+" state"], row[write+" first failed check"], cellNumber.ReplaceAllString(row[write+" misconception"], "cell N")}
		assert.Equal(t, w, got, student)
		points := 0
		for _, name := range []string{pause, write} {
			if row[name+" state"] == "passed" {
				points += b.exercise(name).Points
			}
		}
		assert.Equal(t, fmt.Sprint(points), row["points"], student)
	}
	assert.Contains(t, table["18 a notebook that is not JSON"]["note"], "it is not the JSON of a notebook")
	assert.Contains(t, table["30 a link"]["note"], "symbolic link")
	assert.Regexp(t, write+`: 8 of 30 passed \(27 %\)`, said)
	assert.Regexp(t, `4  failed at “a lower token is rejected”: every token gets past`, said)
}

func TestTheCoursesOwnSolutionsPassAndItsStubsAreNotAttempted(t *testing.T) {
	b := newBench(t)
	all, err := author.Lessons(b.Course)
	require.NoError(t, err)
	for _, l := range all {
		data, err := l.Solved(b.Course)
		require.NoError(t, err)
		b.put(filepath.Join("solved", l.Name+".ipynb"), data)
		b.put(filepath.Join("untouched", l.Name+".ipynb"), l.Data)
	}
	table, _ := b.grade()
	for _, e := range exercises.All() {
		assert.Equal(t, "passed", table["solved"][e.Name+" state"], "%s: %v", e.Name, table["solved"])
		assert.Equal(t, "not attempted", table["untouched"][e.Name+" state"], e.Name)
	}
	assert.Equal(t, table["solved"]["possible"], table["solved"]["points"])
	assert.Equal(t, "0", table["untouched"]["points"])
}

func TestGradingAgainGivesTheSameButForTheSeconds(t *testing.T) {
	b := newBench(t)
	b.put("anna.ipynb", b.answered(pause, b.solution(pause)))
	b.put("bert.ipynb", b.with("return nil", ""))
	b.put("notes.txt", nil)
	first, said := b.grade()
	assert.Contains(t, said, "notes.txt is no folder, notebook or zip file, and is left out.")
	again, _ := b.grade()
	for _, table := range []map[string]map[string]string{first, again} {
		for _, row := range table {
			for column := range row {
				if strings.HasSuffix(column, " seconds") {
					delete(row, column)
				}
			}
		}
	}
	assert.Equal(t, first, again)
}

func TestATableIsSafeInASpreadsheet(t *testing.T) {
	for text, want := range map[string]string{
		"anna": "anna", "": "", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\t=1": "' =1", "\r": " ", " =1": "' =1", "＝1": "'＝1", "a\nb": "a b", "a=1": "a=1",
	} {
		assert.Equal(t, want, safe(text), "%q", text)
	}
}

func TestABombOfAZipFileIsARow(t *testing.T) {
	b := newBench(t)
	zeros := make([]byte, maxFile+1)
	b.put("bomb.zip", b.zipped(map[string][]byte{"big.ipynb": zeros, "deep.ipynb": bytes.Repeat([]byte("["), 1<<20)}))
	b.put("broken.zip", []byte("PK"))
	b.put("big/big.ipynb", zeros)
	b.put("many.zip", func() []byte {
		files := map[string][]byte{}
		for i := range maxFiles + 1 {
			files[fmt.Sprint(i)] = nil
		}
		return b.zipped(files)
	}())
	all, _, err := submissions(b.dir)
	require.NoError(t, err)
	notes := map[string]string{}
	for _, s := range all {
		notes[s.student] = strings.Join(s.notes, "; ")
		assert.Empty(t, s.books)
	}
	assert.Contains(t, notes["bomb"], "big.ipynb: it is larger than 20 MB")
	assert.Contains(t, notes["bomb"], "deep.ipynb: it is not the JSON of a notebook")
	assert.Contains(t, notes["broken"], "it is no zip file that can be read")
	assert.Contains(t, notes["big"], "it is larger than 20 MB")
	assert.Contains(t, notes["many"], "more than 5000 files")
}

func TestNothingIsWrittenWhereItCannotBe(t *testing.T) {
	b := newBench(t)
	grade := func(dir, out string) error {
		return Class(t.Context(), b.Course, dir, Options{Out: out}, &strings.Builder{})
	}
	assert.ErrorContains(t, grade(b.dir, filepath.Join(b.dir, "grades.csv")), "nothing is handed in in "+b.dir)
	assert.ErrorContains(t, grade(filepath.Join(b.dir, "no"), filepath.Join(b.dir, "grades.csv")), "name the folder that has one folder, notebook or zip file for each student")
	assert.ErrorContains(t, grade(b.dir, b.dir), "is there and is no file")
	assert.ErrorContains(t, grade(b.dir, filepath.Join(b.dir, "no", "grades.csv")), "make it first")
}
