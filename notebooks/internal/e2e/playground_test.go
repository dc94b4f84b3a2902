package e2e

import (
	"fmt"
	"testing"
)

const playgroundReady = `document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .fencing-playground[data-ready] svg') !== null`

func TestPlaygroundInJupyterLab(t *testing.T) {
	b := openBrowser(t, notebook(t, "playground.ipynb", "%%\ncharts.Playground(fencing.GCPause())"))
	for _, look := range []struct {
		name, scheme  string
		width, height int64
	}{{"laptop", "light", 1366, 768}, {"projector", "dark", 1280, 720}} {
		b.open("playground.ipynb", look.width, look.height, look.scheme)
		b.runAll()
		b.await("the playground", playgroundReady)
		evaluate[bool](b, `(`+panel+`.querySelector('.fencing-playground').scrollIntoView(), true)`)
		b.shoot(fmt.Sprintf("playground-%s-%s", look.name, look.scheme))
	}
}
