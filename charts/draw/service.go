package draw

import (
	"fmt"
	"slices"

	"fencingtokens/fencing"
)

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
