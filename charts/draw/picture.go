package draw

import (
	"math"

	"fencingtokens/fencing"
)

// picture is what a chart shows, before it is an option of ECharts.
type picture struct {
	frame
	bottom float64 // where the time axis stands, in units
	titles []title
	series []series
	label  string  // what a screen reader says
	panes  []*pane // of a timeline
	table  *table  // of a chart without a time axis
}

// title of a pane, its lines broken already.
type title struct {
	text, subtext string
	top           float64 // units
}

// series are shapes that ECharts gets together, the hindmost first.
type series struct {
	name   string
	shapes []shape
}

func newSeries(name string, shapes []shape) series {
	sorted := make([]shape, 0, len(shapes))
	for layer := range layers {
		for i := range shapes {
			if shapes[i].layer == layer {
				sorted = append(sorted, shapes[i])
			}
		}
	}
	return series{name, sorted}
}

// reach is what a shape spans on the time axis. What does not move with the axis
// spans all of it, so that no zoom leaves it out.
func (s *shape) reach() (from, until float64) {
	if s.Fixed {
		return -1e9, 1e9
	}
	return s.X, max(s.X, s.X2)
}

// splits is how many parts ECharts should divide the axis into.
func (p picture) splits() int { return int(p.axis.max / p.axis.step / p.axis.zoom) }

// window is the part of a long run that is seen at first, in percent: around
// what decides it, or what was last before the rest is held back.
func (p picture) window() (from, to float64) {
	if p.axis.zoom == 1 {
		return 0, 100
	}
	share, start := 100/p.axis.zoom, 0.0
	for _, pane := range p.panes {
		proof, _ := pane.proof()
		seen, ok := pane.event(proof)
		if pane.held {
			seen, ok = fencing.Event{At: pane.end}, true
		}
		if ok && start == 0 {
			from := seen.At.Seconds() - 0.8*p.axis.max/p.axis.zoom
			from = math.Floor(from/p.axis.step) * p.axis.step
			start = max(0, min(100-share, 100*from/p.axis.max))
		}
	}
	round := func(percent float64) float64 { return math.Round(percent*100) / 100 }
	return round(start), round(start + share)
}

// density is for how many pixels a second labels were placed.
func (p picture) density() float64 { return p.axis.width / p.axis.max * p.scale * 0.97 }

// slider is where the handles of a window stand, in pixels.
type slider struct {
	Top    float64 `json:"top"`
	Left   float64 `json:"left"`
	Right  float64 `json:"right"`
	Height float64 `json:"height"`
}

func (p picture) slider() slider {
	return slider{Top: (p.bottom + 28) * p.scale, Left: p.gutter * p.scale, Right: laptop.right * p.scale, Height: 20 * p.scale}
}
