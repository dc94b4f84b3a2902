package draw

import (
	"fmt"
	"math"
)

// Bar is one number among others.
type Bar struct {
	Name      string
	Value     float64
	Low, High float64 // the ends of its interval; both 0 if there is none
	Says      string  // beside the bar
	Best      bool    // it is marked
}

// Bars are numbers to compare.
type Bars struct {
	Title, Parameters string
	Unit              string
	Log               bool // every step of the axis is ten times the one before
	Bars              []Bar
}

// BarChart returns the chart of numbers to compare, with their intervals.
func BarChart(b Bars, options ...Option) Chart {
	const height, thick = 44, 18
	var names []string
	for _, each := range b.Bars {
		names = append(names, short(each.Name, 36))
	}
	s := newSheet(b.Title, b.Parameters, names, options)
	told := table{Title: b.Title, Columns: []string{"what", b.Unit, "from", "to", "in words"}}
	place, ticks := b.places()
	bottom := s.y + height*float64(len(b.Bars))
	plot, before := s.pane.axis.width, math.Inf(-1) // where the number before ends
	for _, tick := range ticks {
		s.fixed(shape{Kind: "grid", Form: line, X: place(tick), X2: place(tick), Y: s.y, Y2: bottom, Stroke: "$rule", Width: 1})
		if label := Number(tick); place(tick)*plot-before > textWidth(label, laptop.label, false) {
			s.write("axis label", label, place(tick), 0, bottom+12, alignAt(place(tick)), false)
			before = place(tick)*plot + textWidth(label, laptop.label, false)/2
		}
	}
	for i, each := range b.Bars {
		middle := s.y + height/2 - 8
		tip := explained(each, b.Unit)
		fill := "$client 0"
		if each.Best {
			fill = "$client 1"
		}
		s.write("lane", names[i], 0, -10, middle, "right", true)
		if each.Value > 0 {
			s.fixed(shape{Kind: "bar", Form: bar, X2: place(each.Value), Y: middle - thick/2, Y2: middle + thick/2, Fill: fill, told: tip, layer: layerBar})
		}
		s.interval(each, place, middle, tip)
		s.write("bar label", each.Says, 0, 4, middle+thick/2+9, "left", each.Best)
		told.Rows = append(told.Rows, []string{each.Name, Number(each.Value), Number(each.Low), Number(each.High), each.Says})
		s.y += height
	}
	s.write("axis name", b.Unit, 0, -10, bottom+12, "right", false)
	s.y = bottom + 28
	return s.done(told)
}

// alignAt keeps the numbers at the ends of an axis within it.
func alignAt(x float64) string {
	switch x {
	case 0:
		return "left"
	case 1:
		return "right"
	}
	return "center"
}

func explained(b Bar, unit string) told {
	says := fmt.Sprintf("%s: %s %s", b.Name, Number(b.Value), unit)
	if b.High > 0 {
		says += fmt.Sprintf(" (%s to %s)", Number(b.Low), Number(b.High))
	}
	return told{tip: says}
}

// interval is drawn as a line with two ends.
func (s *sheet) interval(b Bar, place func(float64) float64, middle float64, tip told) {
	if b.High <= b.Low {
		return
	}
	l := shape{Kind: "interval", Form: line, X: place(b.Low), X2: place(b.High), Y: middle, Y2: middle, Stroke: "$ink", Width: 2, Halo: true, told: tip, layer: layerMark}
	s.fixed(l)
	for _, x := range []float64{l.X, l.X2} {
		l.X, l.X2, l.Y, l.Y2, l.Halo = x, x, middle-6, middle+6, false
		s.fixed(l)
	}
}

// places returns where a number stands, as a share of the plot, and the numbers
// of the axis.
func (b Bars) places() (place func(float64) float64, ticks []float64) {
	least, most := math.Inf(1), 1.0
	for _, each := range b.Bars {
		most = max(most, each.Value, each.High)
		for _, v := range []float64{each.Value, each.Low} {
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	if !b.Log || math.IsInf(least, 1) {
		to := newScale(most, 8)
		for v := 0.0; v <= to.end+to.step/2; v += to.step {
			ticks = append(ticks, v)
		}
		return func(v float64) float64 { return v / to.end }, ticks
	}
	first, last := math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	if first == last {
		first--
	}
	for e := first; e <= last; e++ {
		ticks = append(ticks, math.Pow(10, e))
	}
	return func(v float64) float64 {
		if v <= 0 {
			return 0
		}
		return max(0, (math.Log10(v)-first)/(last-first))
	}, ticks
}

// Number prints a number as the charts do: 12345 as "12,345", 0.1234 as "0.123".
func Number(n float64) string {
	if n < 1000 {
		return digits(n)
	}
	whole := number(math.Round(n))
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole
}
