package draw

import (
	"slices"
	"time"

	"fencingtokens/fencing"
)

// pane is the picture of one run: lanes below one another, and what happened on
// them.
type pane struct {
	run
	plan   *fencing.Trace // whose lanes it has: the run's, to its end
	axis   axis
	top    float64
	bottom float64

	lanes   []*lane
	clients map[string]*lane
	locks   map[place]*lane
	stores  map[string]*lane
	outside *lane // the world outside, where effects happen; nil if there are none
	shapes  []shape
	taken   boxes                 // where texts and marks stand
	marked  boxes                 // the middles of marks
	shifted map[int]float64       // how far the mark of an event stands beside its time
	lines   boxes                 // where lines pass
	edges   boxes                 // where those of overlaps do, on which a text may stand
	bars    boxes                 // where bars lie
	upright map[float64][]upright // the lines at one time, by its seconds
	sent    []sentLine
	unsaid  []int // events of labels that found no room: the story tells them all the same
}

// place is a lock at the lock service or at a lock node.
type place struct{ service, lock string }

// lane is a strip of the picture for one client, one lock or one key.
type lane struct {
	name   string
	y      float64
	height float64
	middle float64 // of its first row of bars, or of a storage's marks
	bars   int     // rows of beliefs, if a client believes in two locks at once
	strips []strip // below the bars: what lasted
	rows   int     // of strips
	clock  []gap   // how far its clock is off, nil if it is not
	clockY float64
	colour string // of a client
}

func newPane(r run, a axis, top float64) *pane {
	return layPane(r, r.trace, a, top)
}

// paneIn returns the pane of a run that is stopped on its way, each lane where the
// whole run has it.
func paneIn(whole *pane, r run) *pane {
	p := layPane(r, whole.trace, whole.axis, whole.top)
	for i, l := range p.lanes {
		w := whole.lanes[i]
		l.y, l.height, l.middle, l.bars, l.rows, l.clockY = w.y, w.height, w.middle, w.bars, w.rows, w.clockY
	}
	p.bottom = whole.bottom
	return p
}

func layPane(r run, plan *fencing.Trace, a axis, top float64) *pane {
	p := &pane{run: r, plan: plan, axis: a, top: top, clients: map[string]*lane{}, locks: map[place]*lane{}, stores: map[string]*lane{}}
	p.shapes = make([]shape, 0, 96) // they are large, and most runs have fewer
	names := laneNames(plan)
	for i, client := range plan.Clients {
		p.clients[client] = p.addLane(names.clients[i], laptop.clientLane, 24)
		p.clients[client].colour = clientColour(i)
	}
	places := locks(plan)
	for i, at := range places {
		if r.trace.Config.Nodes > 0 {
			p.locks[at] = p.addLane(names.locks[i], laptop.nodeLane, 16)
		} else {
			p.locks[at] = p.addLane(names.locks[i], laptop.lockLane, 27)
		}
	}
	for i, key := range keys(plan) {
		p.stores[key] = p.addLane(names.stores[i], laptop.storeLane, 16)
	}
	if hasEffects(plan) {
		p.outside = p.addLane(outsideName, laptop.outside, 18)
	}
	p.findStrips()
	p.findClocks()
	p.arrange()
	return p
}

func (p *pane) addLane(name string, height, middle float64) *lane {
	l := &lane{name: name, height: height, middle: middle, bars: 1}
	p.lanes = append(p.lanes, l)
	return l
}

// arrange gives every lane its place, when it is known what lies on it.
func (p *pane) arrange() {
	y := p.top
	if len(p.overlaps) > 0 {
		y += laptop.overlap
	}
	for client, l := range p.clients {
		l.bars = rowsOf(p.beliefs, client)
	}
	for _, l := range p.lanes {
		l.y = y
		l.middle += y
		l.height += float64(l.bars-1) * (laptop.bar + 2)
		l.rows = packStrips(l.strips, p.axis.max/60)
		l.height += float64(l.rows) * laptop.strip
		if len(l.clock) > 0 {
			l.clockY = l.y + l.height + laptop.clock/2 - 4
			l.height += laptop.clock
		}
		y += l.height
	}
	p.bottom = y
}

// below is where the bars of a lane end.
func (l *lane) below() float64 {
	return l.middle + laptop.bar/2 + float64(l.bars-1)*(laptop.bar+2)
}

// rowsOf returns how many locks a client believed in at once, at most, and at
// least 1.
func rowsOf(beliefs []fencing.Belief, client string) int {
	most := 1
	for i := range beliefs {
		if beliefs[i].Client == client {
			most = max(most, rowOf(beliefs, i)+1)
		}
	}
	return most
}

// rowOf returns the row of a belief: the first that is free when it begins.
func rowOf(beliefs []fencing.Belief, i int) int {
	row := 0
	for j := i - 1; j >= 0 && j >= i-8; j-- { // more than a few at once would not be legible
		if b := beliefs[j]; b.Client == beliefs[i].Client && b.Until > beliefs[i].From && b.Lock != beliefs[i].Lock {
			row = max(row, rowOf(beliefs, j)+1)
		}
	}
	return row
}

const outsideName = "world outside"

// names are those of a run's lanes, from top to bottom. A lone lock or key needs
// no name.
type names struct{ clients, locks, stores []string }

func laneNames(t *fencing.Trace) names {
	var n names
	for _, c := range t.Clients {
		n.clients = append(n.clients, short(c, 20))
	}
	places := locks(t)
	several := slices.ContainsFunc(places, func(p place) bool { return p.lock != places[0].lock })
	for _, at := range places {
		n.locks = append(n.locks, laneName(at.service, at.lock, several))
	}
	stored := keys(t)
	for _, key := range stored {
		n.stores = append(n.stores, laneName(fencing.ActorStorage, key, len(stored) > 1))
	}
	return n
}

func laneName(actor, of string, several bool) string {
	if several {
		return actor + " " + short(of, 14)
	}
	return actor
}

func (n names) all() []string { return slices.Concat(n.clients, n.locks, n.stores) }

// locks returns the locks that clients asked for, at the lock service or at
// every lock node, and keys those that they wrote to, read or had deleted. Both
// have at least one, so that their lane is there.
func locks(t *fencing.Trace) []place {
	services := []string{fencing.ActorLockService}
	if t.Config.Nodes > 0 {
		services = nodes(t.Config)
	}
	named := []string{}
	for _, e := range t.Events {
		if (e.Kind == fencing.Called && !ofStorage(e.Op) || e.Kind == fencing.Granted) && !slices.Contains(named, e.Key) {
			named = append(named, e.Key)
		}
	}
	if len(named) == 0 {
		named = append(named, "")
	}
	var places []place
	for _, service := range services {
		for _, lock := range named {
			places = append(places, place{service, lock})
		}
	}
	return places
}

func nodes(c fencing.Config) []string {
	var names []string
	for i := range c.Nodes {
		names = append(names, "node "+string(rune('A'+i)))
	}
	return names
}

func keys(t *fencing.Trace) []string {
	var found []string
	for _, e := range t.Events {
		if (e.Kind == fencing.Called && ofStorage(e.Op) || e.Kind == fencing.Deleted) && !slices.Contains(found, e.Key) {
			found = append(found, e.Key)
		}
	}
	if len(found) == 0 {
		return []string{""}
	}
	return found
}

func ofStorage(op fencing.Op) bool {
	switch op {
	case fencing.OpWrite, fencing.OpRead, fencing.OpClaim, fencing.OpDelete:
		return true
	}
	return false
}

func hasEffects(t *fencing.Trace) bool {
	return slices.ContainsFunc(t.Events, func(e fencing.Event) bool { return e.Kind == fencing.Did })
}

// laneOf returns the lane on which an event is told, nil if on none.
func (p *pane) laneOf(e fencing.Event) *lane {
	switch {
	case e.Kind == fencing.Did:
		return p.outside
	case e.Kind == fencing.CutOff:
		return p.cutLane(e)
	case e.Actor == fencing.ActorNetwork:
		return p.clients[e.Client]
	case e.Actor == fencing.ActorStorage:
		if l := p.stores[e.Key]; l != nil {
			return l
		}
		return p.firstStore()
	}
	if l := p.clients[e.Actor]; l != nil {
		return l
	}
	if l := p.locks[place{e.Actor, e.Key}]; l != nil {
		return l
	}
	return p.firstLock(e.Actor)
}

func (p *pane) firstStore() *lane { return p.stores[keys(p.plan)[0]] }

// firstLock is the lane for what concerns a whole lock service or lock node.
func (p *pane) firstLock(actor string) *lane {
	for _, at := range locks(p.plan) {
		if at.service == actor {
			return p.locks[at]
		}
	}
	return nil
}

// colour returns the colour of a client's things.
func (p *pane) colour(client string) string {
	if l := p.clients[client]; l != nil {
		return l.colour
	}
	return "$muted"
}

// draw collects the shapes. What needs room most comes first.
func (p *pane) draw() {
	for _, l := range p.lanes {
		p.rule(l)
	}
	p.drawOverlaps()
	p.drawContents()
	p.drawAttempts()
	p.drawGrants()
	p.drawBeliefs()
	p.drawStrips()
	p.drawWaits()
	p.drawClocks()
	p.drawFailOvers()
	p.drawFlights()
	p.marks()
	p.heldBack()
	p.labelOverlaps()
	p.labelAttempts()
	p.labelFlights()
	p.labelGrants()
	p.labelBeliefs()
	p.labelMarks()
	p.labelStrips()
	p.labelWaits()
	p.labelClocks()
	p.labelContents()
	p.labelHeldBack()
}

func (p *pane) add(s shape, l *lane, layer int) {
	s.Lane, s.layer = l.name, layer
	p.shapes = append(p.shapes, s)
	if layer == layerBar { // labels that are not its own rather stand beside it
		p.bars.add(spread(p.axis.px(s.X), s.Y, p.axis.px(s.X2), s.Y2))
	}
}

// takeMark keeps labels away from a mark.
func (p *pane) takeMark(s shape) {
	x, half := p.axis.px(s.X)+s.DX, laptop.symbol+2
	if small[s.Symbol] {
		half = laptop.small
	}
	p.taken.add(around(x, x-half, s.Y-half, x+half, s.Y+half))
}

func (p *pane) label(l *lane, kind, colour string, of told, texts []string, spots ...spot) {
	p.put(label{shape: shape{Kind: kind, Lane: l.name, Fill: colour, Size: laptop.label, Halo: true, told: of}, texts: texts, spots: spots})
}

// inside labels a bar of that colour if the text fits into it.
func (p *pane) inside(l *lane, kind, colour string, of told, from, until, y float64, texts ...string) {
	p.put(label{
		shape:  shape{Kind: kind, Lane: l.name, X2: until, Fill: "$on fill", Size: laptop.label, Bold: true, told: of},
		texts:  texts,
		spots:  within(from, until, y),
		room:   p.room(from, until),
		ground: colour,
	})
}

// within are the places inside a bar. The last leaves room for a line that has
// stepped aside from its beginning.
func within(from, until, y float64) []spot {
	return []spot{{at: (from + until) / 2, y: y, align: "center"}, {at: from, dx: 6, y: y, align: "left"}, {at: until, dx: -6, y: y, align: "right"},
		{at: from, dx: 6 + 2*asideBy, y: y, align: "left", less: 2 * asideBy}}
}

// beside are the places next to the mark of an event.
func (p *pane) beside(event int, at, y float64) []spot {
	dx := p.shifted[event]
	return []spot{{at: at, dx: dx + laptop.beside, y: y, align: "left"}, {at: at, dx: dx - laptop.beside, y: y, align: "right"}}
}

// room is how wide a text in a bar may be, in pixels.
func (p *pane) room(from, until float64) float64 {
	return max(1, p.axis.px(until)-p.axis.px(from)-8)
}

func (p *pane) rule(l *lane) {
	p.add(shape{Kind: "rule", Form: line, Fixed: true, X2: 1, Y: l.y + l.height, Y2: l.y + l.height, Stroke: "$rule", Width: 1}, l, layerRule)
	p.add(shape{Kind: "lane", Form: text, Fixed: true, DX: -nameApart, Y: l.middle, Text: l.name, Align: "right", Size: laptop.lane, Bold: true, Fill: "$ink"}, l, layerText)
}

// heldBack covers what has not happened yet with a question.
func (p *pane) heldBack() {
	if !p.held {
		return
	}
	at := p.end.Seconds()
	line := shape{Kind: "held back", Form: line, X: at, X2: at, Y: p.top, Y2: p.bottom, Stroke: "$muted", Width: 1.5, Dash: []float64{6, 4}, told: told{tip: "what happens next?"}}
	p.add(line, p.lanes[0], layerLine)
	p.lines.add(p.track(line)...)
}

func (p *pane) labelHeldBack() {
	if !p.held {
		return
	}
	p.put(label{
		shape: shape{Kind: "held back label", Fill: "$muted", Size: 28, Bold: true},
		texts: []string{"?"},
		spots: []spot{{at: p.end.Seconds(), dx: 14, y: (p.top + p.bottom) / 2, align: "left"}},
	})
}

// shown is where something ends in the picture.
func (p *pane) shown(until time.Duration) float64 { return min(until, p.end).Seconds() }
