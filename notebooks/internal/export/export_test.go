//go:build !windows

package export

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

func TestAnExportGoesWhereASymbolicLinkLeads(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	require.NoError(t, os.Mkdir(target, 0o755))
	require.NoError(t, os.Symlink("target", link))
	e, err := New(course.Course{}, nil, Options{Out: link})
	require.NoError(t, err)
	fresh := filepath.Join(folder, "fresh")
	require.NoError(t, os.Mkdir(fresh, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(fresh, "index.html"), nil, 0o644))
	require.NoError(t, replace(fresh, e.place))
	assert.FileExists(t, filepath.Join(target, "index.html"))
	led, err := os.Readlink(link)
	assert.NoError(t, err)
	assert.Equal(t, "target", led, "the link is as it was")
}

func TestASymbolicLinkThatLeadsNowhereIsNotReplaced(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere", link))
	_, err := New(course.Course{}, nil, Options{Out: link})
	assert.ErrorContains(t, err, "is a symbolic link that leads nowhere: make the folder that it names")
}

func TestTheIndexPromisesWhatIsThere(t *testing.T) {
	entries := []entry{{"02-gc-pause", "A pause &amp; what follows"}}
	screen, err := Export{}.index(entries)
	require.NoError(t, err)
	assert.Contains(t, string(screen), `<li><a href="02-gc-pause.html">A pause &amp; what follows</a></li>`)
	assert.Contains(t, string(screen), "playgrounds")
	paper, err := Export{Options: Options{Print: true}}.index(entries)
	require.NoError(t, err)
	assert.Contains(t, string(paper), "The lessons, as they ran, for paper.")
	assert.NotContains(t, string(paper), "playground")
}
