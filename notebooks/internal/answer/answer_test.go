package answer_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/ipynb"
)

var finder = sync.OnceValues(func() (answer.Finder, error) { return answer.NewFinder("../../..") })

const stub = `// Storage takes a write or rejects it by its token.
type Storage struct {
	values map[string]string
}

// NewStorage returns an empty storage.
func NewStorage() fencing.Checker { return &Storage{} }

func (s *Storage) Write(key, value string, token uint64) error {
	return fencedwrite.ErrNotAttempted // your check goes here
}`

// solved is the stub with a Write of its own.
func solved(body string) string {
	return strings.Replace(stub, "return fencedwrite.ErrNotAttempted // your check goes here", body, 1)
}

func find(t *testing.T, cells ...string) answer.Answer {
	t.Helper()
	f, err := finder()
	require.NoError(t, err)
	n := ipynb.Notebook{Cells: []*ipynb.Cell{{Type: "markdown", Source: "func NewStorage() {}"}}}
	for _, source := range cells {
		n.Cells = append(n.Cells, &ipynb.Cell{Type: "code", Source: ipynb.Text(source)})
	}
	return f.Find(n, exercises.Exercise{Name: "fencedwrite", Answer: "NewStorage"}, stub)
}

func TestTheStubIsNotAttemptedWhateverItsSpacesAndComments(t *testing.T) {
	assert.Equal(t, answer.NotAttempted, find(t, "%%\nfmt.Println(1)", stub).State)
	changed := strings.ReplaceAll(stub, "// your check goes here", "// ?\n")
	assert.Equal(t, answer.NotAttempted, find(t, "\n"+strings.ReplaceAll(changed, "\t", "    ")).State)
	assert.Equal(t, answer.NotAttempted, find(t, stub, stub).State, "a copy of it, too")
	assert.Equal(t, answer.NotAttempted, find(t, stub, "func init() { os.Exit(0) }").State, "what it does not use is not taken")
}

func TestAnAnswerThatIsNotThereIsMissing(t *testing.T) {
	assert.Equal(t, answer.Missing, find(t).State)
	assert.Equal(t, answer.Missing, find(t, "// func NewStorage", "%%\nNewStorage := 1\n_ = NewStorage").State)
}

func TestAnAnswerIsTakenWithAllItUsesAndNothingElse(t *testing.T) {
	a := find(t,
		"const (\n\tfirst = iota\n\tsecond\n)\nvar unused = os.Getpid()",
		"func (s *Storage) check(token uint64) bool { return token >= lowest && second > 0 }\nfunc init() { panic(1) }\nfunc TestMain(m *testing.M) {}",
		"%test\nfunc TestX(t *testing.T) { NewStorage() }\nvar lowest uint64 = uint64(rand.IntN(3))",
		solved("if !s.check(token) { return fmt.Errorf(\"%w\", fencing.ErrFenced) }\n\tvar os struct{ Exit int }\n\tos.Exit = 1\n\treturn nil"),
		"%%\nlowest := 3")
	require.Equal(t, answer.Given, a.State, a.Why)
	assert.Equal(t, `package answer

import fencing "fencingtokens/fencing"
import fmt "fmt"
import rand "math/rand/v2"

//line cell1.go:1
const (
	first = iota
	second
)

//line cell2.go:1
func (s *Storage) check(token uint64) bool { return token >= lowest && second > 0 }

//line cell3.go:3
var lowest uint64 = uint64(rand.IntN(3))

//line cell4.go:2
type Storage struct {
	values map[string]string
}

//line cell4.go:7
func NewStorage() fencing.Checker { return &Storage{} }

//line cell4.go:9
func (s *Storage) Write(key, value string, token uint64) error {
	if !s.check(token) { return fmt.Errorf("%w", fencing.ErrFenced) }
	var os struct{ Exit int }
	os.Exit = 1
	return nil
}
`, a.Source)
}

func TestOfAnAnswerThatIsThereTwiceTheLastAttemptCounts(t *testing.T) {
	one, two := solved("return fencing.ErrFenced"), solved("return nil")
	assert.Contains(t, find(t, stub, one, two).Source, "return nil")
	assert.NotContains(t, find(t, stub, one, two).Source, "ErrFenced")
	a := find(t, two, stub)
	assert.Equal(t, answer.Given, a.State, "a copy of the stub is no answer while there is another")
	assert.Contains(t, a.Source, "return nil")
	assert.Equal(t, []int{1, 2}, a.Cells)
	assert.Contains(t, find(t, two, "func NewStorage( {").Source, "return nil", "a cell that is no Go declares nothing")
}

func TestThePackagesOfTheExercisesAreTheCourses(t *testing.T) {
	a := find(t, "type fake struct{ ErrNotAttempted error }\nvar fencedwrite fake", solved("if token == 0 { return fencedwrite.ErrNotAttempted }\n\treturn nil"))
	require.Equal(t, answer.Given, a.State, a.Why)
	assert.Contains(t, a.Source, `import fencedwrite "fencingtokens/exercises/fencedwrite"`)
	assert.NotContains(t, a.Source, "fake")
}

func TestWhatIsRefusedIsSaid(t *testing.T) {
	for why, cells := range map[string][]string{
		"cell 2 uses the package net/http, which no exercise asks for":          {stub, solved("http.Get(key); return nil")},
		"cell 1 uses the package os/exec, which no exercise asks for":           {solved("exec.Command(key).Run(); return nil")},
		"cell 2 uses the package unsafe, which no exercise asks for":            {`import u "unsafe"`, solved("_ = u.Pointer(s); return nil")},
		"cell 1 uses the package C, which no exercise asks for":                 {"import \"C\"\n" + solved("C.abort(); return nil")},
		"cell 1 uses the package runtime/debug, which no exercise asks for":     {solved("debug.WriteHeapDump(4); return nil")},
		"cell 2 uses the package example.org/x, which is neither Go’s nor the":  {`import x "example.org/x"`, solved("x.Y(); return nil")},
		"cell 1 has the compiler directive //go:embed: an answer needs none":    {"//go:embed a.txt\nvar text string", solved("_ = text; return nil")},
		"cell 1 has the compiler directive //go:linkname: an answer needs none": {"//go:linkname now time.now\nfunc now()", solved("now(); return nil")},
	} {
		a := find(t, cells...)
		assert.Equal(t, answer.Refused, a.State, why)
		assert.Contains(t, a.Why, why)
	}
}

func TestACellThatIsNoGoDoesNotCompile(t *testing.T) {
	a := find(t, stub, "func NewStorage() fencing.Checker {\n\treturn nil nil\n}")
	assert.Equal(t, answer.Broken, a.State)
	assert.Contains(t, a.Why, "cell 2, line 2: ")
}

func TestTheCompilersPlacesAreThoseOfTheNotebook(t *testing.T) {
	assert.Equal(t, "cell 12, line 7: undefined: x", answer.Explain("notebooks/answers/s1/a/answer/cell12.go:7:3: undefined: x\n"))
}
