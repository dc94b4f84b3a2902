package svg

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

// timelines are what a playground shows one after another.
func timelines() []draw.Chart {
	var all []draw.Chart
	for _, p := range fencing.Presets() {
		off := p.Run()
		p.Fencing = true
		on := p.Run()
		all = append(all, draw.Timeline([]*fencing.Trace{off}), draw.Timeline([]*fencing.Trace{on}), draw.Timeline([]*fencing.Trace{off, on}),
			draw.Timeline([]*fencing.Trace{on}, draw.HoldBack(5*time.Second)))
	}
	for _, s := range reported.All() {
		all = append(all, draw.Timeline([]*fencing.Trace{s.Without()}), draw.Timeline([]*fencing.Trace{s.With()}))
	}
	return all
}

// The playground has no go-echarts: it fills a template.
func TestAFilledTemplateIsTheOptionOfGoECharts(t *testing.T) {
	fills(t, timelines())
	fills(t, []draw.Chart{draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()}, draw.Projector())}, draw.Projector())
}

func fills(t *testing.T, charts []draw.Chart, size ...draw.Option) {
	template, err := draw.Template(size...)
	require.NoError(t, err)
	engine := engineOf(t)
	for _, chart := range charts {
		filled, err := engine.js.RunString(fmt.Sprintf("JSON.stringify((%s)(%s, %s))", draw.Fill, template, chart.Changes()))
		require.NoError(t, err)
		want, err := chart.Option()
		require.NoError(t, err)
		inBrowser, inNotebook := object(t, []byte(filled.String())), object(t, want)
		assert.NotEmpty(t, inNotebook["stories"])
		delete(inNotebook, "stories") // they come later
		delete(inBrowser, "stories")
		forgetKinds(inNotebook)
		if inNotebook["dataZoom"] == nil {
			assert.Empty(t, inBrowser["dataZoom"])
			delete(inBrowser, "dataZoom")
		}
		assert.Equal(t, inNotebook, inBrowser, chart.Title)
	}
}

// forgetKinds takes out what only those who read a picture look at.
func forgetKinds(option map[string]any) {
	for _, series := range option["series"].([]any) {
		for _, item := range series.(map[string]any)["data"].([]any) {
			shape := item.(map[string]any)["value"].([]any)[2].(map[string]any)
			delete(shape, "kind")
			delete(shape, "lane")
		}
	}
}

func object(t *testing.T, text []byte) map[string]any {
	var value map[string]any
	require.NoError(t, json.Unmarshal(text, &value), "%s", text)
	return value
}

// The playground draws the next picture over the one before.
func TestAPictureDrawnOverAnotherIsTheSameAsAFreshOne(t *testing.T) {
	engine := engineOf(t)
	_, err := engine.js.RunString(fmt.Sprintf(`
		echarts.registerAction({ type: 'fencingRedraw', update: 'series.custom:render' }, () => {});
		const complete = %s, flat = %s;
		const make = () => echarts.init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 400 });
		const used = make();
		let option, redrawn = 0;
		function draw(chart, next, size) {
			next = flat(next);
			chart.resize(size);
			if (chart === used && option && option.series.length === next.series.length && option.redraw(chart, next)) redrawn++;
			else chart.setOption(complete(chart === used ? (option = next) : next, false), true);
			return chart.renderToSVGString();
		}`, draw.Script, draw.Flat))
	require.NoError(t, err)
	draws := func(variable string, chart draw.Chart) string {
		option, err := chart.Option()
		require.NoError(t, err)
		drawn, err := engine.js.RunString(fmt.Sprintf(`draw(%s, %s, { width: %d, height: %d })`, variable, option, chart.Width, chart.Height))
		require.NoError(t, err)
		return regexp.MustCompile(`zr\d+-[\w-]+|ecmeta_data_index="\d+"`).ReplaceAllString(drawn.String(), "id") // a place is no matter
	}
	for _, chart := range moves() {
		assert.Equal(t, draws("make()", chart), draws("used", chart), chart.Title)
	}
	redrawn, err := engine.js.RunString("redrawn")
	require.NoError(t, err)
	assert.Greater(t, redrawn.ToInteger(), int64(20), "most are drawn over another")
}

// Its places may have been left empty by the picture before.
func TestANewOptionComesAfterAPictureThatLeftPlacesEmpty(t *testing.T) {
	engine := engineOf(t)
	option, err := draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()}).Option()
	require.NoError(t, err)
	drawn, err := engine.js.RunString(fmt.Sprintf(`(() => {
		echarts.registerAction({ type: 'fencingRedraw', update: 'series.custom:render' }, () => {});
		const complete = %s, flat = %s;
		const of = data => flat((o => ({ ...o, series: o.series.map(s => ({ ...s, data: data(s.data) })) }))(%s));
		const isBar = ({ value: [, , shape] }) => shape.form === 'bar';
		const all = of(data => data), bars = of(data => data.filter(isBar)), manyBars = of(data => [data, data, data].flat().filter(isBar));
		const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 400 });
		chart.setOption(complete(all, false));
		const redrawn = all.redraw(chart, bars);
		if (!redrawn || all.redraw(chart, manyBars)) return 'no place was left empty';
		chart.setOption(complete(manyBars, false), { replaceMerge: ['series'] });
		return chart.renderToSVGString();
	})()`, draw.Script, draw.Flat, option))
	require.NoError(t, err)
	assert.Contains(t, drawn.String(), "<svg")
	assert.NotContains(t, drawn.String(), "33 accepted", "a text of the first picture")
}

// moves are what a playground shows while its sliders are moved.
func moves() []draw.Chart {
	var all []draw.Chart
	for _, preset := range fencing.Presets() {
		for _, fenced := range []bool{false, true} {
			preset.Fencing = fenced
			for lease := 9 * time.Second; lease < 11*time.Second; lease += time.Second / 2 {
				preset.Lease = lease
				all = append(all, draw.Timeline([]*fencing.Trace{preset.Run()}))
			}
		}
	}
	return append(all, pairs()...)
}

// pairs are two runs side by side, one of which gets longer, and the time axis
// with it.
func pairs() []draw.Chart {
	var all []draw.Chart
	for pause := 14 * time.Second; pause < 24*time.Second; pause += time.Second {
		longer := fencing.GCPause()
		longer.Faults[0].For = pause
		all = append(all, draw.Timeline([]*fencing.Trace{fencing.HealthyHandOver().Run(), longer.Run()}))
	}
	return all
}

// A text of a picture and where it stands, in pixels.
type written struct {
	says string
	x, y int
}

func texts(picture string) []written {
	var all []written
	number := func(text, attribute string) float64 {
		found := regexp.MustCompile(attribute).FindStringSubmatch(text)
		if found == nil {
			return 0
		}
		n, _ := strconv.ParseFloat(found[1], 64)
		return n
	}
	for _, text := range regexp.MustCompile(`<text ([^>]*)>([^<]*)`).FindAllStringSubmatch(picture, -1) {
		all = append(all, written{text[2],
			int(number(text[1], ` x="([-\d.]+)"`) + number(text[1], `translate\(([-\d.]+)`)),
			int(number(text[1], ` y="([-\d.]+)"`) + number(text[1], `translate\([-\d.]+ ([-\d.]+)`))})
	}
	slices.SortFunc(all, func(a, b written) int {
		return cmp.Or(cmp.Compare(a.says, b.says), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	return all
}

func TestAFlatPictureHasTheTitlesAndTheAxisWhereEChartsDrawsThem(t *testing.T) {
	engine := engineOf(t)
	for _, chart := range timelines() {
		if chart.Long() {
			continue
		}
		option, err := chart.Option()
		require.NoError(t, err)
		draws := func(flat string) string {
			drawn, err := engine.js.RunString(fmt.Sprintf(`(() => {
				const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: %d, height: %d });
				chart.setOption((%s)((%s)(%s), false));
				return chart.renderToSVGString();
			})()`, chart.Width, chart.Height, draw.Script, flat, option))
			require.NoError(t, err)
			return drawn.String()
		}
		own, flat := draws("option => option"), draws(draw.Flat)
		assert.NotEmpty(t, texts(own))
		assert.Equal(t, texts(own), texts(flat), chart.Title)
		lines := regexp.MustCompile(`M([\d.]+) 0L([\d.]+) \d+"[^>]*#e5e7eb`)
		assert.NotEmpty(t, lines.FindAllString(own, -1))
		assert.Len(t, lines.FindAllString(flat, -1), len(lines.FindAllString(own, -1)), chart.Title)
	}
}
