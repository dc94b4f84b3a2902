package draw

import (
	"slices"
	"time"

	"fencingtokens/fencing"
)

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
