package draw

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// pane is the picture of one run: lanes below one another, and what happened on
// them.
type pane struct {
	run
	axis   axis
	top    float64
	bottom float64
	gutter float64

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

func newPane(r run, a axis, gutter, top float64) *pane {
	p := &pane{run: r, axis: a, top: top, gutter: gutter}
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

// take keeps labels away from a time and a height.
func (p *pane) take(from, until, y, y2 float64) {
	p.taken = append(p.taken, box{p.axis.px(from), y, p.axis.px(until), y2})
}

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

func (p *pane) grants() {
	for _, g := range p.trace.Grants() {
		l := p.lock(g.Lock)
		tip := p.tell(g.Event)
		from, until := g.From.Seconds(), min(g.Until, p.end).Seconds()
		colour := p.client(g.Client).colour
		p.add(shape{Kind: "lease", Form: bar, X: from, X2: until, Y: l.middle - laptop.bar/2, Y2: l.middle + laptop.bar/2, Fill: colour, tip: tip}, l, layerBar)
		for _, at := range g.Renewed {
			p.add(shape{Kind: "renewal", Form: line, X: at.Seconds(), X2: at.Seconds(), Y: l.middle - laptop.bar/2 - 5, Y2: l.middle - laptop.bar/2 + 3, Stroke: "$ink", Width: 2, Halo: true,
				tip: inSeconds(at) + " · " + fencing.ActorLockService + ": renews the lease of token " + fmt.Sprint(g.Token)}, l, layerMark)
		}
		switch g.Ended {
		case fencing.Expired:
			p.add(shape{Kind: "expiry", Form: mark, Symbol: bracket, X: until, Y: l.middle, Stroke: "$ink", Width: 2, tip: p.tell(g.End)}, l, layerMark)
		case fencing.Released:
			p.add(shape{Kind: "release", Form: line, X: until, X2: until, Y: l.middle - 16, Y2: l.middle + 16, Stroke: "$ink", Width: 2, Dash: []float64{3, 2}, Halo: true, tip: p.tell(g.End)}, l, layerMark)
		}
	}
}

func (p *pane) labelGrants() {
	grants := p.trace.Grants()
	for _, g := range grants {
		l := p.lock(g.Lock)
		if g.Ended != 0 {
			until := g.Until.Seconds()
			says := "lease ends"
			if g.Ended == fencing.Released {
				says = "released"
			}
			texts := []string{says, "ends"}
			next := slices.IndexFunc(grants, func(h fencing.Grant) bool { return h.Lock == g.Lock && h.From == g.Until && h.Token != g.Token })
			if next >= 0 {
				texts = []string{fmt.Sprintf("%s: %d granted", says, grants[next].Token), says}
			}
			row := l.y + 9
			spots := []spot{{at: until, dx: -8, y: row, align: "right"}, {at: until, dx: 8, y: row, align: "left"}}
			if next < 0 {
				spots = append([]spot{{at: until, dx: 8, y: l.middle, align: "left"}}, spots...)
			}
			p.label(l, "lease end label", "$ink", p.tell(g.End), texts, spots...)
		}
		p.inside(l, "token", "$on fill", p.tell(g.Event), g.From.Seconds(), min(g.Until, p.end).Seconds(), l.middle, fmt.Sprintf("token %d", g.Token), fmt.Sprint(g.Token))
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
		texts := []string{"waits for the lock", "waits"}
		for _, y := range []float64{l.middle - 9, l.middle + 10} {
			if p.axis.px(until)-p.axis.px(from) < 30 {
				break
			}
			before := len(p.shapes)
			p.label(l, "wait label", l.colour+" text", tip, texts, spot{at: (from + until) / 2, y: y, align: "center"}, spot{at: from, dx: 4, y: y, align: "left"}, spot{at: until, dx: -4, y: y, align: "right"})
			if len(p.shapes) > before {
				break
			}
		}
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

// flights draws the messages that tell something: grants, writes, and whatever
// the network held up or dropped.
func (p *pane) flights() {
	for _, f := range p.trace.Flights() {
		if !p.telling(f) {
			continue
		}
		client, service := p.client(f.Client), p.lock(f.Key)
		if f.Op == fencing.OpWrite || f.Op == fencing.OpRead {
			service = p.store(f.Key)
		}
		if service == nil {
			continue
		}
		from, until := f.From, min(f.Until, p.end)
		tip := p.tell(f.Event)
		s := shape{Kind: "message", Form: line, X: from.Seconds(), X2: until.Seconds(), Stroke: client.colour + " text", Width: 1.5, Head: f.Until <= p.end && !f.Lost, Lost: f.Lost, Halo: true}
		s.Y, s.Y2 = p.port(client, from), service.y+5
		if service.isLock {
			s.Y2 = service.middle - laptop.bar/2
		}
		if f.Reply {
			s.Y, s.Y2 = s.Y2, p.port(client, until)
		}
		if f.Lost || f.Until > p.end {
			s.X2, s.Y2 = p.cut(f, s)
		}
		if f.Lost {
			s.Kind, tip = "message lost", tip+"; "+p.tell(f.End)
		} else if f.Delayed > 0 {
			s.Kind, s.Width = "message delayed", 2
		}
		s.tip = tip
		p.add(s, client, layerLine)
		p.lines = append(p.lines, p.track(s)...)
		p.labelFlight(f, s, client)
	}
}

func (p *pane) telling(f fencing.Flight) bool {
	if f.Lost && p.trace.Events[f.End-1].Note == "" || f.Delayed > 0 || f.Op == fencing.OpWrite && !f.Reply {
		return true
	}
	return f.Reply && slices.ContainsFunc(p.trace.Grants(), func(g fencing.Grant) bool {
		return g.Client == f.Client && g.Lock == f.Key && g.From == f.From && (f.Op == fencing.OpAcquire || f.Op == fencing.OpTryAcquire)
	})
}

// cut ends the line of a message that did not arrive: where it was lost, or
// where the picture ends.
func (p *pane) cut(f fencing.Flight, s shape) (x2, y2 float64) {
	share := 0.6
	if !f.Lost {
		share = (p.end - f.From).Seconds() / (f.Until - f.From).Seconds()
	}
	return s.X2, s.Y + (s.Y2-s.Y)*share
}

// port is where messages leave and reach a client: below its belief and its
// pause.
func (p *pane) port(client *lane, at time.Duration) float64 {
	y := client.middle + laptop.bar/2
	for _, s := range client.pauses {
		if s.From <= at && at < s.Until {
			y += 3 + laptop.band
		}
	}
	return y
}

// track covers a line with small boxes, from which labels keep away.
func (p *pane) track(s shape) []box {
	const steps = 60
	var boxes []box
	x, x2 := p.axis.px(s.X), p.axis.px(s.X2)
	for i := range steps {
		at, next := float64(i)/steps, float64(i+1)/steps
		b := box{x + (x2-x)*at, s.Y + (s.Y2-s.Y)*at, x + (x2-x)*next, s.Y + (s.Y2-s.Y)*next}
		boxes = append(boxes, box{b.x - 2, min(b.y, b.y2), b.x2 + 2, max(b.y, b.y2)})
	}
	return boxes
}

func (p *pane) labelFlight(f fencing.Flight, s shape, client *lane) {
	message := f.Op.String()
	if f.Reply {
		message = "reply to the " + message
	}
	var texts []string
	switch {
	case f.Lost:
		texts = []string{message + " lost", "lost"}
	case f.Delayed > 0 && f.Until <= p.end:
		texts = []string{message + " held up " + inSeconds(f.Delayed), "held up " + inSeconds(f.Delayed)}
	case f.Delayed > 0:
		texts = []string{message + " under way"}
	default:
		return
	}
	var spots []spot
	for _, share := range []float64{1, 0.9, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2} {
		at, y := s.X+(s.X2-s.X)*share, s.Y+(s.Y2-s.Y)*share
		spots = append(spots, spot{at: at, dx: 10, y: y - 4, align: "left"}, spot{at: at, dx: -10, y: y + 6, align: "right"}, spot{at: at, dx: 12, y: y + 6, align: "left"})
	}
	if !f.Lost {
		spots = spots[3:]
	}
	p.label(client, "message label", client.colour+" text", s.tip, texts, spots...)
}

func (p *pane) contents() {
	for _, c := range p.trace.Contents() {
		l := p.store(c.Key)
		colour := p.client(c.Client).colour
		y := l.y + l.height - 22
		p.add(shape{Kind: "content", Form: bar, X: c.From.Seconds(), X2: p.contentEnd(c), Y: y, Y2: y + 16, Fill: colour, Opacity: 0.18, Stroke: colour + " text", Width: 1, tip: p.holds(c)}, l, layerBar)
	}
}

// contentEnd is where a content ends: the storage keeps the last one.
func (p *pane) contentEnd(c fencing.Content) float64 {
	replaced := slices.ContainsFunc(p.trace.Contents(), func(d fencing.Content) bool { return d.Key == c.Key && d.Event > c.Event })
	if replaced || p.held {
		return c.Until.Seconds()
	}
	return p.axis.max
}

func (p *pane) holds(c fencing.Content) string {
	return fmt.Sprintf("%s · %s: from now on %q holds %q, written by %s with token %d",
		inSeconds(c.From), fencing.ActorStorage, short(c.Key, 40), short(c.Value, 80), short(c.Client, 40), c.Token)
}

func (p *pane) labelContents() {
	lost := map[int]string{}
	for _, a := range p.trace.Attempts() {
		lost[a.Event] = a.Lost
	}
	for _, c := range p.trace.Contents() {
		l := p.store(c.Key)
		whose := short(c.Client, 20)
		texts := []string{"holds " + whose + "’s data", whose + "’s data", whose}
		if victim := lost[c.Event]; victim != "" {
			texts = append([]string{"holds " + whose + "’s data: " + short(victim, 20) + "’s is lost", short(victim, 20) + "’s data is lost"}, texts...)
		}
		from, until, y := c.From.Seconds(), p.contentEnd(c), l.y+l.height-14
		p.put(label{
			shape: shape{Kind: "content label", Lane: l.name, Fill: "$ink", Size: laptop.label, tip: p.holds(c)},
			texts: texts,
			spots: within(from, until, y),
			room:  p.room(from, until),
		})
	}
}

func (p *pane) attempts() {
	for _, a := range p.trace.Attempts() {
		l := p.store(a.Key)
		s := shape{Form: mark, X: a.At.Seconds(), Y: l.middle, Stroke: "$on fill", Width: 2, tip: p.tell(a.Event)}
		s.Kind, s.Symbol, s.Fill = fate(a, p.client(a.Client).colour)
		if s.Symbol == cross {
			s.Fill, s.Stroke, s.Width = "", "$warn", 4
		}
		p.add(s, l, layerMark)
		p.takeMark(s.X, s.Y)
	}
}

// fate says what became of a write, and the mark and colour that show it.
func fate(a fencing.Attempt, colour string) (kind string, s symbol, fill string) {
	switch {
	case !a.Accepted:
		return "rejected", cross, "$warn"
	case a.Stale:
		return "accepted, stale", warning, "$warn"
	case a.Late:
		return "accepted, late", late, "$warn"
	}
	return "accepted", check, colour
}

func (p *pane) labelAttempts() {
	for _, a := range p.trace.Attempts() {
		l := p.store(a.Key)
		kind, _, _ := fate(a, "")
		says := fmt.Sprintf("%d %s", a.Token, kind)
		texts := []string{says, fmt.Sprint(a.Token)}
		colour := "$warn text"
		switch {
		case kind == "accepted":
			colour = "$ink"
			if p.trace.Config.Fencing {
				texts = append([]string{fmt.Sprintf("%s, fence %d", says, max(a.Token, a.Fence))}, texts...)
			}
		case kind == "rejected" && a.Stale:
			texts = append([]string{fmt.Sprintf("%s: %d < %d", says, a.Token, a.Fence)}, texts...)
		}
		at := a.At.Seconds()
		spots := []spot{{at: at, dx: -13, y: l.middle, align: "right"}, {at: at, dx: 13, y: l.middle, align: "left"}}
		if kind != "accepted" {
			slices.Reverse(spots)
		}
		p.label(l, kind+" label", colour, p.tell(a.Event), texts, spots...)
	}
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
