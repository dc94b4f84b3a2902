package reported_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

var update = flag.Bool("update", false, "write the golden stories anew")

const (
	holds    = fencing.Holds
	violated = fencing.Violated
)

// The property that each scenario is about, and what becomes of it without
// fencing, with fencing, and with the cure.
var outcomes = map[string]struct {
	property            fencing.Property
	without, with, then fencing.Status
}{
	"cut off from the lock service only":                   {fencing.NoStaleWrite, violated, holds, holds},
	"a plain delete frees the next holder's lock":          {fencing.NoInnocentFenced, violated, violated, holds},
	"the renewer starves while the worker runs":            {fencing.NoStaleWrite, violated, holds, holds},
	"the renewer lives while the worker is stuck":          {fencing.NobodyStuck, violated, violated, holds},
	"a fail-over loses the lock":                           {fencing.NoLostUpdate, violated, violated, holds},
	"a fail-over rolls the counter back":                   {fencing.FencingSafe, violated, violated, holds},
	"the loss is noticed and not acted on":                 {fencing.NoStaleWrite, violated, holds, holds},
	"the fence is forgotten by a restart":                  {fencing.NoStaleWrite, violated, violated, holds},
	"the fence is forgotten by a clean-up":                 {fencing.NoStaleWrite, violated, violated, holds},
	"the holder's laptop sleeps":                           {fencing.NoStaleWrite, violated, holds, holds},
	"a garbage collection of 79 s":                         {fencing.NoStaleWrite, violated, holds, holds},
	"a job outlives its lock and runs twice":               {fencing.NothingTwice, violated, violated, holds},
	"an equality check locks out every later holder":       {fencing.NoInnocentFenced, holds, violated, holds},
	"the hole: late, but not stale":                        {fencing.NoLostUpdate, violated, violated, holds},
	"a write that timed out arrives after the next":        {fencing.NoLostOwnUpdate, violated, violated, holds},
	"Redlock: the clock of node C jumps":                   {fencing.NoLostUpdate, violated, violated, holds},
	"Redlock: a pause after the check of the elapsed time": {fencing.NoLostUpdate, violated, violated, holds},
	"Redlock: node C restarts without its lock":            {fencing.NoLostUpdate, violated, violated, holds},
}

func TestEveryScenarioBreaksAndIsCuredAsReported(t *testing.T) {
	for _, s := range reported.All() {
		t.Run(s.Name, func(t *testing.T) {
			want, known := outcomes[s.Name]
			require.True(t, known, "add its outcome to the table")
			assert.Equal(t, want.without, status(t, s.Without(), want.property), "without fencing")
			assert.Equal(t, want.with, status(t, s.With(), want.property), "with fencing")
			assert.Equal(t, want.then, status(t, s.Cured(), want.property), "cured")
			assert.Equal(t, want.with == violated, s.Cure != "", "a cure is named exactly where fencing is not enough")
		})
	}
}

func status(t *testing.T, trace *fencing.Trace, p fencing.Property) fencing.Status {
	t.Helper()
	f := trace.Verdict().Finding(p)
	if p == fencing.NobodyStuck && f.Status == violated {
		require.ErrorContains(t, trace.Err(), "waits for ever", "that somebody does is the run's error")
	} else {
		require.NoError(t, trace.Err())
	}
	if f.Status == violated {
		assert.NotEmpty(t, f.Events, "it names the deciding events")
	}
	return f.Status
}

func TestAStuckWorkerKeepsTheOthersWaitingUntilRenewingHasAnEnd(t *testing.T) {
	waits := reported.StuckWorker().With().Waits()
	require.Len(t, waits, 1)
	assert.Equal(t, "client 2", waits[0].Client)
	cured := reported.StuckWorker().Cured().Waits()[0]
	assert.Equal(t, 19*time.Second, cured.Until-cured.From)
}

func TestEveryScenarioIsWrittenInUnder15Lines(t *testing.T) {
	files := token.NewFileSet()
	source, err := parser.ParseFile(files, "reported.go", nil, 0)
	require.NoError(t, err)
	scenarios := 0
	for _, d := range source.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil || !f.Name.IsExported() || f.Name.Name == "All" {
			continue
		}
		scenarios++
		assert.Less(t, files.Position(f.Body.Rbrace).Line-files.Position(f.Body.Lbrace).Line-1, 15, f.Name.Name)
	}
	assert.Len(t, reported.All(), scenarios)
}

func TestEveryScenarioTellsItsGoldenStory(t *testing.T) {
	unsafe := regexp.MustCompile(`[^a-z0-9]+`)
	for _, s := range reported.All() {
		t.Run(s.Name, func(t *testing.T) {
			file := filepath.Join("testdata", strings.Trim(unsafe.ReplaceAllString(strings.ToLower(s.Name), "-"), "-")+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(story(s)), 0o644))
			}
			golden, err := os.ReadFile(file)
			require.NoError(t, err, "run go test ./fencing/reported -update to write it")
			assert.Equal(t, string(golden), story(s))
		})
	}
}

// story is the run without fencing in full, and what fencing and the cure make
// of it.
func story(s reported.Scenario) string {
	text := fmt.Sprintf("Reported: %s\n\n%s\n\n%s\n\n%s\n", s.Source, s.Without(), s.Without().Verdict(), s.With().Verdict())
	if s.Cure != "" {
		text += fmt.Sprintf("\nWith %s:\n%s\n", s.Cure, s.Cured().Verdict())
	}
	return text
}
