package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exported exports a notebook with a chart and a playground, and returns its
// page.
func exported(t *testing.T, flags ...string) (page string) {
	t.Helper()
	file := notebook(t, "played.ipynb", "%%\ncharts.Timeline(fencing.GCPause().Run())", "%%\ncharts.Playground(fencing.GCPause())")
	out := filepath.Join(t.TempDir(), "out")
	cmd := command(t, append([]string{"export", file, "--out", out}, flags...)...)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	assert.FileExists(t, filepath.Join(out, "index.html"))
	return filepath.Join(out, "played.html")
}

func (b *browser) openFile(file string, width, height int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height),
		func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return chromedp.Void{}, err
		},
		chromedp.Navigate("file://"+file))
}

func TestAnExportedLessonIsAliveFromTheDiskWithoutANetwork(t *testing.T) {
	page := exported(t)
	info, err := os.Stat(page)
	require.NoError(t, err)
	t.Logf("%.2f MB", float64(info.Size())/1e6)
	assert.Less(t, info.Size(), int64(6_000_000))
	b := newBrowser(t)
	b.openFile(page, 1366, 768, "light")
	b.await("the playground", inPage+`?.dataset.ready === 'true'`)
	b.await("the chart", `document.querySelector('.fencing-chart[data-drawn]') !== null`)
	b.isAlive(inPage)
	b.run(`document.querySelector('.fencing-chart').scrollIntoView()`)
	b.shoot("exported-chart")
	b.run(inPage + `.scrollIntoView()`)
	b.shoot("exported-playground")
	assert.Empty(t, b.outside())
}

func TestAnExportOverwritesNobodysFolder(t *testing.T) {
	out := t.TempDir()
	theirs := filepath.Join(out, "letters.txt")
	require.NoError(t, os.WriteFile(theirs, []byte("mine"), 0o644))
	said, err := command(t, "export", "00-start-here", "--out", out).CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(said), "no export wrote it: choose another folder with --out")
	assert.FileExists(t, theirs)
}

func TestAnExportSaysWhatIsTypedWrong(t *testing.T) {
	for says, args := range map[string][]string{
		"say where to write":          {"export", "00-start-here"},
		`there is no notebook "0"`:    {"export", "0", "--out", filepath.Join(t.TempDir(), "out")},
		"there is no folder /none/of": {"export", "00-start-here", "--out", "/none/of/these"},
	} {
		said, err := command(t, args...).CombinedOutput()
		assert.Error(t, err)
		assert.Contains(t, string(said), says)
	}
}

func TestAnExportOfALessonThatFailsWritesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	said, err := command(t, "export", notebook(t, "broken.ipynb", "%%\nthis is no Go"), "--out", out).CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(said), "broken does not run, so nothing was written")
	assert.NoDirExists(t, out)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(out), ".export-*"))
	assert.NoError(t, err)
	assert.Empty(t, left)
}

func TestAPrintedLessonHasPicturesInPlaceOfScripts(t *testing.T) {
	page := exported(t, "--print")
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.NotContains(t, string(data), "<script")
	assert.Equal(t, 2, strings.Count(string(data), "<svg role=\"img\" aria-label=\"Fencing off: the write with token 33 is accepted"))
	if t.Failed() {
		return
	}
	b := newBrowser(t)
	b.openFile(page, 1280, 720, "light")
	b.await("the pictures", `document.querySelectorAll('svg[role=img]').length === 2`)
	b.run(`document.querySelector('svg[role=img]').scrollIntoView()`)
	b.shoot("exported-print")
	assert.Empty(t, b.outside())
}
