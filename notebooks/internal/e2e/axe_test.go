package e2e

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	axeVersion = "4.10.3"
	axeSHA256  = "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"
)

// axe is the source of axe-core, which finds what keeps people out of a page. It
// is fetched once, and only here: nobody but these tests needs it.
func axe(t *testing.T) string {
	t.Helper()
	folder := ready(t).Lab("build")
	pack := filepath.Join(folder, "axe-core-"+axeVersion+".tgz")
	if _, err := os.Stat(pack); err != nil {
		cmd := exec.Command("npm", "pack", "axe-core@"+axeVersion, "--pack-destination", folder)
		if said, err := cmd.CombinedOutput(); err != nil {
			reason := fmt.Sprintf("axe-core cannot be fetched by npm (%v): %s", err, said)
			if os.Getenv("FENCING_REQUIRE_CHROMIUM") != "" {
				require.Fail(t, reason)
			}
			t.Skip(reason)
		}
	}
	script := unpack(t, pack, "package/axe.min.js")
	require.Equal(t, axeSHA256, fmt.Sprintf("%x", sha256.Sum256(script)), "it is the known file")
	return string(script)
}

func unpack(t *testing.T, pack, name string) []byte {
	t.Helper()
	file, err := os.Open(pack)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		require.NoError(t, err)
		if header.Name == name {
			data, err := io.ReadAll(files)
			require.NoError(t, err)
			return data
		}
	}
}

// finding is one that axe made.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// isAccessible has axe look at the elements that a selector names.
func (b *browser) isAccessible(script, selector string) {
	b.t.Helper()
	quoted, err := json.Marshal(selector)
	require.NoError(b.t, err)
	// As a module of its own, since JupyterLab has a "define".
	b.run(`(() => { const module = { exports: {} }; window.__found = null;
		new Function('module', 'exports', 'define', ` + quote(b.t, script) + `)(module, module.exports);
		const axe = window.axe ?? module.exports;
		axe.run(document.querySelectorAll(` + string(quoted) + `), { resultTypes: ['violations'] }).then(r => (window.__found = { violations: r.violations, passes: r.passes.length }), e => (window.__found = { error: String(e) }));
	})()`)
	b.await("axe", `window.__found !== null`)
	found := evaluate[struct {
		Error      string
		Violations []finding
		Passes     int
	}](b, `window.__found`)
	require.Empty(b.t, found.Error)
	assert.Greater(b.t, found.Passes, 5, "axe saw something")
	for _, f := range found.Violations {
		if f.Impact == "serious" || f.Impact == "critical" {
			assert.Fail(b.t, f.Help, "%s (%s): %+v", f.ID, f.Impact, f.Nodes)
		} else {
			b.t.Logf("axe, %s: %s (%s), %d times", f.Impact, f.Help, f.ID, len(f.Nodes))
		}
	}
}

func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	return string(quoted)
}

func TestChartsAndPlaygroundAreAccessible(t *testing.T) {
	script := axe(t)
	b := openBrowser(t, notebook(t, "accessible.ipynb",
		"%%\ncharts.StepThrough(fencing.GCPause().Run())\ncharts.Compare(fencing.DelayedWrite())",
		"%%\nlengths := charts.Range(2*time.Second, 30*time.Second, 4*time.Second)\ncharts.HeatMap(fencing.GCPause(), lengths, lengths)\n"+
			"points, _ := sample.Sweep(context.Background(), sample.Study{Runs: 200, Pauses: sample.TypicalStalls()}, lengths...)\ncharts.Curves(points)",
		"%%\nlong := fencing.GCPause()\nlong.RenewEvery, long.WorkBefore = time.Second, 10*time.Minute\ncharts.Timeline(long.Run())",
		"%%\ncharts.Playground(fencing.GCPause())"))
	for _, scheme := range []string{"light", "dark"} {
		b.open("accessible.ipynb", 1366, 768, scheme)
		b.runAll()
		b.await("the playground", inLab+`?.dataset.ready === 'true'`)
		b.await("the charts", panel+`.querySelectorAll('.fencing-chart[data-drawn]').length === 5`)
		b.run(panel + `.querySelectorAll('.fencing-figure details, .fencing-playground details').forEach(d => d.open = true)`)
		b.isAccessible(script, ".fencing-figure, .fencing-playground")
		b.run(inLab + `.querySelector('[value=both]').click()`)
		b.isAccessible(script, ".fencing-playground")
	}
}
