package draw

import (
	"fmt"
	"math"
)

// Panel is one curve, with how sure its points are.
type Panel struct {
	Name   string // what is measured, with its unit
	Points []Point
}

// Point is an estimate at X, with the ends of its confidence interval. Without
// one, Unsure is true.
type Point struct {
	X, Value, Low, High float64
	Unsure              bool
}

// Plot is some curves below one another, over the same numbers.
type Plot struct {
	Title, Parameters string
	Across            string // what is varied, with its unit
	Panels            []Panel
}

// Curves returns the chart of a plot: a line through the estimates, and a band
// around it as wide as their confidence intervals.
func Curves(c Plot, options ...Option) Chart {
	s := newSheet(c.Title, c.Parameters, nil, options)
	told := table{Title: c.Title, Columns: []string{c.Across, "measured", "value", "from", "to"}}
	most := 0.0
	for _, p := range c.Panels {
		for _, q := range p.Points {
			most = max(most, q.X)
		}
	}
	across := newScale(most, 10)
	for _, p := range c.Panels {
		s.panel(p, across)
		for _, q := range p.Points {
			row := []string{number(q.X), p.Name, digits(q.Value), digits(q.Low), digits(q.High)}
			if q.Unsure {
				row[3], row[4] = "too few", "to say"
			}
			told.Rows = append(told.Rows, row)
		}
	}
	for x := 0.0; x <= across.end+across.step/2; x += across.step {
		s.write("axis label", digits(x), x/across.end, 0, s.y-20, "center", false)
	}
	s.write("axis name", c.Across, 0, 0, s.y, "left", false)
	s.sample(shape{Form: bar, Fill: "$client 0", Opacity: 0.25}, "95 % confidence interval", s.pane.axis.width-220, s.y)
	s.y += 18
	return s.done(told)
}

// scale is an axis from 0 to a round number.
type scale struct{ end, step float64 }

func newScale(most float64, steps int) scale {
	if most <= 0 {
		most = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most/float64(steps))))
	for _, times := range []float64{1, 2, 5, 10} {
		if most/(step*times) <= float64(steps) {
			step *= times
			break
		}
	}
	return scale{end: math.Ceil(most/step-1e-9) * step, step: step}
}

// panel draws one curve below what is there.
func (s *sheet) panel(p Panel, across scale) {
	const height = 150
	most := 0.0
	for _, q := range p.Points {
		most = max(most, q.Value)
		if !q.Unsure {
			most = max(most, q.High)
		}
	}
	up := newScale(most, 4)
	s.write("panel", p.Name, 0, 0, s.y+8, "left", true)
	top := s.y + 26
	y := func(value float64) float64 { return top + height*(1-value/up.end) }
	for v := 0.0; v <= up.end+up.step/2; v += up.step {
		s.fixed(shape{Kind: "grid", Form: line, X2: 1, Y: y(v), Y2: y(v), Stroke: "$rule", Width: 1})
		s.write("axis label", digits(v), 0, -10, y(v), "right", false)
	}
	for i, q := range p.Points {
		s.point(p, q, q.X/across.end, y)
		if i > 0 {
			s.segment(p.Points[i-1], q, across, y)
		}
	}
	s.y = top + height + 40
}

func (s *sheet) segment(p, q Point, across scale, y func(float64) float64) {
	x, x2 := p.X/across.end, q.X/across.end
	if !p.Unsure && !q.Unsure {
		s.fixed(shape{Kind: "band", Form: area, X: x, X2: x2, Y: y(p.High), Y2: y(q.High), Y3: y(q.Low), Y4: y(p.Low), Fill: "$client 0", Opacity: 0.25, layer: layerBand})
	}
	s.fixed(shape{Kind: "curve", Form: line, X: x, X2: x2, Y: y(p.Value), Y2: y(q.Value), Stroke: "$client 0 text", Width: 2, layer: layerLine})
}

func (s *sheet) point(p Panel, q Point, x float64, y func(float64) float64) {
	says := fmt.Sprintf("%s: %s (%s to %s)", p.Name, digits(q.Value), digits(q.Low), digits(q.High))
	if q.Unsure {
		says = fmt.Sprintf("%s: %s (too few for an interval)", p.Name, digits(q.Value))
	} else {
		s.fixed(shape{Kind: "interval", Form: line, X: x, X2: x, Y: y(q.High), Y2: y(q.Low), Stroke: "$client 0 text", Width: 1.5, layer: layerLine})
	}
	s.fixed(shape{Kind: "point", Form: mark, Symbol: dot, X: x, Y: y(q.Value), Fill: "$client 0", Stroke: "$ink", Width: 1.2, told: told{tip: number(q.X) + ": " + says}, layer: layerMark})
}

// digits prints a number with three digits that say something.
func digits(n float64) string {
	if n == 0 {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(n))+1e-9)))
	factor := math.Pow(10, float64(decimals))
	return number(math.Round(n*factor) / factor)
}
