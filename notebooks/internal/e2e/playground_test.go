package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/ipynb"
)

// inLab and inPage are the playground's element, in JavaScript.
const (
	inLab  = panel + `.querySelector('.fencing-playground')`
	inPage = `document.querySelector('.fencing-playground')`
)

// press sends keys to what has the focus.
func (b *browser) press(keys string) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		return chromedp.KeyEvent(keys)(ctx, target)
	})
}

func (b *browser) run(script string) {
	b.t.Helper()
	evaluate[bool](b, "("+script+", true)")
}

// told is what the playground says of the runs on its screen.
func (b *browser) told(playground string) string {
	b.t.Helper()
	return evaluate[string](b, playground+`.querySelector('[aria-live]').textContent`)
}

// pictured are the texts in the playground's picture, which is a canvas.
func (b *browser) pictured(playground string) string {
	b.t.Helper()
	b.await("ECharts", library)
	return evaluate[string](b, `foundECharts.getInstanceByDom(`+playground+`.querySelector('.fp-picture'))
		.getZr().storage.getDisplayList().map(e => e.style.text ?? '').join(' ')`)
}

// isAlive has the reader turn fencing on by one key and by the mouse, and look.
func (b *browser) isAlive(playground string) {
	b.t.Helper()
	b.await("the playground", playground+`?.querySelector('.fp-picture canvas') != null`)
	b.run(playground + `.querySelector('[value=off]').click()`)
	assert.Contains(b.t, b.told(playground), "the write with token 33 is accepted at 16 s and overwrites client 2’s data")
	assert.Contains(b.t, b.told(playground), `Storage: "report" holds "from client 1"`)
	b.run(playground + `.querySelector('[value=off]').focus()`)
	b.press("f")
	assert.Contains(b.t, b.told(playground), "the write with token 33 is rejected at 16 s, because the fence is 34")
	assert.Contains(b.t, b.told(playground), `Storage: "report" holds "from client 2", written by client 2 with token 34; its fence is 34`)
	assert.Contains(b.t, b.pictured(playground), "33 rejected")
	b.click(playground + `.querySelector('[value=both]')`)
	assert.Contains(b.t, b.pictured(playground), "33 accepted, stale")
	assert.Contains(b.t, b.pictured(playground), "33 rejected")
	b.run(playground + `.querySelector('[value=off]').click()`)
}

func TestPlaygroundInJupyterLab(t *testing.T) {
	goOn := filepath.Join(t.TempDir(), "go-on")
	require.NoError(t, os.WriteFile(goOn, nil, 0o644))
	b := openBrowser(t, notebook(t, "playground.ipynb", "%%\ncharts.Playground(fencing.GCPause())", waitingFor(goOn)))
	for _, look := range []struct {
		name, scheme  string
		width, height int64
	}{{"laptop", "light", 1366, 768}, {"projector", "dark", 1280, 720}} {
		b.open("playground.ipynb", look.width, look.height, look.scheme)
		b.run(watchForReady)
		b.runAll()
		b.await("the playground", inLab+`?.dataset.ready === 'true'`)
		t.Logf("ready %.0f ms after its cell’s output came; %s", evaluate[float64](b, `window.__ready`), load())
		b.isAlive(inLab)
		b.run(inLab + `.scrollIntoView()`)
		b.shoot(fmt.Sprintf("playground-%s-%s", look.name, look.scheme))
		b.click(inLab + `.querySelector('[value=both]')`)
		b.run(inLab + `.querySelector('.fp-frame').scrollIntoView()`)
		b.shoot(fmt.Sprintf("playground-both-%s-%s", look.name, look.scheme))
		b.run(inLab + `.querySelector('[value=off]').click()`)
		b.tabThrough(inLab)
		b.stepThrough(inLab)
		b.restores(inLab)
		b.choosesAScenario(inLab)
		b.plays(inLab)
		b.fullScreen(inLab, "playground-full-"+look.name+"-"+look.scheme)
	}
	b.runsBesideTheKernel(inLab, goOn)
	b.measure(inLab)
	b.copies(inLab)
	b.stopKernelAndReload()
	b.isAlive(inLab)
	assert.Empty(t, b.outside())
}

// watchForReady notes how long the playground takes from its arrival in the
// page until it can be used.
const watchForReady = `window.__ready = 0, new MutationObserver((_, observer) => {
	const e = ` + inLab + `;
	if (!e) return;
	window.__came ??= performance.now();
	if (e.dataset.ready) { window.__ready = performance.now() - window.__came; observer.disconnect(); }
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-ready'] })`

// load is how busy the machine is, which every time depends on.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	return "load " + strings.Join(strings.Fields(string(data))[:2], " ")
}

// tabThrough goes from control to control by the tab key alone, and uses some.
func (b *browser) tabThrough(playground string) {
	b.t.Helper()
	b.run(playground + `.querySelector('select').focus()`)
	name := `(e => e.labels?.[0]?.textContent ?? e.getAttribute('aria-label') ?? e.textContent)(document.activeElement)`
	var names []string
	for range 24 {
		names = append(names, evaluate[string](b, name))
		b.press(kb.Tab)
	}
	assert.Equal(b.t, []string{"Scenario", "off", "third client", "Reset", "Full screen",
		"Lease", "Lease, in seconds", "Pause", "Pause, in seconds", "Delay", "Delay, in seconds",
		"Renew every", "Renew every, in seconds", "Clock rate", "Clock rate, in percent",
		"to the beginning", "one event back (P)", "Play", "next event (N)", "to the end", "Moment", "hold the outcome back",
		"The events, as a table", "The same as a Go cell, and as a link"}, names)
	cells := evaluate[int](b, panel+`.querySelectorAll('.jp-Cell').length`)
	b.run(playground + `.querySelector('[data-control=lease]').focus()`)
	b.press(kb.ArrowRight)
	assert.Equal(b.t, "10.5", evaluate[string](b, playground+`.querySelector('input[type=number][data-control=lease]').value`), "the number follows the slider")
	b.press("b")
	assert.Equal(b.t, 2, evaluate[int](b, playground+`.querySelectorAll('.fp-run').length`), "B shows both")
	b.press("b")
	assert.Equal(b.t, cells, evaluate[int](b, panel+`.querySelectorAll('.jp-Cell').length`), "JupyterLab took no key")
	b.run(playground + `.querySelector('button').click()`) // Reset
	assert.Equal(b.t, "10", evaluate[string](b, playground+`.querySelector('input[type=number][data-control=lease]').value`))
}

// stepThrough goes from event to event; what comes later is not told.
func (b *browser) stepThrough(playground string) {
	b.t.Helper()
	b.run(playground + `.querySelector('button[title="to the beginning"]').click()`)
	b.run(playground + `.querySelector('button[title="to the beginning"]').focus()`)
	assert.Contains(b.t, b.told(playground), "1 s, client 1 asks for the lock")
	for range 6 {
		b.press("n")
	}
	assert.NotContains(b.t, evaluate[string](b, playground+`.textContent`), "overwrites")
	b.shoot("playground-step")
	b.run(playground + `.querySelector('button[title="to the end"]').click()`)
	assert.Contains(b.t, b.told(playground), "overwrites")
	b.press("v")
	assert.NotContains(b.t, b.pictured(playground), "stale", "the picture holds the outcome back")
	assert.Contains(b.t, b.told(playground), "nothing has been written", "the words hold the outcome back")
	b.click(playground + `.querySelector('canvas')`)
	b.press("v")
	assert.Contains(b.t, b.told(playground), "overwrites", "a key after a click on the picture")
}

// choosesAScenario goes to the next one in the list by a key, as a reader does.
func (b *browser) choosesAScenario(playground string) {
	b.t.Helper()
	b.run(playground + `.querySelector('select').focus()`)
	b.press(kb.ArrowDown)
	assert.Equal(b.t, "pause between check and write", evaluate[string](b, playground+`.querySelector('select').value`))
	assert.Contains(b.t, b.told(playground), "the write with token 33 is accepted")
	assert.Contains(b.t, b.pictured(playground), "checks")
	b.press(kb.ArrowUp)
	assert.NotContains(b.t, b.pictured(playground), "checks")
}

// plays presses Play and sees event after event come, until it presses Stop.
func (b *browser) plays(playground string) {
	b.t.Helper()
	play, moment := playground+`.querySelector('[data-play]')`, playground+`.querySelector('.fp-steps input[type=range]').valueAsNumber`
	b.run(playground + `.querySelector('button[title="to the beginning"]').click()`)
	before := b.pictured(playground)
	b.click(play)
	assert.Equal(b.t, "Stop", evaluate[string](b, play+`.textContent`))
	b.await("the third event", moment+` >= 2`)
	assert.NotEqual(b.t, before, b.pictured(playground))
	b.click(play)
	assert.Equal(b.t, "Play", evaluate[string](b, play+`.textContent`))
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// waitingFor is a cell that runs until a file is there.
func waitingFor(file string) string {
	return fmt.Sprintf("import (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n%%%%\nfor {\n\tif _, err := os.Stat(%q); err == nil {\n\t\tbreak\n\t}\n\ttime.Sleep(20 * time.Millisecond)\n}\nfmt.Println(\"it is there\")", file)
}

// runsBesideTheKernel uses the playground while the kernel is busy with a cell.
func (b *browser) runsBesideTheKernel(playground, goOn string) {
	b.t.Helper()
	prompt := panel + `.querySelectorAll('.jp-CodeCell')[1].querySelector('.jp-InputPrompt')`
	require.NoError(b.t, os.Remove(goOn))
	b.run(prompt + `.scrollIntoView({ block: 'center' })`)
	b.click(prompt)
	b.run(`jupyterapp.commands.execute('notebook:run-cell')`)
	b.await("a busy kernel", prompt+`.textContent.includes('*')`)
	b.isAlive(playground)
	assert.Contains(b.t, evaluate[string](b, prompt+`.textContent`), "*", "the cell runs all the while")
	require.NoError(b.t, os.WriteFile(goOn, nil, 0o644))
	b.await("the cell's end", `/\d/.test(`+prompt+`.textContent)`)
}

// restores brings a scene back by its link.
func (b *browser) restores(playground string) {
	b.t.Helper()
	field := playground + `.querySelector('.fp-link')`
	b.run(playground + `.querySelectorAll('details').forEach(d => d.open = true)`)
	b.run(field + `.value = 'scenario=crash&Lease=20s&fencing=on', ` + field + `.dispatchEvent(new Event('change'))`)
	assert.Contains(b.t, b.told(playground), "client 1 crashed, and its lease ended")
	assert.Equal(b.t, "20", evaluate[string](b, playground+`.querySelector('input[type=number][data-control=lease]').value`))
	assert.Contains(b.t, evaluate[string](b, playground+`.querySelector('pre').textContent`), "preset := fencing.CrashedHolder()\npreset.Lease = 20 * time.Second\npreset.Fencing = true\n")
	b.run(field + `.value = 'scenario=nonsense', ` + field + `.dispatchEvent(new Event('change'))`)
	assert.Contains(b.t, b.told(playground), `there is no preset and no scenario "nonsense"`)
	b.run(playground + `.querySelector('[value=off]').click()`)
	assert.Contains(b.t, b.told(playground), "client 1 crashed, and its lease ended", "what was shown before can be changed further")
	assert.Contains(b.t, evaluate[string](b, field+`.value`), "scenario=crash")
	assert.Contains(b.t, evaluate[string](b, `fencingPlayground.show().join()`), "by a mistake of its own", "a panic does not end the simulator")
	b.run(field + `.value = 'scenario=GC+pause&Lease=-3s', ` + field + `.dispatchEvent(new Event('change'))`)
	assert.Contains(b.t, b.told(playground), "Config.Lease is -3s")
	assert.Contains(b.t, evaluate[string](b, playground+`.querySelector('pre').textContent`), "preset.Lease = -3 * time.Second")
	assert.Equal(b.t, 0, evaluate[int](b, playground+`.querySelectorAll('td').length`), "no table of the run before")
	b.run(playground + `.querySelectorAll('details').forEach(d => d.open = false)`)
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// copies takes a scene that was changed by mouse and keys to the clipboard, runs
// the copied cell in the kernel, and compares the runs event by event.
func (b *browser) copies(playground string) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: "clipboard-read"}, Setting: cdpbrowser.PermissionSettingGranted})
		return chromedp.Void{}, err
	})
	b.run(playground + `.querySelectorAll('details').forEach(d => d.open = true)`)
	b.run(playground + `.querySelector('[value=on]').click()`)
	b.run(playground + `.querySelector('[type=checkbox]').click()`) // a third client
	b.run(playground + `.querySelector('[data-control=lease]').focus()`)
	b.press(kb.ArrowRight)
	button := `[...` + playground + `.querySelectorAll('button')].find(e => e.textContent === 'Copy as Go')`
	b.run(button + `.scrollIntoView({ block: 'center' })`)
	b.click(button)
	b.await("the copy", playground+`.querySelector('[role=status]').textContent === 'Copied.'`)
	b.run(`window.__copied = null, navigator.clipboard.readText().then(text => (window.__copied = text))`)
	b.await("the clipboard", `window.__copied !== null`)
	cell := evaluate[string](b, `window.__copied`)
	assert.Contains(b.t, cell, "preset.Lease = 10500 * time.Millisecond")
	var shown string
	for _, output := range execute(b.t, cell).Cells[0].Outputs {
		var page ipynb.Text
		if json.Unmarshal(output.Data["text/html"], &page) == nil {
			shown += string(page)
		}
	}
	story := html.UnescapeString(regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>`).FindStringSubmatch(shown)[1])
	copied := strings.Split(story, "\n")[2:] // below the outcome and the parameters
	played := evaluate[[]string](b, `[...`+playground+`.querySelectorAll('table tr')].map(r => [...r.children].map(e => e.textContent).join(' '))`)
	require.Greater(b.t, len(copied), 20)
	assert.Equal(b.t, played, copied)
	b.run(playground + `.querySelectorAll('details').forEach(d => d.open = false)`)
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// A notebook that came from elsewhere is not trusted, so that its scripts do not
// run until the reader says so.
func TestAPlaygroundInANotebookNobodyTrustsIsAStory(t *testing.T) {
	result := runNotebook(t, notebook(t, "foreign.ipynb", "%%\ncharts.Timeline(fencing.GCPause().Run())", "%%\ncharts.Playground(fencing.GCPause())"))
	require.True(t, result.OK(), result.Failure())
	b := openBrowser(t, result.Executed)
	b.open("foreign.ipynb", 1366, 768, "light")
	b.await("the story", panel+`.textContent.includes('Here is a playground, where scripts may run')`)
	for cell := range 2 {
		assert.Contains(t, evaluate[string](b, fmt.Sprintf(`%s.querySelectorAll('.jp-CodeCell')[%d].querySelector('.jp-OutputArea').innerText`, panel, cell)),
			"16 s storage accepts the write of client 1 with token 33, although it had accepted 34: the data of client 2 is gone")
	}
	assert.Equal(t, 0, evaluate[int](b, panel+`.querySelectorAll('[data-drawn], [data-ready]').length`))
	b.shoot("untrusted")
}

// letters is how high the smallest letters of the picture are, in pixels.
func (b *browser) letters(playground string) float64 {
	b.t.Helper()
	b.await("ECharts", library)
	return evaluate[float64](b, `(picture => +(Math.min(...foundECharts.getInstanceByDom(picture).getZr().storage.getDisplayList()
		.filter(e => e.style.text).map(e => parseFloat(e.style.font.match(/([\d.]+)px/)[1]))) * new DOMMatrix(getComputedStyle(picture).transform).a).toFixed(2))(`+playground+`.querySelector('.fp-picture'))`)
}

func TestPlaygroundIsLargerForAProjector(t *testing.T) {
	b := openBrowser(t, notebook(t, "large.ipynb", "import \"os\"\n%%\nos.Setenv(\"FENCING_CHART_SIZE\", \"projector\")\ncharts.Playground(fencing.GCPause())"))
	b.open("large.ipynb", 1280, 720, "light")
	b.runAll()
	b.await("the playground", inLab+`?.dataset.ready === 'true'`)
	b.isAlive(inLab)
	b.run(inLab + `.scrollIntoView()`)
	b.shoot("playground-large")
	assert.GreaterOrEqual(t, b.letters(inLab), 13.0)
	assert.Equal(t, "18px", evaluate[string](b, `getComputedStyle(`+inLab+`).fontSize`))
	b.click(inLab + `.querySelector('[value=both]')`)
	b.run(inLab + `.querySelector('.fp-frame').scrollIntoView()`)
	b.shoot("playground-large-both")
	assert.GreaterOrEqual(t, b.letters(inLab), 13.0, "side by side")
	b.run(inLab + `.scrollIntoView()`)
	b.fullScreen(inLab, "playground-large-full")
}

func (b *browser) fullScreen(playground, name string) {
	b.t.Helper()
	b.click(playground + `.querySelector('[value=both]')`)
	b.click(playground + `.querySelector('button[title="for a projector"]')`)
	b.await("the full screen", `document.fullscreenElement === `+playground)
	b.shoot(name)
	assert.GreaterOrEqual(b.t, b.letters(playground), 13.0)
	b.click(playground + `.querySelector('button[title="for a projector"]')`)
	b.await("the end of the full screen", `!document.fullscreenElement`)
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// times are those of one move, in milliseconds: until the picture is painted
// anew, and in Go, and in Go and ECharts together.
type times struct{ Painted, Go, Work float64 }

// measure moves a slider 200 times by real keys. It tells the times, and judges
// none: they depend on what else the machine does. To see them:
//
//	go test -count=1 -v -run TestPlaygroundInJupyterLab ./notebooks/internal/e2e
func (b *browser) measure(playground string) {
	b.t.Helper()
	b.run(`(() => {
		window.__moves = [];
		const range = ` + playground + `.querySelector('[data-control=pause]');
		const show = fencingPlayground.show;
		let began, go;
		fencingPlayground.show = (...a) => { const t = performance.now(), r = show(...a); go = performance.now() - t; return r; };
		document.addEventListener('input', () => (began = performance.now()), true);
		document.addEventListener('input', () => {
			const move = { go, work: performance.now() - began }, from = began;
			requestAnimationFrame(() => {
				const channel = new MessageChannel();
				channel.port1.onmessage = () => window.__moves.push({ ...move, painted: performance.now() - from });
				channel.port2.postMessage(0);
			});
		});
		range.focus();
	})()`)
	for i := range 200 {
		b.press(map[bool]string{true: kb.ArrowRight, false: kb.ArrowLeft}[i%20 < 10])
		time.Sleep(40 * time.Millisecond) // else keys go before painting for as long as they come
	}
	b.await("200 moves", `window.__moves.length >= 200`)
	moves := evaluate[[]times](b, `window.__moves`)
	report := func(name string, of func(times) float64) {
		slices.SortFunc(moves, func(x, y times) int { return cmp.Compare(of(x), of(y)) })
		b.t.Logf("%s: median %.1f ms, p95 %.1f ms", name, of(moves[100]), of(moves[190]))
	}
	b.t.Logf("200 moves of a slider; %s", load())
	report("in Go", func(m times) float64 { return m.Go })
	report("in Go and ECharts", func(m times) float64 { return m.Work })
	report("input to painted", func(m times) float64 { return m.Painted })
}

// stopKernelAndReload saves the notebook, ends its kernel and loads the page
// anew.
func (b *browser) stopKernelAndReload() {
	b.t.Helper()
	b.run(`(async () => {
		await jupyterapp.commands.execute('docmanager:save');
		const widget = [...jupyterapp.shell.widgets('main')].find(w => w.isVisible && w.sessionContext);
		await widget.sessionContext.shutdown();
		window.__stopped = true;
	})()`)
	b.await("the end of the kernel", `window.__stopped === true`)
	b.isAlive(inLab)
	b.do(chromedp.Reload())
	b.await("the reloaded playground", inLab+`?.dataset.ready === 'true'`)
}
