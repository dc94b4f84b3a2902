package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJupyterLabRunsCellsAndAsksNobodyOutside(t *testing.T) {
	b := openBrowser(t, notebook(t, "hello.ipynb", "%%\nfmt.Println(strings.ToUpper(\"hello\"))", "%%\nfmt.Println(2)"))
	for _, screen := range []struct {
		name          string
		width, height int64
		scheme        string
	}{
		{"1366x768-light", 1366, 768, "light"},
		{"1280x720-dark", 1280, 720, "dark"},
	} {
		b.open("hello.ipynb", screen.width, screen.height, screen.scheme)
		b.runAll()
		assert.Contains(t, evaluate[string](b, panel+".textContent"), "HELLO")
		b.shoot("hello-" + screen.name)
	}
	assert.Empty(t, evaluate[string](b, `[...document.querySelectorAll('.jp-toast-message, .Toastify__toast')].map(e => e.textContent).join()`),
		"no news and no update check greet a learner")
	assert.Empty(t, b.outside())
}

// drawn is how many charts the visible notebook shows, drawn and on the page.
const drawn = `[...` + panel + `.querySelectorAll('.fencing-chart[data-drawn] svg')].filter(s => s.getBoundingClientRect().height > 200).length`

// library puts ECharts, which the page promises, where an expression finds it.
const library = `window.__fencingECharts.then(ec => { window.foundECharts = ec }), !!window.foundECharts`

func TestALessonDrawsItsChartsInJupyterLabAndAsksNobodyOutside(t *testing.T) {
	name := "02-gc-pause"
	file := filepath.Join(t.TempDir(), name+".ipynb")
	require.NoError(t, os.WriteFile(file, source(t, name), 0o644))
	b := openBrowser(t, file)
	for _, screen := range []struct {
		name          string
		width, height int64
		scheme        string
	}{
		{"laptop-light", 1366, 768, "light"},
		{"projector-dark", 1280, 720, "dark"},
	} {
		b.open(name+".ipynb", screen.width, screen.height, screen.scheme)
		b.runAll()
		b.await("three charts, drawn", drawn+" === 3")
		words := func(chart int) string {
			return evaluate[string](b, fmt.Sprintf(`[...%s.querySelectorAll('.fencing-chart')[%d].querySelectorAll('text')].map(e => e.textContent).join('\n')`, panel, chart))
		}
		for _, want := range []string{"believes, rightly", "believes, wrongly", "paused 14 s", "waits for the lock", "token 33", "token 34",
			"lease ends: 34 granted", "released", "34 accepted", "33 accepted, stale", "client 2’s data"} {
			assert.Contains(t, words(0), want)
		}
		assert.Contains(t, words(1), "33 accepted, stale", "without fencing")
		assert.Contains(t, words(1), "33 rejected: 33 < 34", "with fencing")
		assert.Contains(t, evaluate[string](b, panel+`.querySelectorAll('.fencing-chart')[1].getAttribute('aria-label')`), "because the fence is 34")
		for i, shot := range []string{"timeline", "comparison"} {
			evaluate[bool](b, fmt.Sprintf(panel+`.querySelectorAll('.fencing-chart')[%d].scrollIntoView({block: 'center'}) === undefined`, i))
			b.shoot(shot + "-" + screen.name)
		}
	}
	assert.Empty(t, b.outside())
}
