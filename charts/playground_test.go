package charts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/charts/internal/play"
	"fencingtokens/fencing"
)

func TestAPlaygroundIsAStoryWhereScriptsDoNotRun(t *testing.T) {
	hostile := fencing.GCPause()
	hostile.Name = `</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>"'` + "\n"
	scene, err := play.Of(hostile)
	require.NoError(t, err)
	page, err := playgroundElement(scene, draw.Timeline([]*fencing.Trace{hostile.Run()}))
	require.NoError(t, err)
	assert.Contains(t, page, "grants token 34 to client 2")
	assert.Contains(t, page, "open this lesson with “go run ./notebooks”")
	assert.Equal(t, 1, strings.Count(page, "<script"))
	assert.Equal(t, 1, strings.Count(page, "</script"))
	assert.NotContains(t, page, "<img")
}

func TestAPlaygroundSaysWhatItCannotTakeAlong(t *testing.T) {
	preset := fencing.GCPause()
	preset.Storage = noStorage{}
	Playground(preset) // prints a sentence, and does not run a storage of nobody
}

type noStorage struct{ fencing.Checker }
