package prove

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

var update = flag.Bool("update", false, "write the golden feedback anew")

// Golden proves that a learner reads of the result what testdata/NAME.txt says,
// where a run's story stands in place of its chart. With -update it writes the
// file anew.
func Golden(t *testing.T, name string, r check.Result) {
	t.Helper()
	var got strings.Builder
	check.Tell(&got, r, func(trace *fencing.Trace) { got.WriteString(trace.String() + "\n") })
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test with -update to write it")
	assert.Equal(t, string(want), got.String(), "%s differs: read it, then run go test with -update", file)
}
