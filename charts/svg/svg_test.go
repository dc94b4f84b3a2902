package svg

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

var update = flag.Bool("update", false, "write what is drawn now into testdata")

// charts are one of every kind.
func charts() map[string]draw.Chart {
	found := map[string]draw.Chart{}
	for _, p := range fencing.Presets() {
		off := p.Run()
		p.Fencing = true
		found["preset "+p.Name] = draw.Timeline([]*fencing.Trace{off, p.Run()})
	}
	for _, s := range []reported.Scenario{reported.CutOff(), reported.SleepingLaptop(), reported.RedlockClockJump(), reported.FailOver(), reported.OutlivedLock()} {
		found["reported "+s.Name] = draw.Timeline([]*fencing.Trace{s.Without()})
	}
	found["projector"] = draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()}, draw.Projector())
	found["held back"] = draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()}, draw.HoldBack(11*time.Second))
	found["heat map"] = draw.HeatMap(draw.Heat{Title: "a heat map", Across: "pause", Down: "lease", Xs: []time.Duration{1, 2e9, 3e9}, Ys: []time.Duration{10e9, 20e9},
		Cells: [][]draw.Outcome{{draw.InOrder, draw.Overlap, draw.DataLost}, {draw.Late, draw.Rejected, draw.Broken}}})
	found["curves"] = draw.Curves(draw.Plot{Title: "curves", Across: "lease in seconds", Panels: []draw.Panel{{Name: "share", Points: []draw.Point{{X: 5, Value: 10, Low: 8, High: 12}, {X: 10, Value: 4, Low: 3, High: 6}, {X: 20, Value: 1, Unsure: true}}}}})
	found["bars"] = draw.BarChart(draw.Bars{Title: "bars", Unit: "cost", Log: true, Bars: []draw.Bar{{Name: "no lock", Value: 16_006_640, Low: 4_395_814, High: 57_870_748, Says: "much"}, {Name: "fencing", Value: 587.56, Low: 568, High: 1247, Says: "little", Best: true}, {Name: "none"}}})
	return found
}

func engineOf(t *testing.T) *Engine {
	source, err := os.ReadFile("../../.lab/static/echarts.min.js")
	if err != nil {
		t.Skip("ECharts is not there: go run ./notebooks setup brings it")
	}
	engine, err := New(string(source))
	require.NoError(t, err)
	return engine
}

// A picture is compared by its texts and by how many elements of each kind it
// has, so that neither a font nor the last digit of a number breaks the test.
func TestEveryKindOfChartIsDrawnAsItWas(t *testing.T) {
	engine := engineOf(t)
	for name, chart := range charts() {
		t.Run(name, func(t *testing.T) {
			drawn, err := engine.Render(chart, 0, Light)
			require.NoError(t, err)
			assert.NotContains(t, drawn, "NaN")
			assert.Contains(t, drawn, `role="img" aria-label="`)
			golden := filepath.Join("testdata", strings.NewReplacer(" ", "-", ":", "", "'", "").Replace(name)+".txt")
			got := structure(t, drawn)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "call go test ./charts/svg -update")
			assert.Equal(t, string(want), got, "if the picture is meant to look like this now, call go test ./charts/svg -update")
		})
	}
}

func structure(t *testing.T, document string) string {
	var texts strings.Builder
	elements := map[string]int{}
	within := ""
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			within = token.Name.Local
			elements[within]++
		case xml.CharData:
			if said := strings.TrimSpace(string(token)); said != "" && within == "text" {
				fmt.Fprintln(&texts, said)
			}
		}
	}
	return fmt.Sprintf("%d paths, %d texts, %d patterns\n%s", elements["path"], elements["text"], elements["pattern"], texts.String())
}

func TestAPictureIsLightOrDark(t *testing.T) {
	engine, chart := engineOf(t), draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()})
	ground := map[Theme]string{Light: `fill="#ffffff"`, Dark: `fill="#111111"`}
	light, err := engine.Render(chart, 0, Light)
	require.NoError(t, err)
	dark, err := engine.Render(chart, 0, Dark)
	require.NoError(t, err)
	assert.Contains(t, light, ground[Light])
	assert.NotContains(t, light, ground[Dark])
	assert.Contains(t, dark, ground[Dark])
	assert.Equal(t, structure(t, light), structure(t, dark))
}
