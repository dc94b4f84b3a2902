package draw

import (
	"slices"

	"fencingtokens/fencing"
)

// pane is the picture of one run: lanes below one another, and what happened on
// them.
type pane struct {
	run
	axis   axis
	top    float64
	bottom float64

	lanes  []*lane
	shapes []shape
	taken  []box // where texts and marks stand
	lines  []box // where lines pass
}

// lane is a strip of the picture for one client, one lock or one key.
type lane struct {
	name    string
	of      string // the client's name, the lock's or the key's
	y       float64
	height  float64
	middle  float64 // of its bars, or of a storage's marks
	pauses  []fencing.Span
	colour  string // of a client
	isLock  bool
	isStore bool
}

func newPane(r run, a axis, top float64) *pane {
	p := &pane{run: r, axis: a, top: top}
	y := top
	if len(r.trace.Overlaps()) > 0 {
		y += laptop.overlapRow
	}
	add := func(l lane, height float64) *lane {
		l.y, l.height = y, height
		y += height
		p.lanes = append(p.lanes, &l)
		return &l
	}
	names := laneNames(r.trace)
	next := func() string { n := names[0]; names = names[1:]; return n }
	for i, client := range r.trace.Clients {
		height := laptop.clientLane
		pauses := pausesOf(r.trace, client)
		if len(pauses) > 0 {
			height += laptop.pauseRow
		}
		l := add(lane{name: next(), of: client, pauses: pauses, colour: clientColour(i)}, height)
		l.middle = l.y + 24
	}
	for _, lock := range locks(r.trace) {
		l := add(lane{name: next(), of: lock, isLock: true}, laptop.lockLane)
		l.middle = l.y + 27
	}
	for _, key := range keys(r.trace) {
		l := add(lane{name: next(), of: key, isStore: true}, laptop.storageLane)
		l.middle = l.y + 16
	}
	p.bottom = y
	return p
}

// laneNames returns the names of a run's lanes from top to bottom: clients,
// locks, keys. A lone lock or key needs no name.
func laneNames(t *fencing.Trace) []string {
	var names []string
	for _, c := range t.Clients {
		names = append(names, short(c, 20))
	}
	of := func(what string, things []string) {
		for _, thing := range things {
			if len(things) > 1 {
				thing = " " + short(thing, 14)
			} else {
				thing = ""
			}
			names = append(names, what+thing)
		}
	}
	of(fencing.ActorLockService, locks(t))
	of(fencing.ActorStorage, keys(t))
	return names
}

// locks returns the locks that clients asked for, and keys those that they
// wrote to or read; both have at least one, so that their lane is there.
func locks(t *fencing.Trace) []string {
	return keysOf(t, fencing.OpAcquire, fencing.OpTryAcquire)
}

func keys(t *fencing.Trace) []string { return keysOf(t, fencing.OpWrite, fencing.OpRead) }

func keysOf(t *fencing.Trace, ops ...fencing.Op) []string {
	var found []string
	for _, e := range t.Events {
		if e.Kind == fencing.Called && slices.Contains(ops, e.Op) && !slices.Contains(found, e.Key) {
			found = append(found, e.Key)
		}
	}
	if len(found) == 0 {
		return []string{""}
	}
	return found
}

func pausesOf(t *fencing.Trace, client string) []fencing.Span {
	var pauses []fencing.Span
	for _, s := range t.Pauses() {
		if s.Client == client {
			pauses = append(pauses, s)
		}
	}
	return pauses
}

func (p *pane) find(match func(*lane) bool) *lane {
	for _, l := range p.lanes {
		if match(l) {
			return l
		}
	}
	return nil
}

func (p *pane) client(name string) *lane {
	return p.find(func(l *lane) bool { return !l.isLock && !l.isStore && l.of == name })
}

func (p *pane) lock(name string) *lane {
	return p.find(func(l *lane) bool { return l.isLock && l.of == name })
}

func (p *pane) store(key string) *lane {
	return p.find(func(l *lane) bool { return l.isStore && l.of == key })
}

// draw collects the shapes. What needs room most comes first.
func (p *pane) draw() {
	for _, l := range p.lanes {
		p.rule(l)
	}
	p.overlaps()
	p.contents()
	p.attempts()
	p.grants()
	p.beliefs()
	p.flights()
	p.labelGrants()
	p.labelAttempts()
	p.labelBeliefs()
	p.unknowns()
	p.checks()
	p.crashes()
	p.pauses()
	p.waits()
	p.labelContents()
	p.heldBack()
}

func (p *pane) add(s shape, l *lane, layer int) {
	s.Lane, s.layer = l.name, layer
	p.shapes = append(p.shapes, s)
}

// takeMark keeps labels away from a mark.
func (p *pane) takeMark(at, y float64) {
	x, half := p.axis.px(at), laptop.symbol+2
	p.taken = append(p.taken, box{x - half, y - half, x + half, y + half})
}

func (p *pane) label(l *lane, kind, colour, tip string, texts []string, spots ...spot) {
	p.put(label{shape: shape{Kind: kind, Lane: l.name, Fill: colour, Size: laptop.label, Halo: true, tip: tip}, texts: texts, spots: spots})
}

// inside labels a bar if the text fits into it.
func (p *pane) inside(l *lane, kind, colour, tip string, from, until, y float64, texts ...string) {
	p.put(label{
		shape: shape{Kind: kind, Lane: l.name, Fill: colour, Size: laptop.label, Bold: true, tip: tip},
		texts: texts,
		spots: within(from, until, y),
		room:  p.room(from, until),
	})
}

// within are the places inside a bar.
func within(from, until, y float64) []spot {
	return []spot{{at: (from + until) / 2, y: y, align: "center"}, {at: from, dx: 6, y: y, align: "left"}, {at: until, dx: -6, y: y, align: "right"}}
}

// room is how wide a text in a bar may be, in pixels.
func (p *pane) room(from, until float64) float64 {
	return max(1, p.axis.px(until)-p.axis.px(from)-8)
}

func (p *pane) rule(l *lane) {
	p.add(shape{Kind: "rule", Form: line, Fixed: true, X2: 1, Y: l.y + l.height, Y2: l.y + l.height, Stroke: "$rule", Width: 1}, l, layerRule)
	p.add(shape{Kind: "lane", Form: text, Fixed: true, DX: -10, Y: l.middle, Text: l.name, Align: "right", Size: laptop.lane, Bold: true, Fill: "$ink"}, l, layerText)
}

// heldBack covers what has not happened yet with a question.
func (p *pane) heldBack() {
	if !p.held {
		return
	}
	at := p.end.Seconds()
	p.add(shape{Kind: "held back", Form: line, X: at, X2: at, Y: p.top, Y2: p.bottom, Stroke: "$muted", Width: 1.5, Dash: []float64{6, 4}, tip: "what happens next?"}, p.lanes[0], layerLine)
	p.put(label{
		shape: shape{Kind: "held back label", Fill: "$muted", Size: 28, Bold: true},
		texts: []string{"?"},
		spots: []spot{{at: at, dx: 14, y: (p.top + p.bottom) / 2, align: "left"}},
	})
}
