package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// strip is a thin band below a lane's bars: something that lasted.
type strip struct {
	kind        string
	from, until time.Duration
	row         int
	still       bool     // the client does nothing meanwhile
	texts       []string // the best first
	of          told
}

// findStrips puts pauses and cuts on their lanes.
func (p *pane) findStrips() {
	for _, s := range p.pauses {
		if l := p.clients[s.Client]; l != nil {
			l.strips = append(l.strips, p.pause(s))
		}
	}
	for _, e := range p.trace.Events {
		if e.Kind == fencing.CutOff {
			p.addCut(e)
		}
	}
}

func (p *pane) pause(s fencing.Span) strip {
	long := ""
	if !p.held || s.Until < p.end {
		long = " " + fencing.Seconds(s.Until-s.From)
	}
	found := strip{kind: "pause", from: s.From, until: s.Until, still: true, of: told{Event: s.Event},
		texts: []string{"paused" + long + ": it sees nothing, and nobody tells it", "paused" + long, "paused"}}
	switch {
	case s.Only:
		found.kind, found.still = "pause of a thread", false
		found.texts = []string{"one thread stands still" + long + ", the others go on", "one thread stands still" + long, "one thread" + long, "thread"}
	case p.asleep(s):
		found.kind = "suspend"
		found.texts = []string{"machine asleep" + long + ", its clock stands still too", "asleep" + long, "asleep"}
	}
	return found
}

// asleep reports whether the client's clock stood still during a pause.
func (p *pane) asleep(s fencing.Span) bool {
	began, _ := p.event(s.Event)
	for _, e := range p.trace.Events[s.Event:] {
		if e.Actor == s.Client && e.At >= s.Until {
			return e.At > began.At && e.Clock-began.Clock <= (e.At-s.Until) && e.Clock-began.Clock < e.At-began.At
		}
	}
	return false
}

// addCut puts a cut on the lane of the client at one of its ends. Cuts of one
// client at one time are one strip.
func (p *pane) addCut(e fencing.Event) {
	l := p.cutLane(e)
	if l == nil {
		return
	}
	for i := range l.strips {
		s := &l.strips[i]
		if s.kind == "cut" && s.from == e.At && s.until == e.Until && len(s.texts) == 2 {
			other := e.Key
			if p.clients[e.Client] != l {
				other = e.Client
			}
			s.texts[0] = strings.Replace(s.texts[0], " ✂ ", " ✂ "+short(other, 20)+", ", 1)
			return
		}
	}
	from, to := short(e.Client, 20), short(e.Key, 20)
	texts := []string{"no message to ✂ " + to, "cut off"}
	if p.clients[e.Client] != l {
		texts = []string{"no message from ✂ " + from, "cut off"}
	}
	l.strips = append(l.strips, strip{kind: "cut", from: e.At, until: e.Until, texts: texts, of: told{Event: e.Seq}})
}

func (p *pane) cutLane(e fencing.Event) *lane {
	if l := p.clients[e.Client]; l != nil {
		return l
	}
	return p.clients[e.Key]
}

// packStrips gives every strip a row in which it meets no other, and returns how
// many rows there are. Strips keep that many seconds apart.
func packStrips(strips []strip, apart float64) int {
	slices.SortStableFunc(strips, func(a, b strip) int { return cmp.Compare(a.from, b.from) })
	var ends []time.Duration
	for i := range strips {
		s := &strips[i]
		s.row = slices.IndexFunc(ends, func(end time.Duration) bool { return end.Seconds()+apart <= s.from.Seconds() })
		if s.row < 0 {
			s.row = len(ends)
			ends = append(ends, 0)
		}
		ends[s.row] = s.until
	}
	return len(ends)
}

func (l *lane) stripY(s strip) float64 { return l.below() + 3 + float64(s.row)*laptop.strip }

func (p *pane) drawStrips() {
	for _, l := range p.lanes {
		for _, s := range l.strips {
			from, until, y := s.from.Seconds(), p.shown(s.until), l.stripY(s)
			b := shape{Kind: s.kind, Form: bar, X: from, X2: until, Y: y, Y2: y + laptop.band, Fill: "$pause ground", Stroke: "$pause", Width: 1, told: s.of}
			switch s.kind {
			case "cut":
				b.Fill, b.Stroke, b.Dash = "$ground", "$warn", []float64{4, 3}
			case "pause of a thread":
				b.Fill, b.Hatch = "$ground", "$pause"
			case "suspend":
				b.Fill = "$pause"
			default:
				b.Hatch = "$pause"
			}
			p.add(b, l, layerBar)
			p.lines.add(spread(p.axis.px(from), y, p.axis.px(until), y+laptop.band))
		}
	}
}

func (p *pane) labelStrips() {
	for _, l := range p.lanes {
		for _, s := range l.strips {
			from, until, y := s.from.Seconds(), p.shown(s.until), l.stripY(s)
			row := y + laptop.band + 9
			texts := make([]string, len(s.texts))
			for i, t := range s.texts {
				texts[i] = strings.Replace(t, "✂ ", "", 1)
			}
			p.label(l, s.kind+" label", "$ink", s.of, texts,
				spot{at: from, dx: 7, y: row, align: "left"}, spot{at: until, dx: -7, y: row, align: "right"}, spot{at: until, dx: 5, y: y + 5, align: "left"})
		}
	}
}

// gap is by how much an actor's clock was ahead of true time, or behind it.
type gap struct {
	at, ahead time.Duration
	event     int
}

// findClocks follows the clocks that are off.
func (p *pane) findClocks() {
	clocks := map[string][]gap{}
	for _, e := range p.trace.Events {
		if !p.hasClock(e.Actor) {
			continue
		}
		known := clocks[e.Actor]
		g := gap{e.At, e.Clock - e.At, e.Seq}
		if e.Kind == fencing.ClockJumped {
			known = append(known, gap{e.At, g.ahead - e.Until, e.Seq})
		}
		if n := len(known); n > 1 && known[n-1].ahead == g.ahead && known[n-2].ahead == g.ahead {
			known = known[:n-1]
		}
		clocks[e.Actor] = append(known, g)
	}
	for actor, known := range clocks {
		if slices.ContainsFunc(known, func(g gap) bool { return g.ahead != 0 }) {
			if l := p.clockLane(actor); l != nil {
				l.clock = known
			}
		}
	}
}

func (p *pane) hasClock(actor string) bool {
	return actor != "" && actor != fencing.ActorNetwork && actor != fencing.ActorStorage
}

func (p *pane) clockLane(actor string) *lane {
	if l := p.clients[actor]; l != nil {
		return l
	}
	return p.firstLock(actor)
}

// drawClocks draws true time as a dotted line, and beside it the actor's clock:
// above when it is ahead, below when it is behind.
func (p *pane) drawClocks() {
	for _, l := range p.lanes {
		if len(l.clock) == 0 {
			continue
		}
		var most time.Duration
		for _, g := range l.clock {
			most = max(most, g.ahead.Abs())
		}
		y := func(g gap) float64 { return l.clockY - 7*float64(g.ahead)/float64(most) }
		trueTime := shape{Kind: "true time", Form: line, X: 0, X2: p.end.Seconds(), Y: l.clockY, Y2: l.clockY,
			Stroke: "$muted", Width: 1, Dash: []float64{1, 3}, told: told{tip: "true time; the other line is this clock"}}
		p.add(trueTime, l, layerLine)
		p.lines.add(p.track(trueTime)...)
		before := l.clock[0]
		for _, g := range append(l.clock[1:len(l.clock):len(l.clock)], p.clockEnd(l)) {
			p.add(shape{Kind: "clock", Form: line, X: before.at.Seconds(), X2: g.at.Seconds(), Y: y(before), Y2: y(g), Stroke: "$ink", Width: 2, told: told{tip: offBy(l.name, g)}}, l, layerLine)
			p.lines.add(p.track(p.shapes[len(p.shapes)-1])...)
			before = g
		}
	}
}

func (p *pane) labelClocks() {
	for _, l := range p.lanes {
		if len(l.clock) > 0 {
			p.labelClock(l)
		}
	}
}

// clockEnd is how far a clock was off at last.
func (p *pane) clockEnd(l *lane) gap {
	last := l.clock[len(l.clock)-1]
	return gap{p.end, last.ahead, last.event}
}

// labelClock says how far the clock is off, after each time that it changed.
func (p *pane) labelClock(l *lane) {
	end := p.clockEnd(l)
	steady := func(g gap) { // from here on, for a while
		if g.ahead == 0 {
			return
		}
		row := l.clockY + laptop.clockText*math.Copysign(1, float64(g.ahead)) // the clock's own line is on the other side
		p.label(l, "clock label", "$ink", told{Event: g.event}, []string{"its clock is " + ahead(g), ahead(g)},
			spot{at: g.at.Seconds(), dx: 6, y: row, align: "left"}, spot{at: end.at.Seconds(), dx: 6, y: row, align: "left"}, spot{at: g.at.Seconds(), dx: -6, y: row, align: "right"})
	}
	for i, g := range l.clock {
		next := end
		if i+1 < len(l.clock) {
			next = l.clock[i+1]
		}
		if next.ahead == g.ahead && (i == 0 || l.clock[i-1].ahead != g.ahead) {
			steady(g)
		}
	}
}

func ahead(g gap) string {
	by := g.ahead.Round(time.Millisecond)
	if by == 0 {
		by = g.ahead
	}
	if by < 0 {
		return fencing.Seconds(-by) + " behind"
	}
	return fencing.Seconds(by) + " ahead"
}

func offBy(name string, g gap) string {
	if g.ahead == 0 {
		return fmt.Sprintf("%s · the clock of %s shows true time", fencing.Seconds(g.at), name)
	}
	return fmt.Sprintf("%s · the clock of %s is %s", fencing.Seconds(g.at), name, ahead(g))
}
