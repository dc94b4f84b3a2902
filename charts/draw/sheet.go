package draw

import (
	"math"
	"strconv"
	"strings"
)

// sheet is a chart without a time axis: it is drawn with the shapes of a
// timeline, each at its share of the plot's width.
type sheet struct {
	frame
	pane
	y     float64
	title title
	chart Chart
}

// table tells a sheet to those who do not see it.
type table struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`

	lines []string // the same in fewer words, if it can be said so
}

func newSheet(says, parameters string, names []string, options []Option) *sheet {
	v := viewOf(options)
	gutter := textWidth(simulatedSeconds, laptop.label, false)
	for _, name := range names {
		gutter = max(gutter, textWidth(name, laptop.lane, true))
	}
	s := &sheet{frame: frame{gutter: math.Ceil(gutter) + 16, scale: v.scale}}
	plot := plotOf(v.scale)
	s.frame.axis = axis{max: 1, width: plot, from: 4, to: plot + laptop.right - 4, zoom: 1}
	s.pane.axis = s.frame.axis
	s.width = s.gutter + plot + laptop.right
	s.title, s.y = s.heading(says, parameters, 0)
	s.chart.Title = short(says, 300)
	return s
}

// fixed adds a shape whose X and X2 are shares of the plot's width.
func (s *sheet) fixed(f shape) {
	f.Fixed = true
	s.shapes = append(s.shapes, f)
}

func (s *sheet) write(kind, says string, x, dx, y float64, align string, bold bool) {
	s.fixed(shape{Kind: kind, Form: text, X: x, DX: dx, Y: y, Text: says, Align: align, Size: laptop.label, Bold: bold, Fill: "$ink", layer: layerText})
}

// sample explains what a shape means, in the row at y, and returns where the
// next may begin.
func (s *sheet) sample(f shape, says string, x, y float64) float64 {
	f.Kind, f.DX, f.Y = "legend", x+9, y
	if f.Form == bar {
		f.DX, f.DX2, f.Y, f.Y2 = x, x+18, y-9, y+9
	}
	s.fixed(f)
	s.write("legend", says, 0, x+26, y, "left", false)
	return x + 26 + textWidth(says, laptop.label, false) + 18
}

// done returns the chart.
func (s *sheet) done(told table) Chart {
	s.chart.Width, s.chart.Height = int(s.width*s.scale), int(s.y*s.scale)
	s.chart.picture = picture{frame: s.frame, bottom: s.y, titles: []title{s.title}, series: []series{newSeries("lanes", s.shapes)},
		label: s.chart.Title + ". All numbers stand in the table below the picture.", table: &told}
	return s.chart
}

// text is the table as lines.
func (t table) text() string {
	const most = 60
	if len(t.lines) > 0 {
		return strings.Join(t.lines, "\n")
	}
	var lines string
	for i, row := range t.Rows {
		if i == most {
			return lines + "\nand so on"
		}
		line := ""
		for j, cell := range row {
			line = join(line, t.Columns[j]+": "+cell, ", ")
		}
		lines = join(lines, short(line, 300), "\n")
	}
	return lines
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
