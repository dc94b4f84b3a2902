package draw

import (
	"fmt"

	"fencingtokens/fencing"
)

// drawOverlaps draws when several clients believed, in a row of its own and on
// the lanes of those clients.
func (p *pane) drawOverlaps() {
	for _, o := range p.overlaps {
		from, until := o.From.Seconds(), o.Until.Seconds()
		of, _ := measured(o)
		first, last := p.clients[o.Clients[0]], p.top
		band := shape{Kind: "overlap", Form: bar, X: from, X2: until, Y: p.top, Y2: p.top + laptop.overlap, Fill: "$warn", Opacity: 0.1, told: of}
		p.add(band, first, layerBand)
		for _, name := range o.Clients {
			l := p.clients[name]
			band.Kind, band.Y, band.Y2 = "overlap lane", l.y, l.y+l.height
			p.add(band, l, layerBand)
			last = max(last, band.Y2)
		}
		for _, at := range []float64{from, until} {
			p.add(shape{Kind: "overlap edge", Form: line, X: at, X2: at, Y: p.top, Y2: last, Stroke: "$warn", Width: 1, Dash: []float64{2, 3}, told: of}, first, layerBand)
			x := p.axis.px(at)
			p.edges.add(around(x, x-1, p.top, x+1, last))
		}
		p.bars.add(spread(p.axis.px(from), p.top, p.axis.px(until), p.top+laptop.overlap))
	}
}

func measured(o fencing.Overlap) (of told, texts []string) {
	long := fencing.Seconds(o.Until - o.From)
	who, running := believers(o)
	of = told{Event: o.Events[len(o.Events)-1], tip: fmt.Sprintf("from %s to %s %s: %s (%s)", fencing.Seconds(o.From), fencing.Seconds(o.Until), who, long, running)}
	return of, []string{fmt.Sprintf("%s: %s (%s)", who, long, running), who + ": " + long, long}
}

// labelOverlaps writes into each overlap how long it was, or beside it, if it is
// too short.
func (p *pane) labelOverlaps() {
	y := p.top + laptop.overlap/2
	for _, o := range p.overlaps {
		from, until := o.From.Seconds(), o.Until.Seconds()
		of, texts := measured(o)
		for _, says := range texts {
			l := label{
				shape: shape{Kind: "overlap label", X2: until, Lane: p.clients[o.Clients[0]].name, Fill: "$warn text", Size: laptop.label, told: of},
				texts: []string{says},
				spots: []spot{{at: (from + until) / 2, y: y, align: "center"}},
				room:  p.room(from, until),
				free:  true,
			}
			if p.put(l) {
				break
			}
			l.Halo, l.room = true, 0
			l.spots = []spot{{at: until, dx: 6, y: y, align: "left"}, {at: from, dx: -6, y: y, align: "right"}}
			if p.put(l) {
				break
			}
		}
	}
}

func believers(o fencing.Overlap) (who, running string) {
	switch {
	case len(o.Clients) > 2:
		return fmt.Sprintf("%d believe", len(o.Clients)), fencing.Seconds(o.Running) + " of it running at once"
	case o.Running > 0:
		return "both believe", fencing.Seconds(o.Running) + " of it both running"
	}
	return "both believe", "never both running"
}

// barOf returns where the i-th belief lies.
func (p *pane) barOf(i int) (l *lane, middle float64) {
	l = p.clients[p.beliefs[i].Client]
	return l, l.middle + float64(rowOf(p.beliefs, i))*(laptop.bar+2)
}

func (p *pane) drawBeliefs() {
	for i, b := range p.beliefs {
		l, middle := p.barOf(i)
		y, y2 := middle-laptop.bar/2, middle+laptop.bar/2
		if b.RightTo > b.From {
			p.add(shape{Kind: "belief right", Form: bar, X: b.From.Seconds(), X2: b.RightTo.Seconds(), Y: y, Y2: y2, Fill: l.colour, told: told{Event: b.Event}}, l, layerBar)
		}
		if b.Until > b.RightTo {
			p.add(shape{Kind: "belief wrong", Form: bar, X: b.RightTo.Seconds(), X2: b.Until.Seconds(), Y: y, Y2: y2,
				Fill: "$ground", Hatch: l.colour + " text", Stroke: l.colour + " text", Width: 1, told: wrongly(b)}, l, layerBar)
		}
	}
}

func wrongly(b fencing.Belief) told {
	s := fmt.Sprintf("%s · %s: believes that it holds %s, but its lease has ended", fencing.Seconds(b.RightTo), short(b.Client, 40), tokenOr(b.Token, b.Lock))
	if b.Why != "" {
		s += fmt.Sprintf("; it believes so until %s: %s", fencing.Seconds(b.Until), short(b.Why, 200))
	}
	return told{Event: b.Event, tip: s}
}

// tokenOr names a grant by its token, or by its lock if it has none.
func tokenOr(token uint64, lock string) string {
	if token == 0 {
		return "“" + short(lock, 40) + "”"
	}
	return fmt.Sprintf("token %d", token)
}

func (p *pane) labelBeliefs() {
	ends := p.beliefEnds()
	several := len(p.locks) > 1 && p.trace.Config.Nodes == 0
	for i, b := range p.beliefs {
		l, y := p.barOf(i)
		lock := ""
		if several {
			lock = short(b.Lock, 14) + ": "
		}
		p.inside(l, "belief right label", l.colour, told{Event: b.Event}, b.From.Seconds(), b.RightTo.Seconds(), y, lock+"believes, rightly", lock+"rightly", "rightly")
		if b.Until > b.RightTo {
			p.put(label{
				shape: shape{Kind: "belief wrong label", Lane: l.name, Fill: "$ink", Size: laptop.label, Bold: true, Plate: "$ground", told: wrongly(b)},
				texts: []string{lock + "believes, wrongly", lock + "wrongly", "wrongly"},
				spots: within(b.RightTo.Seconds(), b.Until.Seconds(), y),
				room:  p.room(b.RightTo.Seconds(), b.Until.Seconds()),
			})
		}
		if note := ends[b.End]; note != "" {
			p.label(l, "belief end", "$ink", told{Event: b.End}, []string{note}, spot{at: b.Until.Seconds(), dx: 6, y: y, align: "left"}, spot{at: b.Until.Seconds(), dx: 6, y: y + 17, align: "left"})
		}
	}
}

// beliefEnds says what ended each belief, by the event that did, unless that was
// a release that went well, or has a mark of its own.
func (p *pane) beliefEnds() map[int]string {
	ends := map[int]string{}
	type whose struct {
		client string
		token  uint64
	}
	released := map[whose]int{} // the BeliefEnded event of the last release
	var called fencing.Event
	for _, e := range p.trace.Events {
		who := whose{e.Actor, e.Token}
		switch {
		case e.Kind == fencing.Called && e.Op == fencing.OpRelease:
			called = e
		case e.Kind == fencing.BeliefEnded && called.Actor == e.Actor && called.At == e.At && (called.Token == e.Token || called.Token == 0):
			released[who] = e.Seq
		case inStory(e) && e.Kind == fencing.BeliefEnded:
			ends[e.Seq] = "learns: " + short(e.Note, 60)
		case e.Kind == fencing.Refused && e.Op == fencing.OpRelease && p.trace.Config.Nodes == 0:
			if seq := released[whose{e.Client, e.Token}]; seq > 0 {
				ends[seq] = "release: “not yours”"
			}
		}
	}
	return ends
}

func (p *pane) drawWaits() {
	for _, s := range p.waits {
		l := p.clients[s.Client]
		from, until := s.From.Seconds(), s.Until.Seconds()
		line := shape{Kind: "wait", Form: line, X: from, X2: until, Y: l.middle, Y2: l.middle, Stroke: l.colour + " text", Width: 1.5, Dash: []float64{2, 4}, told: told{Event: s.Event}}
		p.add(line, l, layerLine)
		p.lines.add(p.track(line)...)
	}
}

func (p *pane) labelWaits() {
	for _, s := range p.waits {
		l := p.clients[s.Client]
		from, until := s.From.Seconds(), s.Until.Seconds()
		if p.axis.px(until)-p.axis.px(from) < 30 {
			continue
		}
		var spots []spot
		for _, y := range []float64{l.middle - 9, l.middle + 10} {
			spots = append(spots, spot{at: (from + until) / 2, y: y, align: "center"}, spot{at: from, dx: 4, y: y, align: "left"}, spot{at: until, dx: -4, y: y, align: "right"})
		}
		p.label(l, "wait label", l.colour+" text", told{Event: s.Event}, []string{"waits for the lock", "waits"}, spots...)
	}
}
