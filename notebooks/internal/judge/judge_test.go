//go:build !windows

package judge_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/judge"
)

var placeThePause = exercises.Exercise{Name: "placethepause", Answer: "PlaceThePause"}

// given is an answer to the exercise with a body of its own.
func given(imports, body string) judge.Given {
	source := "package answer\n\nimport \"fencingtokens/exercises/placethepause\"\n"
	for name := range strings.FieldsSeq(imports) {
		source += "import \"" + name + "\"\n"
	}
	return judge.Given{Exercise: placeThePause, Source: source + `
//line cell1.go:1
func PlaceThePause(world placethepause.World) (a placethepause.Answer) {
` + body + "\n}\n"}
}

func workshop(t *testing.T) *judge.Workshop {
	t.Helper()
	c, err := course.Find()
	require.NoError(t, err)
	w, err := judge.NewWorkshop(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func TestWhatAnAnswerDoesToItsProcessIsNamed(t *testing.T) {
	w := workshop(t)
	require.NoError(t, w.Isolate(t.Context()))
	t.Log(w.Isolation)
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("s"), 0o666))
	for name, test := range map[string]struct {
		imports, body string
		linux         bool // needs what Linux alone has
		want          judge.Verdict
	}{
		"nothing":              {"", "return", false, judge.Verdict{State: "not attempted"}},
		"a loop":               {"", "for {}", false, judge.Verdict{State: "timed out", Check: "every fault happens", Mistake: "endless loop"}},
		"a loop at the start":  {"", "return }\nvar x = func() int { for {} }()\nfunc more() { _ = x", false, judge.Verdict{State: "timed out", Check: process, Mistake: "does not come to an end"}},
		"a panic at the start": {"", "return }\nvar x = func() int { panic(1) }()\nfunc more() { _ = x", false, judge.Verdict{State: "panicked", Check: process, Mistake: "panics outside of the checks"}},
		"an exit":              {"os", "os.Exit(0); return", false, judge.Verdict{State: "failed", Check: process, Mistake: "ends the process"}},
		"an exit at the start": {"os", "return }\nvar x = func() int { os.Exit(0); return 1 }()\nfunc more() { _ = x", false, judge.Verdict{State: "failed", Check: process, Mistake: "ends the process"}},
		"a result of its own": {"os", `f := os.NewFile(4, "")
			f.WriteString("{\"State\": \"passed\"}\n{\"Nonce\": \"\", \"State\": \"passed\"}\n")
			os.Exit(0); return`, false, judge.Verdict{State: "failed", Check: process, Mistake: "ends the process"}},
		"a result that nobody can send": {"os", "os.NewFile(4, \"\").Close(); return", false, judge.Verdict{State: "failed", Check: process, Mistake: "ends the process"}},
		"output":                        {"fmt", "for { fmt.Println(world) }", false, judge.Verdict{State: "failed", Check: process, Mistake: "prints more than 1 MB"}},
		"goroutines":                    {"", "for { go func() { select {} }() }", true, judge.Verdict{State: "failed", Check: process, Mistake: "needs more than 1024 MB of memory"}},
		"memory":                        {"", "for x := []byte{1}; ; { x = append(x, x...) }", true, judge.Verdict{State: "failed", Check: process, Mistake: "needs more than 1024 MB of memory"}},
		"threads":                       {"runtime", "for { go func() { runtime.LockOSThread(); select {} }() }", true, judge.Verdict{State: "failed", Check: process, Mistake: "needs more than 100 threads"}},
		"recursion":                     {"", "return more(world)}\nfunc more(w placethepause.World) placethepause.Answer { a := more(w); a.ArrivesAt++; return a", false, judge.Verdict{State: "panicked", Check: process, Mistake: "endless recursion"}},
		"files are closed": {"os", `for _, f := range []string{"` + secret + `", "/etc/passwd", "/proc/self/mem", "/answer"} { if _, err := os.ReadFile(f); err == nil && f != "/answer" { for {} } }
			if os.WriteFile("` + secret + `", nil, 0o666) == nil { for {} }; return`, true, judge.Verdict{State: "not attempted"}},
		"it starts itself": {"os", `for { p, err := os.StartProcess("/answer", nil, &os.ProcAttr{}); if err != nil { panic(err) }; _ = p }`, true, judge.Verdict{State: "panicked", Check: "every fault happens", Mistake: "panic"}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.linux && (runtime.GOOS != "linux" || !w.Isolation.Namespaces) {
				t.Skip("this system has no namespaces for its users")
			}
			student := filepath.Base(t.Name())
			built, err := w.Build(t.Context(), student, []judge.Given{given(test.imports, test.body)})
			require.NoError(t, err)
			require.Empty(t, built[0].Errors)
			v, err := w.Run(t.Context(), built[0], 1, true)
			require.NoError(t, err)
			t.Logf("%.2f s", v.Seconds)
			v.Seconds = 0
			assert.Equal(t, test.want, v)
		})
	}
	data, err := os.ReadFile(secret)
	require.NoError(t, err)
	assert.Equal(t, "s", string(data))
}

func TestWithoutNamespacesLandlockClosesTheFiles(t *testing.T) {
	w := workshop(t)
	require.NoError(t, w.Isolate(t.Context()))
	w.Isolation.Namespaces = false
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("s"), 0o666))
	built, err := w.Build(t.Context(), "carl", []judge.Given{given("os", `if _, err := os.ReadFile("`+secret+`"); err == nil { panic("read") }; return`)})
	require.NoError(t, err)
	require.Empty(t, built[0].Errors)
	open, err := w.Run(t.Context(), built[0], 1, false)
	require.NoError(t, err)
	require.Equal(t, "panicked", open.State, "it can be read where nothing is closed")
	v, err := w.Run(t.Context(), built[0], 1, true)
	require.NoError(t, err)
	if v.State == "panicked" {
		t.Skip("this system has no Landlock")
	}
	assert.Equal(t, "not attempted", v.State)
}

const process = "the answer keeps to its process and its limits"

func TestTheWorkshopHasNoSolutions(t *testing.T) {
	c, err := course.Find()
	require.NoError(t, err)
	before, _ := filepath.Glob(filepath.Join(os.TempDir(), "answers-*"))
	w := workshop(t)
	after, _ := filepath.Glob(filepath.Join(os.TempDir(), "answers-*"))
	require.Len(t, after, len(before)+1)
	for _, e := range exercises.All() {
		_, err := e.Solution(c.Root)
		require.NoError(t, err)
		for _, dir := range after {
			assert.NoFileExists(t, filepath.Join(dir, "src", "exercises", e.Name, "solution_test.go"))
		}
	}
	assert.NotEmpty(t, w.Version)
}

func TestTheCompilersWordsAreThoseForOneAnswer(t *testing.T) {
	w := workshop(t)
	other := exercises.Exercise{Name: "fencedwrite", Answer: "NewStorage"}
	built, err := w.Build(t.Context(), "anna", []judge.Given{
		given("", "return unknown"),
		{Exercise: other, Source: "package answer\n\nfunc NewStorage() int { return 1 }\n"},
	})
	require.NoError(t, err)
	assert.Equal(t, "cell 1, line 2: undefined: unknown", built[0].Errors)
	assert.Contains(t, built[1].Errors, "the answer does not fit: cannot use answer.NewStorage")
	require.NoError(t, w.Forget("anna"))
}

func TestACompilerThatNeedsTooMuchIsStopped(t *testing.T) {
	w := workshop(t)
	require.NoError(t, w.Isolate(t.Context()))
	built, err := w.Build(t.Context(), "bob", []judge.Given{given("", "return a }\nvar big = [1 << 29]int{1<<29 - 1: 1}\nfunc more() int { return big[0]")})
	require.NoError(t, err)
	assert.Equal(t, "the compiler needs more than it may have: is something in it very large?", built[0].Errors)
	assert.Empty(t, built[0].Program)
}
