package e2e

import (
	"context"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
)

// exported exports a notebook with a chart and a playground, and returns its
// page.
func exported(t *testing.T, flags ...string) (page string) {
	t.Helper()
	return exportedCells(t, []string{"%%\ncharts.StepThrough(fencing.GCPause().Run())", "%%\ncharts.Playground(fencing.GCPause())"}, flags...)
}

func exportedCells(t *testing.T, cells []string, flags ...string) (page string) {
	t.Helper()
	file := notebook(t, "played.ipynb", cells...)
	out := filepath.Join(t.TempDir(), "out")
	cmd := command(t, append([]string{"export", file, "--out", out}, flags...)...)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	assert.FileExists(t, filepath.Join(out, "index.html"))
	return filepath.Join(out, "played.html")
}

func (b *browser) openFile(file string, width, height int64, feature, value string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height), prefers(feature, value), chromedp.Navigate("file://"+file))
}

func TestAnExportedLessonIsAliveFromTheDiskWithoutANetwork(t *testing.T) {
	page := exported(t)
	info, err := os.Stat(page)
	require.NoError(t, err)
	t.Logf("%.2f MB", float64(info.Size())/1e6)
	assert.Less(t, info.Size(), int64(6_000_000))
	b := newBrowser(t)
	b.openFile(page, 1366, 768, "prefers-color-scheme", "light")
	b.await("the playground", inPage+`?.dataset.ready === 'true'`)
	b.await("the chart", `document.querySelector('.fencing-chart[data-drawn]') !== null`)
	b.isAlive(inPage)
	b.describesItsPicture(inPage)
	b.run(`document.querySelector('.fencing-chart').scrollIntoView()`)
	b.shoot("exported-chart")
	b.run(inPage + `.scrollIntoView()`)
	b.shoot("exported-playground")
	assert.Empty(t, b.outside())
	b.followsTheScheme(page)
	b.movesNothing(page)
	b.saysWhatIsMissing(page)
	b.tellsWithoutScripts(page)
}

// describesItsPicture asks what a screen reader says, after the picture has
// changed and then its room.
func (b *browser) describesItsPicture(playground string) {
	b.t.Helper()
	b.run(playground + `.querySelector('[data-control=lease]').focus()`)
	b.press(kb.ArrowRight)
	label := playground + `.querySelector('[role=img]').getAttribute('aria-label')`
	b.await("its description", label+`.includes('lease 10.5 s')`)
	canvas := playground + `.querySelector('canvas').clientWidth`
	width := evaluate[int](b, canvas)
	b.do(chromedp.EmulateViewport(800, 768))
	b.await("a narrower picture", fmt.Sprintf(`%s < %d`, canvas, width))
	assert.Contains(b.t, evaluate[string](b, label), "lease 10.5 s")
	b.run(playground + `.querySelector('button').click()`) // Reset
	b.do(chromedp.EmulateViewport(1366, 768))
}

// All playgrounds of a page share one simulator.
func TestTwoPlaygroundsOfAPageKeepApart(t *testing.T) {
	page := exportedCells(t, []string{"%%\ncharts.Playground(fencing.GCPause())", "%%\ncharts.Playground(fencing.HealthyHandOver())"})
	b := newBrowser(t)
	b.openFile(page, 1366, 768, "prefers-color-scheme", "light")
	b.await("both", `document.querySelectorAll('.fencing-playground[data-ready=true]').length === 2`)
	b.run(`(() => {
		const [one, other] = document.querySelectorAll('.fencing-playground');
		const range = one.querySelector('[data-control=lease]');
		range.stepUp();
		range.dispatchEvent(new Event('input')); // what is said of it follows
		other.querySelector('[value=on]').click();
	})()`)
	b.await("what is said of the move", inPage+`.querySelector('pre').textContent.includes('preset.Lease = 10500 * time.Millisecond')`)
	assert.Contains(t, b.told(inPage), "the write with token 33 is accepted at 16 s and overwrites client 2’s data")
}

// followsTheScheme looks at an exported page in the dark, and as it is printed.
func (b *browser) followsTheScheme(page string) {
	b.t.Helper()
	b.openFile(page, 1366, 768, "prefers-color-scheme", "dark")
	b.await("the playground", inPage+`?.dataset.ready === 'true'`)
	b.await("the chart", `document.querySelector('.fencing-chart[data-drawn]') !== null`)
	ground := `getComputedStyle(document.body).backgroundColor`
	letters := `document.querySelector('.fencing-chart text').getAttribute('fill')`
	assert.Equal(b.t, "rgb(17, 17, 17)", evaluate[string](b, ground))
	assert.Equal(b.t, "#f3f4f6", evaluate[string](b, letters))
	assert.Equal(b.t, "true", evaluate[string](b, inPage+`.dataset.dark`))
	b.shoot("exported-dark")
	b.run(`dispatchEvent(new Event('beforeprint'))`)
	assert.Equal(b.t, "#111827", evaluate[string](b, letters), "paper is light")
	b.run(`dispatchEvent(new Event('afterprint'))`)
	assert.Equal(b.t, "#f3f4f6", evaluate[string](b, letters))
	b.do(prefers("prefers-color-scheme", "light"))
	assert.Equal(b.t, "rgb(255, 255, 255)", evaluate[string](b, ground))
	b.await("the chart in the light", letters+` === "#111827"`) // it hears of it, and draws anew
}

// movesNothing looks for the buttons that would make something move by itself.
func (b *browser) movesNothing(page string) {
	b.t.Helper()
	for value, hidden := range map[string]bool{"no-preference": false, "reduce": true} {
		b.openFile(page, 1366, 768, "prefers-reduced-motion", value)
		b.await("the playground", inPage+`?.dataset.ready === 'true'`)
		b.await("the steps", `document.querySelector('[data-step=play]') !== null`)
		assert.Equal(b.t, hidden, evaluate[bool](b, `document.querySelector('[data-step=play]').hidden`), value)
		assert.Equal(b.t, hidden, evaluate[bool](b, inPage+`.querySelector('[data-play]').hidden`), value)
	}
}

// saysWhatIsMissing opens a page that has lost its simulator.
func (b *browser) saysWhatIsMissing(page string) {
	b.t.Helper()
	whole, err := os.ReadFile(page)
	require.NoError(b.t, err)
	broken := strings.Replace(string(whole), `data-fencing-asset="playground.wasm"`, `data-lost`, 1)
	file := filepath.Join(b.t.TempDir(), "broken.html")
	require.NoError(b.t, os.WriteFile(file, []byte(broken), 0o644))
	b.openFile(file, 1366, 768, "prefers-color-scheme", "light")
	b.await("the sentence", inPage+`.textContent.includes('cannot be shown here')`)
	said := evaluate[string](b, inPage+`.innerText`)
	assert.Contains(b.t, said, "The playground cannot be shown here (playground.wasm is not in this page). Open this lesson with “go run ./notebooks” and run the cell again. Here is the run as a story:")
	assert.Contains(b.t, said, "16 s storage accepts the write of client 1 with token 33")
	b.await("the chart, all the same", `document.querySelector('.fencing-chart[data-drawn]') !== null`)
}

// tellsWithoutScripts opens a page whose scripts do not run.
func (b *browser) tellsWithoutScripts(page string) {
	b.t.Helper()
	allow := func(scripts bool) chromedp.Action[chromedp.Void] {
		return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
			return chromedp.Void{}, err
		}
	}
	b.do(allow(false))
	b.openFile(page, 1366, 768, "prefers-color-scheme", "light")
	for _, place := range []string{".fencing-chart", ".fencing-playground"} {
		said := evaluate[string](b, `document.querySelector('`+place+`').innerText`)
		assert.Contains(b.t, said, "16 s storage accepts the write of client 1 with token 33", place)
	}
	b.shoot("exported-without-scripts")
	b.do(allow(true))
}

// The lessons are exported as they are handed out: what a learner is to find out
// is not in them.
func TestAllLessonsAreExportedAtOnceAndGiveNoSolutionAway(t *testing.T) {
	if testing.Short() {
		t.Skip("every lesson is run, which takes minutes")
	}
	out := filepath.Join(t.TempDir(), "out")
	said, err := command(t, "export", "--out", out).CombinedOutput()
	require.NoError(t, err, string(said))
	index := string(mustRead(t, filepath.Join(out, "index.html")))
	pages := map[string]string{}
	for _, l := range lessons(t) {
		page := mustRead(t, filepath.Join(out, l.Name+".html"))
		t.Logf("%s: %.2f MB", l.Name, float64(len(page))/1e6)
		assert.Less(t, len(page), 6_000_000, l.Name)
		assert.Contains(t, index, `href="`+l.Name+`.html"`)
		pages[l.Name] = visible(string(page))
		deadLinks(t, out, l.Name+".html")
	}
	for _, e := range exercises.All() {
		stub, err := e.Stub(ready(t).Root)
		require.NoError(t, err)
		solution, err := e.Solution(ready(t).Root)
		require.NoError(t, err)
		assert.Contains(t, pages[e.Lesson], visible(html.EscapeString(stub)), "the task is there")
		assert.NotContains(t, pages[e.Lesson], visible(html.EscapeString(solution)), e.Name)
	}
}

// A mock interview's page leads to lessons as their texts do.
func TestLinksOfAnExportedLessonLeadToExportedLessons(t *testing.T) {
	from := notebook(t, "from.ipynb", "# From\n\n[to part 2](02-gc-pause.ipynb#part-2), [to a lesson that is not there](03-check-then-write.ipynb), [elsewhere](https://example.org/x.ipynb)",
		"%%\ninterview.Mock(1, 99)")
	to := notebook(t, "02-gc-pause.ipynb", "# To")
	out := filepath.Join(t.TempDir(), "out")
	said, err := command(t, "export", from, to, "--out", out).CombinedOutput()
	require.NoError(t, err, string(said))
	page := string(mustRead(t, filepath.Join(out, "from.html")))
	assert.Contains(t, page, `<a href="02-gc-pause.html#part-2">to part 2</a>, <a>to a lesson that is not there</a>, <a href="https://example.org/x.ipynb"`)
	assert.Contains(t, page, `</fieldset><a href="02-gc-pause.html">Lesson 02-gc-pause</a></details>`)
	assert.Contains(t, page, `</fieldset><a>Lesson 06-fencing-tokens</a></details>`)
	deadLinks(t, out, "from.html")
}

// deadLinks finds the links of a page that lead to no file beside it.
func deadLinks(t *testing.T, folder, page string) {
	t.Helper()
	for _, found := range regexp.MustCompile(`<a [^>]*href="([^":#]+)[#"]`).FindAllStringSubmatch(string(mustRead(t, filepath.Join(folder, page))), -1) {
		assert.FileExists(t, filepath.Join(folder, found[1]), page)
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// visible is the text of a page, with single spaces.
func visible(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), " ")
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
	b.openFile(page, 1280, 720, "prefers-color-scheme", "light")
	b.await("the pictures", `document.querySelectorAll('svg[role=img]').length === 2`)
	b.run(`document.querySelector('svg[role=img]').scrollIntoView()`)
	b.shoot("exported-print")
	assert.Empty(t, b.outside())
}

// withExercise exports an exercise as it is handed out.
func withExercise(t *testing.T, e exercises.Exercise, flags ...string) (page string) {
	t.Helper()
	stub, err := e.Stub(ready(t).Root)
	require.NoError(t, err)
	test := fmt.Sprintf("%%test\nfunc TestIt(t *testing.T) {\n\t%s.Check(t, %s)\n}", e.Name, e.Answer)
	return exportedCells(t, []string{stub, test, "# After it"}, flags...)
}

func TestASolutionIsExportedWhenItIsAskedFor(t *testing.T) {
	all := exercises.All()
	e := all[slices.IndexFunc(all, func(e exercises.Exercise) bool { return e.Name == "fencedwrite" })]
	solution, err := e.Solution(ready(t).Root)
	require.NoError(t, err)
	stub, err := e.Stub(ready(t).Root)
	require.NoError(t, err)
	var own []string // lines that the stub has not
	for line := range strings.Lines(solution) {
		if line = strings.TrimSpace(line); len(line) > len("return nil") && !strings.Contains(stub, line) {
			own = append(own, line)
		}
	}
	require.Contains(t, own, "if token < s.fences[key] {")
	page := withExercise(t, e)
	for _, file := range []string{page, filepath.Join(filepath.Dir(page), "index.html")} {
		text := visible(string(mustRead(t, file)))
		assert.NotContains(t, text, "Solution")
		for _, line := range own {
			assert.NotContains(t, text, line)
		}
	}

	page = withExercise(t, e, "--solutions")
	assert.Contains(t, string(mustRead(t, filepath.Join(filepath.Dir(page), "index.html"))), "Solutions are in it")
	b := newBrowser(t)
	b.openFile(page, 1280, 720, "prefers-color-scheme", "light")
	b.showsSolution(e, solution, false)
	b.shoot("exported-solution-closed")
	b.run(`dispatchEvent(new Event('beforeprint'))`)
	b.showsSolution(e, solution, true)
	b.shoot("exported-solution")
	b.run(`dispatchEvent(new Event('afterprint'))`)
	b.showsSolution(e, solution, false)
	b.openFile(withExercise(t, e, "--solutions", "--print"), 1280, 720, "prefers-color-scheme", "light")
	b.showsSolution(e, solution, true)
}

// showsSolution looks for a solution between the test of its exercise and what
// comes after it.
func (b *browser) showsSolution(e exercises.Exercise, solution string, open bool) {
	b.t.Helper()
	assert.Equal(b.t, []string{"Solution: " + e.Title}, evaluate[[]string](b, `[...document.querySelectorAll('.fencing-solution > summary')].map(s => s.innerText)`))
	code := `document.querySelector('.fencing-solution pre')`
	assert.Equal(b.t, solution, strings.TrimSpace(evaluate[string](b, code+`.textContent`)))
	assert.Equal(b.t, open, evaluate[bool](b, code+`.checkVisibility()`))
	assert.Equal(b.t, "TestIt,solution,After it", evaluate[string](b, `[...document.querySelectorAll('.jp-Cell')].slice(1).map(c =>
		c.querySelector('.fencing-solution') ? 'solution' : c.textContent.match(/TestIt|After it/)[0]).join()`))
}

// A page of paper cannot be moved sideways, and nobody turns it over to see what
// a heading is of.
func TestPaperCutsNothingOffAndLeavesNoHeadingAlone(t *testing.T) {
	long := strings.Repeat("on and on ", 30)
	page := exportedCells(t, []string{"# Alone", "%%\nfmt.Println(\"" + long + "\")", "%%\ncharts.Timeline(fencing.GCPause().Run())"}, "--print")
	b := newBrowser(t)
	b.openFile(page, 700, 1000, "prefers-color-scheme", "light")
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return chromedp.Void{}, err
	})
	assert.Equal(t, 2, evaluate[int](b, `[...document.querySelectorAll('pre')].filter(pre => pre.textContent.includes('on and on')).length`), "in the code, and below it")
	assert.Empty(t, evaluate[[]string](b, `[...document.querySelectorAll('pre, .highlight, .jp-InputArea-editor, .jp-OutputArea-output')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.className + ' ' + e.textContent)`))
	ofHeading := `getComputedStyle(document.querySelector('h1').closest('.jp-Cell'))`
	assert.Equal(t, "avoid", evaluate[string](b, ofHeading+`.breakAfter`))
	assert.Equal(t, "avoid", evaluate[string](b, `getComputedStyle(document.querySelector('svg[role=img]')).breakInside`))
	b.shoot("exported-paper")
}
