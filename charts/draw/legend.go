package draw

// legend is a pane with one row of samples below the time axis.
func legend(gutter, width, y float64) *pane {
	p := &pane{bottom: y + 16}
	p.shapes = append(p.shapes, shape{Kind: "axis name", Form: text, Fixed: true, DX: -10, Y: y - 24, Text: "simulated seconds", Align: "right", Size: laptop.label, Fill: "$ink"})
	x := 0.0
	for _, sample := range samples {
		reach := 26 + textWidth(sample.says, laptop.label, false) + 14
		if x+reach > width-gutter || sample.says == "accepted" {
			x, y, p.bottom = 0, y+20, p.bottom+20
		}
		s := sample.shape
		s.Kind, s.Fixed, s.DX, s.Y = "legend", true, x+9, y
		if s.Form == line {
			s.DX2, s.Y, s.Y2 = s.DX, y-s.Y2, y+s.Y2
		}
		if s.Form == bar {
			half := s.Y2 / 2
			s.DX, s.DX2, s.Y, s.Y2 = x, x+18, y-half, y+half
		}
		p.shapes = append(p.shapes, s, shape{Kind: "legend", Form: text, Fixed: true, DX: x + 24, Y: y, Text: sample.says, Align: "left", Size: laptop.label, Fill: "$ink", layer: layerText})
		x += reach
	}
	return p
}

var samples = []struct {
	shape
	says string
}{
	{shape{Form: bar, Y2: 12, Fill: "$muted"}, "believes, and holds"},
	{shape{Form: bar, Y2: 12, Fill: "$ground", Hatch: "$muted", Stroke: "$muted", Width: 1}, "believes, holds nothing"},
	{shape{Form: bar, Y2: laptop.band, Fill: "$pause ground", Hatch: "$pause", Stroke: "$pause", Width: 1}, "paused"},
	{shape{Form: mark, Symbol: end, Stroke: "$ink", Width: 2}, "lease ends"},
	{shape{Form: line, Y2: 8, Stroke: "$ink", Width: 2, Dash: []float64{3, 2}}, "released"},
	{shape{Form: line, Y2: 4, Stroke: "$ink", Width: 2}, "renewed"},
	{shape{Form: mark, Symbol: check, Fill: "$muted", Stroke: "$ground", Width: 2}, "accepted"},
	{shape{Form: mark, Symbol: warning, Fill: "$warn", Stroke: "$on fill", Width: 2}, "accepted, stale"},
	{shape{Form: mark, Symbol: late, Fill: "$warn", Stroke: "$on fill", Width: 2}, "accepted, late"},
	{shape{Form: mark, Symbol: cross, Stroke: "$warn", Width: 4}, "rejected"},
}
