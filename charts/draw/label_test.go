package draw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

// pages are the widths in pixels at which a chart is looked at, on a laptop and
// by a projector.
var pages = []struct {
	options []Option
	widths  []float64
}{{nil, []float64{640, 900, 1280, 1920}}, {[]Option{Projector()}, []float64{1280, 1920}}}

// scenes are all that the course has to draw, crowds, and runs that chance made.
func scenes() map[string][]*fencing.Trace {
	all := map[string][]*fencing.Trace{"long": {long(3)}, "seven lock nodes": {lockNodes(7)}}
	for name, trace := range scenarios() {
		all[name] = []*fencing.Trace{trace}
	}
	for _, r := range reported.All() {
		all[r.Name+", fencing"] = []*fencing.Trace{r.With()}
		all[r.Name+", compared"] = []*fencing.Trace{r.Without(), r.Cured()}
	}
	for _, p := range fencing.Presets() {
		all[p.Name+", compared"] = both(p)
		for pause := 1; pause < 30; pause += 4 { // what a playground's slider shows
			p := p
			p.Lease = time.Duration(2+pause%7) * s
			p.Faults = []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, time.Duration(pause)*s/2)}
			all[fmt.Sprintf("%s, paused %d", p.Name, pause)] = both(p)
		}
	}
	for seed := range uint64(60) {
		all[fmt.Sprintf("by chance %d", seed)] = []*fencing.Trace{byChance(rand.New(rand.NewPCG(seed, 1)))}
	}
	return all
}

func lockNodes(n int) *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Nodes: n, Timeout: s, Lease: 6 * s, Latency: 50 * time.Millisecond, Faults: []fencing.Fault{
		fencing.Pause("client 1", fencing.BeforeWrite, 8*s), fencing.RestartNode("node B", 3*s), fencing.JumpClock("node C", 2*s, 5*s), fencing.Cut("client 2", "node D", s, 4*s)}})
	for i := range 3 {
		w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i) * s}))
	}
	return w.Run()
}

// byChance is a run of up to five clients, two keys and four faults.
func byChance(r *rand.Rand) *fencing.Trace {
	seconds := func(n int) time.Duration { return time.Duration(1+r.IntN(2*n)) * s / 2 }
	clients := 2 + r.IntN(4)
	any := func() string { return fmt.Sprintf("client %d", 1+r.IntN(clients)) }
	yes := func() bool { return r.IntN(2) == 0 }
	config := fencing.Config{Fencing: yes(), Lease: seconds(10), Timeout: seconds(4), Latency: time.Duration(r.IntN(3)) * 150 * time.Millisecond, Steps: 20_000}
	for range r.IntN(5) {
		config.Faults = append(config.Faults, []func() fencing.Fault{
			func() fencing.Fault { return fencing.Pause(any(), fencing.AfterAcquire, seconds(15)) },
			func() fencing.Fault { return fencing.PauseAt(any(), seconds(15), seconds(15)) },
			func() fencing.Fault { return fencing.SuspendAt(any(), seconds(15), seconds(10)) },
			func() fencing.Fault { return fencing.CrashAt(any(), seconds(12)) },
			func() fencing.Fault { return fencing.Delay(any(), fencing.WriteRequest, seconds(12)) },
			func() fencing.Fault { return fencing.Drop(any(), fencing.WriteReply) },
			func() fencing.Fault { return fencing.Duplicate(any(), fencing.WriteRequest, seconds(6)) },
			func() fencing.Fault { return fencing.Cut(any(), fencing.ActorLockService, seconds(9), seconds(9)) },
			func() fencing.Fault { return fencing.JumpClock(any(), seconds(9), seconds(9)) },
			func() fencing.Fault { return fencing.StopClock(fencing.ActorLockService, seconds(9), seconds(5)) },
			func() fencing.Fault { return fencing.FailOver(seconds(15)) },
			func() fencing.Fault { return fencing.CleanUp("report", seconds(20)) },
		}[r.IntN(12)]())
	}
	w := fencing.NewWorld(config)
	for i := range clients {
		p := fencing.Policy{Key: []string{"report", "report", "invoice"}[r.IntN(3)], Start: seconds(5), CheckFirst: yes(), ClaimFirst: yes(), ReadModifyWrite: yes(), Rounds: 1 + r.IntN(2)}
		if yes() {
			p.RenewEvery = seconds(3)
		}
		if yes() {
			p.Effect = "send the e-mail"
		}
		w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(p))
	}
	return w.Run()
}

// seen is where the shapes of a pane are on a page of some width, in units.
type seen struct {
	*pane
	plot float64
}

func (v seen) across(seconds, dx float64) float64 { return seconds/v.axis.max*v.plot + dx }

// ends returns where a shape begins and ends.
func (v seen) ends(s shape) box {
	if s.Fixed {
		return box{x: s.X*v.plot + s.DX, y: s.Y, x2: s.X2*v.plot + s.DX2, y2: s.Y2}
	}
	return box{x: v.across(s.X, s.DX), y: s.Y, x2: v.across(s.X2, s.DX2), y2: s.Y2}
}

// inked is what a label's letters cover.
func (v seen) inked(s shape) box {
	x, width := v.across(s.X, s.DX), textWidth(s.Text, s.Size, s.Bold)
	switch s.Align {
	case "center":
		x -= width / 2
	case "right":
		x -= width
	}
	return box{x: x, y: s.Y - float64(s.Size)/2, x2: x + width, y2: s.Y + float64(s.Size)/2}
}

// marked is what a mark covers: see draw.js.
func (v seen) marked(s shape) box {
	half := map[symbol]float64{warning: 9, dead: 11, unknown: 6.5, clock: 5, no: 4, dot: 4.5, cross: 7}[s.Symbol]
	if half == 0 {
		half = 8
	}
	x := v.across(s.X, s.DX)
	return box{x: x - half, y: s.Y - half, x2: x + half, y2: s.Y + half}
}

// crosses reports whether a line runs through a box.
func crosses(line, b box) bool {
	from, until := 0.0, 1.0
	for _, side := range [][2]float64{{line.x - line.x2, line.x - b.x}, {line.x2 - line.x, b.x2 - line.x}, {line.y - line.y2, line.y - b.y}, {line.y2 - line.y, b.y2 - line.y}} {
		switch toward, room := side[0], side[1]; {
		case toward == 0 && room <= 0:
			return false
		case toward < 0:
			from = max(from, room/toward)
		case toward > 0:
			until = min(until, room/toward)
		}
	}
	return from < until
}

func (b box) touches(c box) bool { return b.x < c.x2 && c.x < b.x2 && b.y < c.y2 && c.y < b.y2 }

func (b box) holds(c box) bool { return b.x <= c.x && c.x2 <= b.x2 && b.y <= c.y && c.y2 <= b.y2 }

// blemishes says what a friend would not like to see.
func (v seen) blemishes() (found []string) {
	blame := func(format string, values ...any) { found = append(found, fmt.Sprintf(format, values...)) }
	var labels []shape
	for _, s := range v.shapes {
		if s.Form == text && !s.Fixed {
			labels = append(labels, s)
		}
	}
	for i, l := range labels {
		b := v.inked(l)
		if b.x < 0 || b.x2 > v.plot+laptop.right || b.y < v.top || b.y2 > v.bottom {
			blame("%q stands outside the picture", l.Text)
		}
		for _, o := range labels[:i] {
			if b.touches(v.inked(o)) {
				blame("%q lies on %q", l.Text, o.Text)
			}
		}
		for _, s := range v.shapes {
			v.blame(l, b, s, blame)
		}
	}
	return found
}

// blame looks at what one shape does to a label.
func (v seen) blame(l shape, b box, s shape, blame func(string, ...any)) {
	at := v.ends(s)
	switch {
	case s.Form == mark && s.Symbol != bracket && s.Symbol != end && b.touches(v.marked(s)):
		blame("%q lies on the mark %q", l.Text, s.Kind)
	case s.Form == line && s.Lost && b.touches(box{x: at.x2 - 5, y: at.y2 - 5, x2: at.x2 + 5, y2: at.y2 + 5}):
		blame("%q lies on the cross of a %q", l.Text, s.Kind)
	case s.Form == line && s.Head && at.x == at.x2 && b.touches(box{x: at.x2 - 4, y: min(at.y2, at.y2-math.Copysign(8, at.y2-at.y)), x2: at.x2 + 4, y2: max(at.y2, at.y2-math.Copysign(8, at.y2-at.y))}):
		blame("%q lies on the arrow head of a %q", l.Text, s.Kind)
	case s.Form == line && l.Plate == "" && crosses(at, b):
		blame("%q is crossed by a %q", l.Text, s.Kind)
	case s.Form == bar && s.layer == layerBar && l.Plate == "" && at.touches(b) && !at.holds(b):
		blame("%q hangs over a %q", l.Text, s.Kind)
	case s.Form == bar && l.Kind == "overlap label" && s.Kind == "overlap" && at.touches(b) && !at.holds(b):
		blame("%q hangs over an overlap", l.Text)
	case s.Form == bar && s.layer == layerBar && l.Plate != "" && at.holds(b) && l.Fill == "$on fill" && l.Plate != s.Fill:
		blame("%q has the plate %s on a bar of %s", l.Text, l.Plate, s.Fill)
	}
}

func TestNoLabelIsCrossedCoveredOrCutOff(t *testing.T) {
	labels := 0
	for name, traces := range scenes() {
		for _, page := range pages {
			for _, options := range [][]Option{page.options, append(slices.Clone(page.options), HoldBack(traces[0].End()/2))} {
				p := Timeline(traces, options...).picture
				for _, width := range page.widths {
					plot := max(p.axis.width, p.axis.zoom*(width/p.scale-p.gutter-laptop.right))
					for _, pane := range p.panes {
						assert.Empty(t, seen{pane, plot}.blemishes(), "%s, %v pixels, scale %v", name, width, p.scale)
						labels += len(texts(pane))
					}
				}
			}
		}
	}
	assert.Greater(t, labels, 10_000)
}

// The names beside the lanes, the titles and the legend stand outside the plot.
func TestNamesTitlesAndLegendHaveRoom(t *testing.T) {
	for name, traces := range scenes() {
		for _, options := range [][]Option{nil, {Projector()}} {
			chart := Timeline(traces, options...)
			p := chart.picture
			for _, s := range p.series[len(p.series)-1].shapes {
				if s.Form != text {
					continue
				}
				width := textWidth(s.Text, s.Size, s.Bold)
				if s.Align == "right" {
					assert.LessOrEqual(t, width-s.DX, p.gutter, "%s: %q", name, s.Text)
				} else {
					assert.LessOrEqual(t, s.DX+width, p.width-p.gutter, "%s: %q", name, s.Text)
				}
			}
		}
	}
}

// What a timeline says of an overlap is said in full, if there is room beside it.
func TestAShortOverlapIsMeasuredBesideItsBand(t *testing.T) {
	preset := fencing.GCPause()
	preset.Fencing = true
	p := panes([]*fencing.Trace{preset.Run()})[0]
	assert.Contains(t, texts(p), "both believe: 5 s (1 s of it both running)")
	v := seen{p, p.axis.width}
	for _, label := range p.shapes {
		for _, band := range p.shapes {
			if label.Kind == "overlap label" && band.Kind == "overlap" {
				assert.False(t, v.inked(label).touches(v.ends(band)))
			}
		}
	}
}

// Two that were lost at one place are one line.
func TestRequestsToSeveralLockNodesThatAreLostAtOnceAreOneMark(t *testing.T) {
	p := panes([]*fencing.Trace{reported.RedlockClockJump().Without()})[0]
	assert.Equal(t, 1, kinds(p)["request lost"])
	assert.Contains(t, texts(p), "2 × acquire lost")
}

func TestMessagesOfOneTimeDoNotHideOneAnother(t *testing.T) {
	p := panes([]*fencing.Trace{reported.FailOver().Without()})[0]
	var up, down shape // client 1 is granted the lock at 1 s and reads at once
	for _, s := range p.shapes {
		switch {
		case s.Kind == "message" && s.X == 1 && s.Y2 < s.Y:
			up = s
		case s.Kind == "message" && s.X == 1:
			down = s
		}
	}
	require.True(t, up.Head && down.Head)
	assert.Zero(t, down.DX, "it goes to a mark")
	assert.Equal(t, float64(asideBy), up.DX)
}
