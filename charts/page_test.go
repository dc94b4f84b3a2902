package charts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
)

const echartsSource = "../.lab/static/echarts.min.js"

// inBrowser shows figures on a page in Chromium, runs a script there that
// returns an object of strings and numbers, and returns that object. With
// FENCING_SCREENSHOTS set to a folder, a picture of the page is kept there; DARK,
// WIDTH and HEIGHT change how the page looks.
func inBrowser(t *testing.T, script string, figures ...figure) map[string]any {
	if testing.Short() {
		t.Skip("a browser takes seconds to start")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	echarts, err := os.ReadFile(echartsSource)
	if err != nil {
		t.Skipf("ECharts is not at %s: go run ./notebooks setup brings it", echartsSource)
	}
	page := pageOf(t, script, figures)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/static/echarts.min.js":
			_, _ = w.Write(echarts)
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(page))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	arguments := []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--hide-scrollbars", "--window-size=" + cmp.Or(os.Getenv("WIDTH"), "1280") + "," + cmp.Or(os.Getenv("HEIGHT"), "1000"), "--user-data-dir=" + t.TempDir(), "--virtual-time-budget=6000"}
	if folder := os.Getenv("FENCING_SCREENSHOTS"); folder != "" {
		picture := filepath.Join(folder, t.Name()+".png")
		require.NoError(t, exec.CommandContext(ctx, chromium, append(arguments, "--screenshot="+picture, server.URL)...).Run())
	}
	dom, err := exec.CommandContext(ctx, chromium, append(arguments, "--dump-dom", server.URL)...).Output()
	require.NoError(t, err)
	found := regexp.MustCompile(`(?s)<pre id="result"[^>]*>(.*?)</pre>`).FindSubmatch(dom)
	require.NotNil(t, found, "the page's script did not end")
	var result map[string]any
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &result), "%s", found[1])
	return result
}

func pageOf(t *testing.T, script string, figures []figure) string {
	theme := `data-jp-theme-light="true"`
	if os.Getenv("DARK") != "" {
		theme = `data-jp-theme-light="false" style="background: #111; color: #eee"`
	}
	page := `<!doctype html><html lang="en"><head><title>charts</title><script id="jupyter-config-data" type="application/json">{"baseUrl": "/"}</script></head>
<body ` + theme + `>`
	for _, f := range figures {
		e, err := element(f)
		require.NoError(t, err)
		page += e
	}
	return page + fmt.Sprintf(`<script>
(async () => {
  const drawn = () => document.querySelectorAll('.fencing-chart:not([data-drawn])').length === 0;
  while (!drawn()) await new Promise(done => setTimeout(done, 20));
  const pause = () => new Promise(done => setTimeout(done, 100));
  await pause();
  const $ = selector => document.querySelector(selector);
  let result;
  try { result = await (async () => { %s })(); } catch (error) { result = { error: String(error.stack) }; }
  const pre = document.createElement('pre');
  pre.id = 'result';
  pre.style.display = 'none';
  pre.textContent = JSON.stringify(result);
  document.body.append(pre);
})();
</script></body></html>`, script)
}

func figureOf(traces ...*fencing.Trace) figure { return figure{chart: draw.Timeline(traces)} }

func TestSteppingTellsTheStoryLineByLine(t *testing.T) {
	got := inBrowser(t, `
		const told = () => $('.fencing-told').textContent;
		const press = name => $('[data-step=' + name + ']').click();
		const key = name => $('[data-step=next]').dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
		const title = () => [...document.querySelectorAll('.fencing-chart svg text')].map(e => e.textContent).join(' ');
		const r = { before: told(), hidden: !title().includes('overwrites client 2') };
		press('next'); r.first = told();
		key('ArrowRight'); r.second = told();
		press('previous'); r.again = told();
		press('violation'); await pause(); r.violation = told(); r.title = title().includes('overwrites client 2');
		press('play'); r.playing = $('[data-step=play]').textContent;
		press('start'); r.start = told(); r.stopped = $('[data-step=play]').textContent;
		press('violation');
		r.live = $('.fencing-told').getAttribute('aria-live');
		r.label = $('.fencing-steps').getAttribute('aria-label');
		return r;`, stepped(fencing.GCPause().Run()))
	assert.Contains(t, got["first"], "1 of ")
	assert.Contains(t, got["first"], `1 s · client 1 asks for the lock "report"`)
	assert.Contains(t, got["second"], "grants token 33")
	assert.Equal(t, got["first"], got["again"])
	assert.Contains(t, got["violation"], "the data of client 2 is gone")
	assert.Equal(t, true, got["hidden"], "the title does not tell the outcome before its time")
	assert.Equal(t, true, got["title"])
	assert.Equal(t, "Stop", got["playing"])
	assert.Equal(t, "Play", got["stopped"])
	assert.Contains(t, got["start"], "Before the first")
	assert.Equal(t, "polite", got["live"])
	assert.NotEmpty(t, got["label"])
}

// What a reader can come to know of a run before its time: by looking, by the
// mouse, by what is read out.
func TestSteppingTellsNothingBeforeItsTime(t *testing.T) {
	got := inBrowser(t, `
		const chart = $('.fencing-chart'), ground = chart.querySelector('svg').parentNode;
		const press = name => $('[data-step=' + name + ']').click();
		const texts = () => [...chart.querySelectorAll('svg text')].map(e => e.textContent).join(' | ');
		const label = () => chart.getAttribute('aria-label');
		// Every tooltip and every ring around a cause, all over the picture.
		const tips = async () => {
			const box = chart.getBoundingClientRect(), found = new Set();
			for (let y = 90; y < box.height - 60; y += 16) for (let x = 110; x < box.width; x += 30) {
				ground.dispatchEvent(new MouseEvent('mousemove', { clientX: box.x + x, clientY: box.y + y, bubbles: true }));
				found.add(chart.dataset.cause || '');
				const tip = [...chart.children].find(e => e !== ground);
				if (tip && tip.style.visibility !== 'hidden') found.add(tip.textContent);
			}
			return [...found].join(' | ');
		};
		const r = { label: label(), texts: texts(), tips: await tips() };
		press('next'); r.first = texts();
		press('next'); press('next'); r.paused = texts();
		press('violation'); await pause(); r.tipsOfAll = await tips(); r.labelOfAll = label(); r.textsOfAll = texts();
		return r;`, stepped(fencing.GCPause().Run()))
	for _, early := range []string{"label", "texts", "tips", "first", "paused"} {
		for _, outcome := range []string{"stale", "accept", "overwrites", "believe:", "34"} {
			assert.NotContains(t, got[early], outcome, early)
		}
	}
	assert.Contains(t, got["label"], "GC pause, fencing off: what happens next?")
	assert.NotContains(t, got["texts"], "| paused |", "the legend explains what is seen")
	assert.NotContains(t, got["first"], "token 33", "it is granted in the same second, but one event later")
	assert.NotContains(t, got["first"], "| paused")
	assert.Contains(t, got["paused"], "paused 14 s")
	assert.Contains(t, got["tipsOfAll"], "although it had accepted 34")
	assert.Regexp(t, `\d+ \d+`, got["tipsOfAll"], "causes")
	assert.Contains(t, got["labelOfAll"], "overwrites client 2’s data")
	assert.Contains(t, got["textsOfAll"], "accepted, stale")
}

func TestARunWithoutEventsHasItsButtonsAndItsTable(t *testing.T) {
	got := inBrowser(t, `
		$('details').open = true; await pause();
		return { told: $('.fencing-told').textContent, next: $('[data-step=next]').disabled, table: document.querySelectorAll('table').length };`,
		stepped(fencing.NewWorld(fencing.Config{}).Run()))
	assert.Equal(t, "Nothing happened in this run.", got["told"])
	assert.Equal(t, true, got["next"])
	assert.EqualValues(t, 1, got["table"])
}

func TestAButtonThatLeadsToNoViolationSaysWhy(t *testing.T) {
	got := inBrowser(t, `
		const { disabled, title } = $('[data-step=violation]');
		return { disabled, title };`, stepped(fencing.GCPause().Run(), HoldBack(8*time.Second)))
	assert.Equal(t, true, got["disabled"])
	assert.Equal(t, "The rest of this run is held back", got["title"])
}

func TestTheTableHasEveryEventOfTheStory(t *testing.T) {
	off, on := fencing.DelayedWrite(), fencing.DelayedWrite()
	on.Fencing = true
	got := inBrowser(t, `
		const details = $('.fencing-figure details');
		details.open = true; await pause();
		return { tables: details.querySelectorAll('table').length, rows: details.querySelectorAll('tbody tr').length, text: details.textContent,
			heads: details.querySelectorAll('th[scope=col]').length,
			role: $('.fencing-chart').getAttribute('role'), label: $('.fencing-chart').getAttribute('aria-label') };`, figureOf(off.Run(), on.Run()))
	assert.EqualValues(t, 2, got["tables"])
	assert.EqualValues(t, 10, got["heads"])
	assert.Greater(t, got["rows"], 30.0)
	assert.Contains(t, got["text"], "accepts the write of client 1 with token 33, although it had accepted 34: the data of client 2 is gone")
	assert.Equal(t, "img", got["role"])
	assert.Contains(t, got["label"], "overwrites client 2’s data")
}

func TestTheTableOfALongRunLeadsToItsEnd(t *testing.T) {
	world := fencing.NewWorld(fencing.Config{Name: "a long one"})
	world.Client("client 1", func(c *fencing.Client) {
		for range 180 {
			c.Write("report", "again", 33)
			c.Work(time.Second / 3)
		}
	})
	chart := draw.Timeline([]*fencing.Trace{world.Run()})
	all := len(chart.Stories()[0].Lines)
	require.Greater(t, all, 500)
	require.Less(t, all, 1000)
	got := inBrowser(t, `
		const details = $('details');
		details.open = true; await pause();
		const rows = () => details.querySelectorAll('tbody tr').length, more = details.querySelector('button');
		const r = { first: rows(), says: more.textContent };
		more.click(); r.then = rows(); r.focus = document.activeElement.rowIndex; r.hidden = more.hidden;
		return r;`, figure{chart: chart})
	assert.EqualValues(t, 500, got["first"])
	assert.Equal(t, fmt.Sprintf("Show %d more rows: 500 of %d are shown", all-500, all), got["says"])
	assert.EqualValues(t, all, got["then"])
	assert.EqualValues(t, 501, got["focus"], "below the heads")
	assert.Equal(t, true, got["hidden"])
}

// A slow clock ends a lease at 12.111111112 s.
func TestAReaderSeesTimesRounded(t *testing.T) {
	slow := fencing.GCPause()
	slow.Clocks = []fencing.Clock{{Actor: fencing.ActorLockService, PPM: -100_000}}
	got := inBrowser(t, `
		$('details').open = true; await pause();
		const r = { told: '' };
		while (!$('[data-step=next]').disabled) { $('[data-step=next]').click(); r.told += $('.fencing-told').textContent + '\n'; }
		await pause();
		r.all = document.querySelector('.fencing-figure').textContent + $('.fencing-chart').getAttribute('aria-label');
		return r;`, stepped(slow.Run()))
	assert.Contains(t, got["told"], "12.111 s")
	assert.NotRegexp(t, `\d\.\d{4}`, got["told"])
	assert.Contains(t, got["all"], "12.111 s")
	assert.NotRegexp(t, `\d\.\d{4}`, got["all"])
}

func TestTheMouseShowsWhatLedToAnEvent(t *testing.T) {
	got := inBrowser(t, `
		const chart = $('.fencing-chart'), box = chart.getBoundingClientRect();
		const stale = [...chart.querySelectorAll('svg text')].find(e => e.textContent === '33 accepted, stale').getBoundingClientRect();
		const at = { clientX: stale.x + stale.width / 2, clientY: stale.y + stale.height / 2, bubbles: true };
		chart.querySelector('svg').parentNode.dispatchEvent(new MouseEvent('mousemove', at));
		await pause();
		return { cause: chart.dataset.cause, tip: chart.textContent.includes('although it had accepted 34') };`, figureOf(fencing.GCPause().Run()))
	assert.Regexp(t, `^\d+( \d+)*$`, got["cause"])
	assert.Equal(t, true, got["tip"])
}

func TestHostileNamesAndValuesStayText(t *testing.T) {
	hostile := `</pre></script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">"'` + "\u2028\n💥"
	world := fencing.NewWorld(fencing.Config{Name: hostile})
	world.Client(hostile, func(c *fencing.Client) {
		lease := c.Acquire(hostile)
		c.Claim(hostile, lease.Token)
		c.Write(hostile, hostile, lease.Token)
		c.Read(hostile)
		c.Do(hostile)
		c.Delete(hostile, lease.Token)
	})
	got := inBrowser(t, `
		$('details').open = true;
		while (!$('[data-step=next]').disabled) { $('[data-step=next]').click(); }
		await pause();
		return { hacked: window.hacked || 0, images: document.images.length, drawn: document.querySelectorAll('[data-drawn]').length };`, stepped(world.Run()))
	assert.EqualValues(t, 0, got["hacked"])
	assert.EqualValues(t, 0, got["images"])
	assert.EqualValues(t, 1, got["drawn"])
}

func TestAWindowOnALongRunIsMovedByKeys(t *testing.T) {
	world := fencing.NewWorld(fencing.Config{Name: "a long one"})
	world.Client("client 1", func(c *fencing.Client) {
		for range 100 {
			lease := c.Acquire("report")
			c.Work(time.Second)
			c.Write("report", "again", lease.Token)
			c.Release(lease)
			c.Sleep(time.Second)
		}
	})
	got := inBrowser(t, `
		const group = $('.fencing-zoom'), says = () => group.querySelector('output').textContent;
		const key = name => group.querySelector('button').dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
		const r = { hidden: group.hidden, label: group.getAttribute('aria-label'), first: says(), part: group.textContent };
		key('Home'); r.home = says();
		key('ArrowRight'); r.right = says();
		key('+'); r.closer = says();
		key('-'); r.wider = says();
		key('End'); r.end = says();
		for (let i = 0; i < 9; i++) key('-');
		r.whole = says();
		key('Home'); key('+');
		[...group.querySelectorAll('button')].find(e => e.textContent === 'The whole run').click();
		r.all = says();
		return r;`, figure{chart: draw.Timeline([]*fencing.Trace{world.Run()})})
	assert.Equal(t, false, got["hidden"])
	assert.Contains(t, got["label"], "arrow keys move it")
	assert.Equal(t, "0 s to 77 s of 220 s", got["first"], "it is said at once")
	assert.Contains(t, got["part"], "The part that you see: ")
	assert.Equal(t, "0 s to 220 s of 220 s (texts need a closer look)", got["all"])
	assert.Equal(t, "0 s to 77 s of 220 s", got["home"])
	assert.Equal(t, "38.5 s to 115.5 s of 220 s", got["right"])
	assert.Equal(t, "57.8 s to 96.3 s of 220 s", got["closer"])
	assert.Equal(t, "38.5 s to 115.5 s of 220 s", got["wider"])
	assert.Equal(t, "143 s to 220 s of 220 s", got["end"])
	assert.Equal(t, "0 s to 220 s of 220 s (texts need a closer look)", got["whole"])
}

func TestTableAndWindowGrowForAProjector(t *testing.T) {
	world := fencing.NewWorld(fencing.Config{})
	world.Client("client 1", func(c *fencing.Client) {
		for range 200 {
			c.Write("report", "again", 33)
			c.Work(time.Second)
		}
	})
	got := inBrowser(t, `
		const size = selector => parseFloat(getComputedStyle($(selector)).fontSize);
		return { table: size('summary'), window: size('.fencing-zoom button'), page: size('body') };`,
		figure{chart: draw.Timeline([]*fencing.Trace{world.Run()}, draw.Projector())})
	for _, part := range []string{"table", "window"} {
		assert.InDelta(t, 1.4, got[part].(float64)/got["page"].(float64), 0.01, part)
	}
}

func TestTheNamesOfLanesAreWhole(t *testing.T) {
	world := fencing.NewWorld(fencing.Config{})
	world.Client("client 1", func(c *fencing.Client) {
		for _, of := range []string{"customers", "WWWW MMMM WWWW"} {
			lease := c.Acquire(of)
			c.Write(of, "hello", lease.Token)
		}
	})
	got := inBrowser(t, `
		const left = $('.fencing-chart').getBoundingClientRect().left;
		return Object.fromEntries([...document.querySelectorAll('.fencing-chart svg text')].map(e => [e.textContent, e.getBoundingClientRect().left - left]));`, figureOf(world.Run()))
	require.Contains(t, got, "lock service customers")
	for says, left := range got {
		assert.GreaterOrEqual(t, left, 0.0, says)
	}
}

func TestAProjectorsChartFitsANarrowNotebook(t *testing.T) {
	chart := draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()}, draw.Projector())
	for window, want := range map[string]float64{
		"1280": 1264, // all of the room
		"852":  836,
		"600":  math.Round(float64(chart.Width) / 1.4), // its size on a laptop, and to be scrolled
	} {
		t.Setenv("WIDTH", window)
		got := inBrowser(t, `
			const chart = $('.fencing-chart');
			return { wide: Math.round(chart.getBoundingClientRect().width), scrolls: chart.parentElement.scrollWidth > chart.parentElement.clientWidth };`, figure{chart: chart})
		assert.Equal(t, want, got["wide"], window)
		assert.Equal(t, window == "600", got["scrolls"], window)
	}
}
