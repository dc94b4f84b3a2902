package draw

import (
	"math"
	"time"

	"fencingtokens/fencing"
)

// drawFlights draws the messages that tell something: grants, what goes to the
// storage, and whatever takes time, is held up, lost or doubled.
func (p *pane) drawFlights() {
	granted := p.grantTimes()
	seen := map[int]bool{}
	for _, f := range p.flights {
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
	p.add(s, client, layerLine)
	p.lines.add(p.track(s)...)
	p.labelFlight(f, again, s, client)
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
	x, x2 := p.axis.px(s.X), p.axis.px(s.X2)
	steps := max(1, min(60, int((math.Abs(x2-x)+math.Abs(s.Y2-s.Y))/8)))
	if x == x2 {
		steps = 1
	}
	var covered []box
	for i := range steps {
		at, next := float64(i)/float64(steps), float64(i+1)/float64(steps)
		b := box{x + (x2-x)*at, s.Y + (s.Y2-s.Y)*at, x + (x2-x)*next, s.Y + (s.Y2-s.Y)*next}
		covered = append(covered, box{b.x - 2, min(b.y, b.y2), b.x2 + 2, max(b.y, b.y2)})
	}
	return covered
}

func (p *pane) labelFlight(f fencing.Flight, again bool, s shape, client *lane) {
	message := noun(f.Op)
	if f.Reply {
		message = "reply to the " + message
	}
	var texts []string
	switch {
	case f.Lost && f.Reply:
		texts = []string{message + " lost: but it was carried out", message + " lost", "reply lost", "lost"}
	case f.Lost:
		texts = []string{message + " lost", "lost"}
	case again:
		texts = []string{message + " arrives again", "again"}
	case f.Delayed > 0 && f.Until <= p.end:
		texts = []string{message + " held up " + fencing.Seconds(f.Delayed), "held up " + fencing.Seconds(f.Delayed)}
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
	p.label(client, "message label", client.colour+" text", s.told, texts, spots...)
}
