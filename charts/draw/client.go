package draw

import (
	"fmt"

	"fencingtokens/fencing"
)

func (p *pane) overlaps() {
	for _, o := range p.trace.Overlaps() {
		first, last := p.client(o.Clients[0]), p.client(o.Clients[0])
		for _, name := range o.Clients {
			if l := p.client(name); l.y < first.y {
				first = l
			} else if l.y > last.y {
				last = l
			}
		}
		from, until := o.From.Seconds(), o.Until.Seconds()
		who := "both believe"
		if len(o.Clients) > 2 {
			who = fmt.Sprintf("%d believe", len(o.Clients))
		}
		running := "never both running"
		if o.Running > 0 {
			running = inSeconds(o.Running) + " of it both running"
		}
		if len(o.Clients) > 2 {
			running = inSeconds(o.Running) + " of it running at once"
		}
		long := inSeconds(o.Until - o.From)
		tip := fmt.Sprintf("from %s to %s %s: %s (%s)", inSeconds(o.From), inSeconds(o.Until), who, long, running)
		p.add(shape{Kind: "overlap", Form: bar, X: from, X2: until, Y: p.top, Y2: last.y + last.height, Fill: "$warn", Opacity: 0.1, tip: tip}, first, layerBand)
		for _, at := range []float64{from, until} {
			p.add(shape{Kind: "overlap edge", Form: line, X: at, X2: at, Y: p.top, Y2: last.y + last.height, Stroke: "$warn", Width: 1, Dash: []float64{2, 3}, tip: tip}, first, layerBand)
		}
		y := p.top + laptop.overlapRow/2
		p.label(first, "overlap label", "$warn text", tip,
			[]string{fmt.Sprintf("%s: %s (%s)", who, long, running), who + ": " + long, long},
			spot{at: (from + until) / 2, y: y, align: "center"}, spot{at: from, y: y, align: "left"}, spot{at: until, y: y, align: "right"})
	}
}

func (p *pane) beliefs() {
	for _, b := range p.trace.Beliefs() {
		l := p.client(b.Client)
		y, y2 := l.middle-laptop.bar/2, l.middle+laptop.bar/2
		if b.RightTo > b.From {
			p.add(shape{Kind: "belief right", Form: bar, X: b.From.Seconds(), X2: b.RightTo.Seconds(), Y: y, Y2: y2, Fill: l.colour, tip: p.tell(b.Event)}, l, layerBar)
		}
		if b.Until > b.RightTo {
			p.add(shape{Kind: "belief wrong", Form: bar, X: b.RightTo.Seconds(), X2: b.Until.Seconds(), Y: y, Y2: y2, Fill: "$ground", Hatch: l.colour + " text", Stroke: l.colour + " text", Width: 1, tip: wrongly(b)}, l, layerBar)
		}
	}
}

func wrongly(b fencing.Belief) string {
	s := fmt.Sprintf("%s · %s: believes that it holds token %d, but its lease has ended", inSeconds(b.RightTo), short(b.Client, 40), b.Token)
	if b.Why != "" {
		s += fmt.Sprintf("; it believes so until %s: %s", inSeconds(b.Until), short(b.Why, 200))
	}
	return s
}

func (p *pane) labelBeliefs() {
	for _, b := range p.trace.Beliefs() {
		l := p.client(b.Client)
		p.inside(l, "belief right label", "$on fill", p.tell(b.Event), b.From.Seconds(), b.RightTo.Seconds(), l.middle, "believes, rightly", "rightly")
		if b.Until > b.RightTo {
			p.put(label{
				shape: shape{Kind: "belief wrong label", Lane: l.name, Fill: "$ink", Size: laptop.label, Bold: true, Backed: true, tip: wrongly(b)},
				texts: []string{"believes, wrongly", "wrongly"},
				spots: within(b.RightTo.Seconds(), b.Until.Seconds(), l.middle),
				room:  p.room(b.RightTo.Seconds(), b.Until.Seconds()),
			})
		}
		if note := p.beliefEnd(b); note != "" {
			p.label(l, "belief end", "$ink", p.tell(b.End), []string{note}, spot{at: b.Until.Seconds(), dx: 6, y: l.middle, align: "left"}, spot{at: b.Until.Seconds(), dx: 6, y: l.middle + 17, align: "left"})
		}
	}
}

// beliefEnd says what ended a belief, if it was not a release that went well.
func (p *pane) beliefEnd(b fencing.Belief) string {
	if b.End == 0 {
		return ""
	}
	release, refused := false, false
	for _, e := range p.trace.Events {
		switch {
		case e.Kind == fencing.Called && e.Op == fencing.OpRelease && e.Actor == b.Client && e.Token == b.Token && e.At == b.Until:
			release = true
		case e.Kind == fencing.Refused && e.Op == fencing.OpRelease && e.Client == b.Client && e.Token == b.Token:
			refused = true
		case e.Kind == fencing.Crashed && e.Actor == b.Client && e.At == b.Until:
			return "" // it has a mark of its own
		}
	}
	switch {
	case release && refused:
		return "release: “not yours”"
	case release:
		return ""
	}
	return "stops: " + short(b.Why, 60)
}

func (p *pane) pauses() {
	for _, l := range p.lanes {
		for _, s := range l.pauses {
			from, until := s.From.Seconds(), min(s.Until, p.end).Seconds()
			y := l.middle + laptop.bar/2 + 3
			tip := p.tell(s.Event)
			p.add(shape{Kind: "pause", Form: bar, X: from, X2: until, Y: y, Y2: y + laptop.band, Fill: "$pause ground", Hatch: "$pause", Stroke: "$pause", Width: 1, tip: tip}, l, layerBar)
			long := "paused"
			if !p.held || s.Until < p.end {
				long += " " + inSeconds(s.Until-s.From)
			}
			row := y + laptop.band + 9
			p.label(l, "pause label", "$ink", tip, []string{long + ": it sees nothing, and nobody tells it", long, "paused"},
				spot{at: from, dx: 7, y: row, align: "left"}, spot{at: until, dx: -7, y: row, align: "right"}, spot{at: until, dx: 5, y: y + 5, align: "left"})
		}
	}
}

func (p *pane) waits() {
	for _, s := range p.trace.Waits() {
		l := p.client(s.Client)
		from, until := s.From.Seconds(), s.Until.Seconds()
		tip := p.tell(s.Event)
		p.add(shape{Kind: "wait", Form: line, X: from, X2: until, Y: l.middle, Y2: l.middle, Stroke: l.colour + " text", Width: 1.5, Dash: []float64{2, 4}, tip: tip}, l, layerLine)
		if p.axis.px(until)-p.axis.px(from) < 30 {
			continue
		}
		var spots []spot
		for _, y := range []float64{l.middle - 9, l.middle + 10} {
			spots = append(spots, spot{at: (from + until) / 2, y: y, align: "center"}, spot{at: from, dx: 4, y: y, align: "left"}, spot{at: until, dx: -4, y: y, align: "right"})
		}
		p.label(l, "wait label", l.colour+" text", tip, []string{"waits for the lock", "waits"}, spots...)
	}
}

func (p *pane) checks() {
	for _, e := range p.trace.Events {
		if e.Kind != fencing.Checked {
			continue
		}
		l := p.client(e.Actor)
		says := "checks: lease valid"
		if e.Outcome != fencing.OK {
			says = "checks: lease over"
		}
		at, y := e.At.Seconds(), l.middle-laptop.bar/2-6
		p.add(shape{Kind: "check", Form: mark, Symbol: clock, X: at, Y: y, Fill: "$ground", Stroke: "$ink", Width: 1.5, tip: p.tell(e.Seq)}, l, layerMark)
		p.takeMark(at, y)
		p.label(l, "check label", "$ink", p.tell(e.Seq), []string{says}, spot{at: at, dx: 11, y: y, align: "left"}, spot{at: at, dx: -11, y: y, align: "right"})
	}
}

func (p *pane) crashes() {
	for _, e := range p.trace.Events {
		if e.Kind != fencing.Crashed {
			continue
		}
		l, at := p.client(e.Actor), e.At.Seconds()
		p.add(shape{Kind: "crash", Form: mark, Symbol: dead, X: at, Y: l.middle, Fill: "$warn", Stroke: "$on fill", Width: 2, tip: p.tell(e.Seq)}, l, layerMark)
		p.takeMark(at, l.middle)
		p.label(l, "crash label", "$warn text", p.tell(e.Seq), []string{"crashes"}, spot{at: at, dx: 14, y: l.middle, align: "left"}, spot{at: at, dx: -14, y: l.middle, align: "right"})
	}
}

// unknowns marks where a client gives up waiting for a reply.
func (p *pane) unknowns() {
	for _, e := range p.trace.Events {
		if e.Kind != fencing.Returned || e.Outcome != fencing.Unknown {
			continue
		}
		l, at := p.client(e.Actor), e.At.Seconds()
		y := l.middle - laptop.bar/2 - 6
		p.add(shape{Kind: "unknown", Form: mark, Symbol: unknown, X: at, Y: y, Fill: "$ground", Stroke: "$ink", Width: 1.5, tip: p.tell(e.Seq)}, l, layerMark)
		p.takeMark(at, y)
		p.label(l, "unknown label", "$ink", p.tell(e.Seq), []string{fmt.Sprintf("%s: no reply, outcome unknown", e.Op), "outcome unknown", "no reply"},
			spot{at: at, dx: 11, y: y, align: "left"}, spot{at: at, dx: -11, y: y, align: "right"})
	}
}
