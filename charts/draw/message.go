package draw

import (
	"fmt"
	"math"
	"time"

	"fencingtokens/fencing"
)

// drawFlights draws the messages that tell something: grants, what goes to the
// storage, and whatever takes time, is held up, lost or doubled.
func (p *pane) drawFlights() {
	granted := p.grantTimes()
	seen := map[int]bool{}
	for _, stored := range []bool{true, false} { // those to a mark first: the others step aside
		for _, f := range p.flights {
			if ofStorage(f.Op) != stored {
				continue
			}
			again := seen[f.Event]
			seen[f.Event] = true
			if !again && !p.telling(f, granted) {
				continue
			}
			client, service := p.clients[f.Client], p.serviceOf(f)
			if client == nil || service == nil {
				continue
			}
			p.drawFlight(f, again, client, service)
		}
	}
}

// sentLine is the line of a message, drawn once for all that were lost at one
// place.
type sentLine struct {
	fencing.Flight
	line   shape
	again  bool
	times  int
	client *lane
}

// drawn reports whether the same line is there already, of a message to another
// lock node.
func (p *pane) drawn(f fencing.Flight) bool {
	if !f.Lost || f.Reply {
		return false
	}
	for i := len(p.sent) - 1; i >= 0 && p.sent[i].From == f.From; i-- {
		if s := &p.sent[i]; s.Lost && !s.Reply && s.Client == f.Client && s.Op == f.Op && s.Until == f.Until {
			s.times++
			return true
		}
	}
	return false
}

// upright is a vertical line, and whose it is.
type upright struct {
	of       string
	up       bool
	dx       float64
	top, low float64
}

// asideBy is how far a line steps aside, in pixels.
const asideBy = 5

// stepAside moves a vertical line away from those of others at the same time, so
// that none hides the arrow head of another.
func (p *pane) stepAside(s *shape, of string) {
	if s.X != s.X2 {
		return
	}
	u := upright{of: of, up: s.Y2 < s.Y, top: min(s.Y, s.Y2), low: max(s.Y, s.Y2)}
	for _, o := range p.upright[s.X] {
		if o.of == u.of && o.up == u.up {
			u.dx = o.dx
			break
		}
		if o.top < u.low && u.top < o.low {
			u.dx = max(u.dx, o.dx+asideBy)
		}
	}
	if p.upright == nil {
		p.upright = map[float64][]upright{}
	}
	p.upright[s.X] = append(p.upright[s.X], u)
	s.DX, s.DX2 = u.dx, u.dx
}

// asked is what a reply with a grant is known by.
type asked struct {
	service, client, lock string
	at                    time.Duration
}

func (p *pane) grantTimes() map[asked]bool {
	times := map[asked]bool{}
	for _, g := range p.grants {
		times[asked{g.Service, g.Client, g.Lock, g.From}] = true
	}
	return times
}

func (p *pane) telling(f fencing.Flight, granted map[asked]bool) bool {
	gone := f.Lost && p.trace.Events[f.End-1].Note != "" // its receiver had crashed: no loss
	switch {
	case f.Lost && !gone, f.Delayed > 0, f.Until > f.From && !gone:
		return true
	case f.Reply:
		return isAcquire(f.Op) && granted[asked{f.Service, f.Client, f.Key, f.From}]
	}
	switch f.Op {
	case fencing.OpWrite, fencing.OpClaim, fencing.OpDelete:
		return true
	case fencing.OpRead:
		return !gone
	case fencing.OpAcquire: // one that has to wait
		return p.trace.Config.Nodes == 0 && !granted[asked{fencing.ActorLockService, f.Client, f.Key, f.From}]
	}
	return false
}

func isAcquire(op fencing.Op) bool { return op == fencing.OpAcquire || op == fencing.OpTryAcquire }

// serviceOf returns the lane at the other end.
func (p *pane) serviceOf(f fencing.Flight) *lane {
	if ofStorage(f.Op) {
		return p.stores[f.Key]
	}
	return p.locks[place{f.Service, f.Key}]
}

func (p *pane) drawFlight(f fencing.Flight, again bool, client, service *lane) {
	if p.drawn(f) {
		return
	}
	from, until := f.From, min(f.Until, p.end)
	arrives := f.Until <= p.end && !f.Lost
	s := shape{Kind: "message", Form: line, X: from.Seconds(), X2: until.Seconds(), Stroke: client.colour + " text", Width: 1.5, Head: arrives, Lost: f.Lost, Halo: true}
	s.Y, s.Y2 = p.port(client, from), service.middle-laptop.bar/2
	if ofStorage(f.Op) {
		s.Y2 = service.middle - laptop.symbol - 3
	}
	if f.Reply {
		s.Y, s.Y2 = s.Y2, p.port(client, until)
	}
	if !arrives {
		s.X2, s.Y2 = p.cut(f, s, client, service)
	}
	of := told{Event: f.Event}
	switch {
	case f.Lost:
		s.Kind = "request lost"
		if f.Reply {
			s.Kind, s.Dash = "reply lost", []float64{5, 3}
		}
		of = told{Event: f.End, tip: p.tell(f.Event) + "; " + p.tell(f.End)}
	case again:
		s.Kind, s.Dash = "message again", []float64{1, 3}
	case f.Delayed > 0:
		s.Kind, s.Width = "message delayed", 2
	case f.Reply && !isAcquire(f.Op), !f.Reply && !ofStorage(f.Op):
		s.Kind, s.Width, s.Halo = "message aside", 1, false
	}
	s.told = of
	p.stepAside(&s, client.name)
	p.add(s, client, layerLine)
	p.lines.add(p.track(s)...)
	p.takeEnd(s)
	p.sent = append(p.sent, sentLine{f, s, again, 1, client})
}

// cut ends the line of a message that did not arrive: near its sender if it was
// lost, or where the picture ends.
func (p *pane) cut(f fencing.Flight, s shape, client, service *lane) (x2, y2 float64) {
	if !f.Lost {
		share := (p.end - f.From).Seconds() / (f.Until - f.From).Seconds()
		if p.held {
			share = 0.5 // a slope would tell when it arrives
		}
		return s.X2, s.Y + (s.Y2-s.Y)*share
	}
	if f.Reply {
		return s.X2, service.y - 2
	}
	return s.X2, client.y + client.height + 2
}

// port is where messages leave and reach a client: below its belief and its
// pause.
func (p *pane) port(client *lane, at time.Duration) float64 {
	y := client.below()
	for _, s := range client.strips {
		if s.still && s.from <= at && at < s.until {
			y = max(y, client.stripY(s)+laptop.band)
		}
	}
	return y
}

// track covers a line with small boxes, from which labels keep away.
func (p *pane) track(s shape) []box {
	at, at2 := p.axis.px(s.X), p.axis.px(s.X2)
	x, x2 := at+s.DX, at2+s.DX2
	steps := max(1, min(60, int((math.Abs(x2-x)+math.Abs(s.Y2-s.Y))/8)))
	if x == x2 {
		steps = 1
	}
	var covered []box
	for i := range steps {
		share, next := float64(i)/float64(steps), float64(i+1)/float64(steps)
		b := box{x + (x2-x)*share, s.Y + (s.Y2-s.Y)*share, x + (x2-x)*next, s.Y + (s.Y2-s.Y)*next, at + (at2-at)*share, at + (at2-at)*next}
		covered = append(covered, box{b.x - 2, min(b.y, b.y2), b.x2 + 2, max(b.y, b.y2), b.at, b.at2})
	}
	return covered
}

// takeEnd keeps labels away from the end of a message's line, its head or its cross.
func (p *pane) takeEnd(s shape) {
	at := p.axis.px(s.X2)
	x, x2 := p.axis.px(s.X)+s.DX, at+s.DX2
	switch {
	case s.Lost:
		p.taken.add(around(at, x2-laptop.small, s.Y2-laptop.small, x2+laptop.small, s.Y2+laptop.small))
	case s.Head:
		long := math.Hypot(x2-x, s.Y2-s.Y) / 9
		x, y := x2-(x2-x)/long, s.Y2-(s.Y2-s.Y)/long
		p.taken.add(around(at, min(x, x2)-4, min(y, s.Y2), max(x, x2)+4, max(y, s.Y2)))
	}
}

func (p *pane) labelFlights() {
	for _, s := range p.sent {
		p.labelFlight(s)
	}
}

func (p *pane) labelFlight(sent sentLine) {
	f, s := sent.Flight, sent.line
	message := noun(f.Op)
	if sent.times > 1 {
		message = fmt.Sprintf("%d × %s", sent.times, message)
	}
	if f.Reply {
		message = "reply to the " + message
	}
	var texts []string
	switch {
	case f.Lost && f.Reply:
		texts = []string{message + " lost: but it was carried out", message + " lost", "reply lost", "lost"}
	case f.Lost:
		texts = []string{message + " lost", "lost"}
		if sent.times > 1 {
			texts[1] = fmt.Sprintf("%d lost", sent.times)
		}
	case sent.again:
		texts = []string{message + " arrives again", "again"}
	case f.Delayed > 0 && f.Until <= p.end:
		texts = []string{message + " held up " + fencing.Seconds(f.Delayed), "held up " + fencing.Seconds(f.Delayed)}
	case f.Delayed > 0:
		texts = []string{message + " under way"}
	default:
		return
	}
	var spots []spot
	above := 4.0
	if s.X != s.X2 {
		above = 8 // the line slants away below
	}
	for _, share := range []float64{1, 0.9, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2} {
		at, y := s.X+(s.X2-s.X)*share, s.Y+(s.Y2-s.Y)*share
		spots = append(spots, spot{at: at, dx: s.DX + 10, y: y - above, align: "left"}, spot{at: at, dx: s.DX - 10, y: y + 6, align: "right"}, spot{at: at, dx: s.DX + 12, y: y + 6, align: "left"})
	}
	if !f.Lost {
		spots = spots[3:]
	}
	p.label(sent.client, "message label", sent.client.colour+" text", s.told, texts, spots...)
}
