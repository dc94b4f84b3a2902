package play

import (
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page of a lesson loads the program once, and an exported page carries it.
func TestTheProgramForTheBrowserIsSmall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "playground.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, "fencingtokens/charts/playground")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	program, err := os.ReadFile(file)
	require.NoError(t, err)
	var size counter
	zip, err := gzip.NewWriterLevel(&size, gzip.BestCompression)
	require.NoError(t, err)
	_, err = zip.Write(program)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	assert.Less(t, int(size), 1_500_000, "bytes, gzipped")
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(data []byte) (int, error) {
	*c += counter(len(data))
	return len(data), nil
}
