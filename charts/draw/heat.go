package draw

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// Outcome is the worst that happened in a run.
type Outcome int

// The outcomes, from the best to the worst.
const (
	InOrder  Outcome = iota // one believer at a time, every write in order
	Overlap                 // two believed at once, and no write suffered
	Rejected                // a stale write was rejected
	Late                    // a late write was accepted, and destroyed nothing
	ShutOut                 // a write was rejected that was not stale
	DataLost                // a write was accepted that destroyed another's
	Broken                  // the run has an error
)

// OutcomeOf returns the worst that happened in a run.
func OutcomeOf(t *fencing.Trace) Outcome {
	if t.Err() != nil {
		return Broken
	}
	worst := InOrder
	if len(t.Overlaps()) > 0 {
		worst = Overlap
	}
	for _, a := range t.Attempts() {
		switch {
		case a.Accepted && (a.Stale || len(a.Missed) > 0):
			return DataLost
		case a.Accepted && a.Late:
			worst = max(worst, Late)
		case !a.Accepted && a.Stale:
			worst = max(worst, Rejected)
		case !a.Accepted:
			worst = max(worst, ShutOut)
		}
	}
	return worst
}

var outcomes = [...]struct {
	says string
	cell shape
	mark shape
}{
	InOrder:  {"in order", shape{Fill: "$ground"}, shape{Symbol: check, Fill: "$muted", Stroke: "$ground", Width: 2}},
	Overlap:  {"two believed, no write suffered", shape{Fill: "$pause ground"}, shape{Symbol: dot, Fill: "$ground", Stroke: "$ink", Width: 1.5}},
	Rejected: {"stale write rejected", shape{Fill: "$client 0", Opacity: 0.3}, shape{Symbol: no, Stroke: "$ink", Width: 2.5}},
	Late:     {"late write accepted, nothing lost", shape{Fill: "$warn", Opacity: 0.25}, shape{Symbol: late, Fill: "$warn", Stroke: "$on fill", Width: 2}},
	ShutOut:  {"write rejected that was not stale", shape{Fill: "$client 3", Opacity: 0.45}, shape{Symbol: blocked, Fill: "$ground", Stroke: "$ink", Width: 1.5}},
	DataLost: {"another’s data lost", shape{Fill: "$warn", Opacity: 0.7}, shape{Symbol: warning, Fill: "$warn", Stroke: "$on fill", Width: 2}},
	Broken:   {"the run has an error", shape{Fill: "$ground", Hatch: "$muted"}, shape{Symbol: unknown, Fill: "$ground", Stroke: "$ink", Width: 1.5}},
}

// String returns the outcome in words.
func (o Outcome) String() string { return outcomes[o].says }

// Heat is what happened for every pair of two lengths.
type Heat struct {
	Title, Parameters string
	Across, Down      string          // what is varied, for example "pause" and "lease"
	Xs, Ys            []time.Duration // its lengths
	Cells             [][]Outcome     // for each of Ys, for each of Xs
}

// HeatMap returns the chart of what happens for every pair of two lengths.
func HeatMap(h Heat, options ...Option) Chart {
	const height = 26
	var names []string
	for _, y := range h.Ys {
		names = append(names, h.Down+" "+fencing.Seconds(y))
	}
	s := newSheet(h.Title, h.Parameters, names, options)
	told := table{Title: h.Title, Columns: []string{h.Down, h.Across, "what happens"}}
	room := s.pane.axis.width / float64(max(1, len(h.Xs)))
	for i := len(h.Ys) - 1; i >= 0; i-- { // the greatest on top
		s.write("lane", names[i], 0, -10, s.y+height/2, "right", true)
		for j, x := range h.Xs {
			s.heatCell(h, i, j, s.y, height, room)
			told.Rows = append(told.Rows, []string{fencing.Seconds(h.Ys[i]), fencing.Seconds(x), h.Cells[i][j].String()})
		}
		told.lines = append(told.lines, h.line(i))
		s.y += height
	}
	s.heatAxis(h, room)
	s.heatLegend(h)
	return s.done(told)
}

// line tells one row of cells: what happens, up to which length.
func (h Heat) line(i int) string {
	says := fmt.Sprintf("%s %s, with a %s of", h.Down, fencing.Seconds(h.Ys[i]), h.Across)
	for j := 0; j < len(h.Xs); {
		last := j
		for last+1 < len(h.Xs) && h.Cells[i][last+1] == h.Cells[i][j] {
			last++
		}
		length := fencing.Seconds(h.Xs[j])
		if last > j {
			length += " to " + fencing.Seconds(h.Xs[last])
		}
		if j > 0 {
			says += ";"
		}
		says += " " + length + ": " + h.Cells[i][j].String()
		j = last + 1
	}
	return says
}

func (s *sheet) heatCell(h Heat, i, j int, y, height, room float64) {
	o := h.Cells[i][j]
	n := float64(len(h.Xs))
	tip := told{tip: fmt.Sprintf("%s %s, %s %s: %s", h.Down, fencing.Seconds(h.Ys[i]), h.Across, fencing.Seconds(h.Xs[j]), o)}
	cell, sign := outcomes[o].cell, outcomes[o].mark
	cell.Kind, cell.Form, cell.X, cell.X2, cell.Y, cell.Y2, cell.told = o.String(), bar, float64(j)/n, float64(j+1)/n, y+1, y+height-1, tip
	cell.DX, cell.DX2, cell.Stroke, cell.Width = 1, -1, "$rule", 1
	s.fixed(cell)
	sign.Kind, sign.Form, sign.X, sign.Y, sign.told, sign.layer = o.String()+" mark", mark, (float64(j)+0.5)/n, y+height/2, tip, layerMark
	if room < 20 {
		sign.Size = int(room) - 1
	}
	s.fixed(sign)
}

func (s *sheet) heatAxis(h Heat, room float64) {
	every := 1
	for _, x := range h.Xs {
		for textWidth(number(x.Seconds()), laptop.label, false)+8 > room*float64(every) {
			every++
		}
	}
	for j, x := range h.Xs {
		if j%every == 0 {
			s.write("axis label", number(x.Seconds()), (float64(j)+0.5)/float64(len(h.Xs)), 0, s.y+12, "center", false)
		}
	}
	s.write("axis name", h.Across+" in seconds", 0, -10, s.y+12, "right", false)
	s.y += 40
}

func (s *sheet) heatLegend(h Heat) {
	x := 0.0
	for o, drawn := range outcomes {
		if !slices.ContainsFunc(h.Cells, func(row []Outcome) bool { return slices.Contains(row, Outcome(o)) }) {
			continue
		}
		if x+40+textWidth(drawn.says, laptop.label, false) > s.pane.axis.width {
			x, s.y = 0, s.y+24
		}
		cell, sign := drawn.cell, drawn.mark
		cell.Form, cell.Stroke, cell.Width, sign.Form, sign.layer = bar, "$rule", 1, mark, layerMark
		s.sample(cell, "", x, s.y)
		x = s.sample(sign, drawn.says, x, s.y)
	}
	s.y += 18
}
