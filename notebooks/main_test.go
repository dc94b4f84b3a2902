//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

// A beginner is someone with an empty course and few programs on PATH.
type beginner struct {
	t       *testing.T
	program string
	course  string
	bin     string // all that PATH has
}

func newBeginner(t *testing.T) *beginner {
	b := &beginner{t: t, program: filepath.Join(t.TempDir(), "notebooks"), course: t.TempDir(), bin: t.TempDir()}
	out, err := exec.Command("go", "build", "-o", b.program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(filepath.Join(b.course, "go.mod"), []byte("module fencingtokens\n"), 0o644))
	b.has("sleep", "exec "+whereIs(t, "sleep")+` "$@"`)
	b.has("go", `[ "$1" != build ] || exec sleep 60`)
	return b
}

// has puts a program on PATH; its $0, $1, ... are a shell's.
func (b *beginner) has(name, script string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(filepath.Join(b.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// hasPython puts a Python 3.minor on PATH, which does the rest of the script
// when it is not asked for its version or its modules.
func (b *beginner) hasPython(minor, venv, rest string) {
	b.has("python3", `case "$2" in
*version_info*) echo `+minor+` ;;
*ensurepip*) exit `+venv+` ;;
*) `+rest+` ;;
esac`)
}

func (b *beginner) run(args ...string) (said string, ok bool) {
	b.t.Helper()
	cmd := exec.Command(b.program, args...)
	cmd.Dir = b.course
	cmd.Env = append(os.Environ(), "PATH="+b.bin)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func (b *beginner) fails(words string, args ...string) {
	b.t.Helper()
	said, ok := b.run(args...)
	assert.False(b.t, ok, said)
	assert.Contains(b.t, said, words)
	assert.NotContains(b.t, said, "goroutine", "a sentence, and no stack")
}

func TestWhatIsMissingIsSaidInASentence(t *testing.T) {
	for name, test := range map[string]struct {
		given func(*beginner)
		words string
	}{
		"no python3": {
			func(b *beginner) {},
			"there is no python3 on PATH: install Python 3.10 to 3.14",
		},
		"a version manager's python3 without a Python": {
			func(b *beginner) { b.has("python3", "echo 'pyenv: python3: command not found' >&2; exit 127") },
			"there is no python3 on PATH",
		},
		"Python too old": {
			func(b *beginner) { b.hasPython("8", "0", "exit 0") },
			"the course needs Python 3.10 to 3.14, but python3 is Python 3.8",
		},
		"Python too new": {
			func(b *beginner) { b.hasPython("15", "0", "exit 0") },
			"the course needs Python 3.10 to 3.14, but python3 is Python 3.15",
		},
		"Python without venv": {
			func(b *beginner) { b.hasPython("11", "1", "exit 0") },
			"`apt install python3-venv` or `python3.11-venv`",
		},
		"no go": {
			func(b *beginner) { os.Remove(filepath.Join(b.bin, "go")) },
			"there is no go on PATH",
		},
		"no network for Python's packages": {
			func(b *beginner) {
				b.hasPython("11", "0", "echo 'NewConnectionError: Temporary failure in name resolution'; exit 1")
			},
			"no network: the first start downloads",
		},
		"no network for Go's modules": {
			func(b *beginner) {
				b.has("go", `[ "$1" != build ] || { echo 'dial tcp: lookup example.org: no such host'; exit 1; }`)
				b.hasPython("11", "0", "exec sleep 60")
			},
			"no network: the first start downloads",
		},
		"a full disk": {
			func(b *beginner) {
				b.hasPython("11", "0", "echo 'OSError: [Errno 28] No space left on device'; exit 1")
			},
			"the disk is full",
		},
		"anything else": {
			func(b *beginner) {
				b.hasPython("11", "0", "echo 'a riddle'; exit 1")
			},
			"its last lines:\na riddle",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBeginner(t)
			test.given(b)
			begin := time.Now()
			b.fails(test.words, "setup")
			assert.Less(t, time.Since(begin), 20*time.Second, "what still ran was stopped")
		})
	}
}

func whereIs(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	return path
}

func TestANewerPythonBesideAnOldOneIsTaken(t *testing.T) {
	b := newBeginner(t)
	b.hasPython("8", "0", "exit 0")
	b.has("python3.12", `case "$2" in *version_info*) echo 12 ;; *ensurepip*) ;; *) echo "took $0"; exit 1 ;; esac`)
	b.fails("took "+filepath.Join(b.bin, "python3.12"), "setup")
}

func TestDoctorTellsWhatIsMissing(t *testing.T) {
	b := newBeginner(t)
	b.fails("there is no python3 on PATH", "doctor")
	said, _ := b.run("doctor")
	assert.Contains(t, said, "missing  GoNB, the Go kernel")
	assert.Contains(t, said, "`go run ./notebooks setup` puts it there")
}

func TestWhatIsTypedWrongIsSaidInASentence(t *testing.T) {
	b := newBeginner(t)
	lesson := filepath.Join(b.course, "notebooks", "01-one.ipynb")
	require.NoError(t, os.MkdirAll(filepath.Dir(lesson), 0o755))
	require.NoError(t, os.WriteFile(lesson, nil, 0o644))
	b.fails("-nope", "--nope")
	b.fails(`there is no command "lessons"`, "lessons")
	b.fails(`"please" is one word too many`, "setup", "please")
	b.fails("port 70000 does not exist", "--port", "70000")
	b.fails(`there is no notebook "02-two"; there are: 01-one`, "run", "02-two")
	b.fails("say where to write", "export")
	for _, name := range []string{"one/own.ipynb", "two/own.ipynb", "two/index.ipynb"} {
		file := filepath.Join(b.course, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, nil, 0o644))
	}
	b.fails("two/own.ipynb would both become own.html: give one of them another name", "export", "one/own", "two/own", "--out", "out")
	b.fails("two/index.ipynb would become index.html, which is the list of the lessons", "export", "two/index", "--out", "out")
	b.fails("01-one.ipynb cannot be read: it is not the JSON of a notebook", "export", "01", "--out", "out")
	b.fails("there is no folder", "export", "01", "--out", "no/out")
	b.fails("say what to grade and where to write", "grade", "folder")
	b.fails("there is no folder", "grade", "folder", "--out", "no/grades.csv")
	b.fails("say which edition", "release", "--edition", "student")
	b.fails("lies in the course itself", "release", "--edition", "student", "--out", "new")
	b.fails("say which exercise", "hint")
	b.fails(`"two" is no number of a hint`, "hint", "fencedwrite", "two")
	b.fails(`there is no exercise "nosuch"; there are: `, "reset", "nosuch")
	b.course = t.TempDir()
	b.fails("is not inside the course", "setup")
}

func TestHelpIsNoFailure(t *testing.T) {
	b := newBeginner(t)
	for _, args := range [][]string{{"help"}, {"--help"}, {"run", "-h"}} {
		said, ok := b.run(args...)
		assert.True(t, ok, args)
		assert.Contains(t, said, "go run ./notebooks doctor", args)
	}
}

func TestAFolderThatGoNBCannotReadIsRefused(t *testing.T) {
	b := newBeginner(t)
	moved := filepath.Join(t.TempDir(), "locks, leases")
	require.NoError(t, os.Rename(b.course, moved))
	b.course = moved
	b.fails("move it to a folder without one", "setup")
}

func TestTheCourseIsFoundFromInsideTheModuleOfRealSystems(t *testing.T) {
	b := newBeginner(t)
	root := b.course
	require.NoError(t, os.MkdirAll(filepath.Join(root, "notebooks"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "notebooks", "01-one.ipynb"), nil, 0o644))
	b.course = filepath.Join(root, course.Systems)
	require.NoError(t, os.MkdirAll(b.course, 0o755))
	nested := "module fencingtokens/" + course.Systems + "\n\nrequire fencingtokens v0.0.0\n"
	require.NoError(t, os.WriteFile(filepath.Join(b.course, "go.mod"), []byte(nested), 0o644))
	b.fails("there are: 01-one", "run", "02-two")
}

func TestOnlyTheLessonOnRealSystemsWaitsForThem(t *testing.T) {
	assert.True(t, usesRealSystems("12-real-systems.ipynb"))
	assert.False(t, usesRealSystems("02-gc-pause.ipynb"))
}

func TestItNeedsTheStandardLibraryAlone(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	for _, path := range strings.Fields(string(out)) {
		assert.True(t, strings.HasPrefix(path, "fencingtokens/"), path)
	}
}
