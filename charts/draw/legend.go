package draw

import (
	"slices"

	"fencingtokens/fencing"
)

// legend is a pane with rows of samples below the time axis: of what always
// matters, and of the kinds of shapes that the picture has beside. A kind comes
// with the event by which it is seen first, or 0.
func legend(axis string, gutter, width, y float64, kinds map[string]int) *pane {
	p := &pane{bottom: y + 16, shapes: make([]shape, 0, 1+2*len(samples))}
	p.shapes = append(p.shapes, shape{Kind: "axis name", Form: text, Fixed: true, DX: -axisApart, Y: y - 24, Text: axis, Align: "right", Size: laptop.label, Fill: "$ink"})
	x := 0.0
	for _, sample := range samples {
		from := told{}
		if len(sample.of) > 0 {
			seq, seen := firstOf(sample.of, kinds)
			if !seen {
				continue
			}
			from.Event = seq
		}
		reach := 26 + textWidth(sample.says, laptop.label, false) + 14
		if x+reach > width-gutter {
			x, y, p.bottom = 0, y+20, p.bottom+20
		}
		s := sample.shape
		s.Kind, s.Fixed, s.DX, s.Y, s.told = "legend", true, x+9, y, from
		switch {
		case s.Form == line && s.Y2 == 0:
			s.DX, s.DX2, s.Y2 = x, x+18, y
		case s.Form == line:
			s.DX2, s.Y, s.Y2 = s.DX, y-s.Y2, y+s.Y2
		}
		if s.Form == bar {
			half := s.Y2 / 2
			s.DX, s.DX2, s.Y, s.Y2 = x, x+18, y-half, y+half
		}
		p.shapes = append(p.shapes, s, shape{Kind: "legend", Form: text, Fixed: true, DX: x + 24, Y: y, Text: sample.says,
			Align: "left", Size: laptop.label, Fill: "$ink", told: from, layer: layerText})
		x += reach
	}
	return p
}

// firstOf returns the least number of some kinds, and whether one is there.
func firstOf(some []string, kinds map[string]int) (seq int, found bool) {
	for _, kind := range some {
		if n, ok := kinds[kind]; ok && (!found || n < seq) {
			seq, found = n, true
		}
	}
	return seq, found
}

// firsts returns by which event each kind of shape is seen first.
func (p *pane) firsts() map[string]int {
	kinds := map[string]int{}
	for i := range p.shapes {
		s := &p.shapes[i]
		seq := s.Event
		if seq == 0 { // it has words of its own, and a time
			seq = 1 + slices.IndexFunc(p.trace.Events, func(e fencing.Event) bool { return e.At.Seconds() >= s.X })
		}
		if known, ok := kinds[s.Kind]; !ok || seq < known {
			kinds[s.Kind] = seq
		}
	}
	return kinds
}

var samples = []struct {
	shape
	says string
	of   []string // the kinds that it explains; none if it is always there
}{
	{shape{Form: bar, Y2: 12, Fill: "$muted"}, "believes, and holds", nil},
	{shape{Form: bar, Y2: 12, Fill: "$ground", Hatch: "$muted", Stroke: "$muted", Width: 1}, "believes, holds nothing", nil},
	{shape{Form: bar, Y2: laptop.band, Fill: "$pause ground", Hatch: "$pause", Stroke: "$pause", Width: 1}, "paused", []string{"pause"}},
	{shape{Form: bar, Y2: laptop.band, Fill: "$ground", Hatch: "$pause", Stroke: "$pause", Width: 1}, "one thread paused", []string{"pause of a thread"}},
	{shape{Form: bar, Y2: laptop.band, Fill: "$pause", Stroke: "$pause", Width: 1}, "asleep", []string{"suspend"}},
	{shape{Form: bar, Y2: laptop.band, Fill: "$ground", Stroke: "$warn", Width: 1, Dash: []float64{4, 3}}, "cut off", []string{"cut"}},
	{shape{Form: line, Stroke: "$muted", Width: 1.5, Dash: []float64{2, 4}}, "waits", []string{"wait"}},
	{shape{Form: mark, Symbol: clock, Fill: "$ground", Stroke: "$ink", Width: 1.5}, "looks at its clock", []string{"check"}},
	{shape{Form: mark, Symbol: clock, Fill: "$ground", Stroke: "$ink", Width: 1.5}, "its clock changes", []string{"clock jump", "clock stop"}},
	{shape{Form: mark, Symbol: dead, Fill: "$warn", Stroke: "$on fill", Width: 2}, "crashes or fails", []string{"crash", "panic", "exit"}},
	{shape{Form: mark, Symbol: end, Stroke: "$ink", Width: 2}, "lease ends", []string{"expiry"}},
	{shape{Form: line, Y2: 8, Stroke: "$ink", Width: 2, Dash: []float64{3, 2}}, "released", []string{"release"}},
	{shape{Form: line, Y2: 6, Stroke: "$ink", Width: 2}, "renewed", []string{"renewal"}},
	{shape{Form: bar, Y2: 12, Fill: "$ground", Stroke: "$ink", Width: 1.2, Dash: []float64{2, 3}}, "forgotten", []string{"forgotten"}},
	{shape{Form: line, Y2: 8, Stroke: "$warn", Width: 2.5}, "fails over", []string{"fail-over line"}},
	{shape{Form: line, Stroke: "$muted", Width: 2, Head: true}, "delayed", []string{"message delayed"}},
	{shape{Form: line, Stroke: "$muted", Width: 1.5, Dash: []float64{1, 3}, Head: true}, "arrives again", []string{"message again"}},
	{shape{Form: mark, Symbol: no, Stroke: "$warn", Width: 2.5}, "refused", []string{"refused"}},
	{shape{Form: line, Y2: 4, Stroke: "$muted", Width: 1.5, Lost: true}, "lost", []string{"request lost", "reply lost"}},
	{shape{Form: mark, Symbol: unknown, Fill: "$ground", Stroke: "$ink", Width: 1.5}, "outcome unknown", []string{"unknown"}},
	{shape{Form: mark, Symbol: read, Fill: "$ground", Stroke: "$ink", Width: 1.5}, "read", []string{"read"}},
	{shape{Form: mark, Symbol: claim, Fill: "$muted", Stroke: "$ground", Width: 1.5}, "claimed", []string{"claim"}},
	{shape{Form: mark, Symbol: check, Fill: "$muted", Stroke: "$ground", Width: 2}, "accepted", []string{"accepted"}},
	{shape{Form: mark, Symbol: warning, Fill: "$warn", Stroke: "$on fill", Width: 2}, "accepted, stale", []string{"accepted, stale"}},
	{shape{Form: mark, Symbol: unseen, Fill: "$warn", Stroke: "$on fill", Width: 2}, "accepted, unseen change lost", []string{"accepted, unseen change lost"}},
	{shape{Form: mark, Symbol: late, Fill: "$warn", Stroke: "$on fill", Width: 2}, "accepted, late", []string{"accepted, late"}},
	{shape{Form: mark, Symbol: cross, Stroke: "$warn", Width: 4}, "rejected", []string{"rejected", "claim rejected"}},
	{shape{Form: mark, Symbol: gone, Fill: "$ground", Stroke: "$ink", Width: 1.5}, "cleaned up", []string{"clean-up"}},
	{shape{Form: mark, Symbol: again, Stroke: "$ink", Width: 2}, "restarts", []string{"restart", "reboot"}},
}

// simulatedSeconds is what the time axis shows, unless some run was real.
const simulatedSeconds = "simulated seconds"

func axisName(runs []run) string {
	if slices.ContainsFunc(runs, func(r run) bool { return r.trace.Config.Systems != "" }) {
		return "seconds"
	}
	return simulatedSeconds
}
