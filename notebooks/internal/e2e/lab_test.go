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

// marks lists what a chart of the visible notebook shows as "lane: kind".
const marks = `window.foundECharts.getInstanceByDom(` + panel + `.querySelectorAll('.fencing-chart')[%d]).getOption()
	.series.filter(s => s.name !== 'legend').flatMap(s => s.data.map(d => d.value[2])).map(m => m.lane + ': ' + m.kind)`

func TestALessonDrawsItsChartsInJupyterLabAndAsksNobodyOutside(t *testing.T) {
	name := "02-gc-pause.ipynb"
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, source(t, "notebooks/"+name), 0o644))
	b := openBrowser(t, file)
	for _, screen := range []struct {
		name          string
		width, height int64
		scheme        string
	}{
		{"laptop-light", 1366, 768, "light"},
		{"projector-dark", 1280, 720, "dark"},
	} {
		b.open(name, screen.width, screen.height, screen.scheme)
		b.runAll()
		b.await("three charts, drawn", drawn+" === 3")
		b.await("ECharts", library)
		got := evaluate[[]string](b, fmt.Sprintf(marks, 0))
		for _, want := range []string{
			"client 1: belief right", "client 1: belief wrong", "client 1: pause", "client 2: wait", "client 2: belief right",
			"lock service: lease", "lock service: expiry", "lock service: release", "storage: accepted", "storage: accepted, stale", "storage: content",
		} {
			assert.Contains(t, got, want)
		}
		compared := evaluate[[]string](b, fmt.Sprintf(marks, 1))
		assert.Contains(t, compared, "storage: accepted, stale", "without fencing")
		assert.Contains(t, compared, "storage: rejected", "with fencing")
		words := evaluate[string](b, panel+`.querySelectorAll('.fencing-chart')[1].textContent`)
		assert.Contains(t, words, "33 rejected: 33 < 34")
		assert.Contains(t, evaluate[string](b, panel+`.querySelectorAll('.fencing-chart')[1].getAttribute('aria-label')`), "because the fence is 34")
		for i, shot := range []string{"timeline", "comparison"} {
			evaluate[bool](b, fmt.Sprintf(panel+`.querySelectorAll('.fencing-chart')[%d].scrollIntoView({block: 'center'}) === undefined`, i))
			b.shoot(shot + "-" + screen.name)
		}
	}
	assert.Empty(t, b.outside())
}
