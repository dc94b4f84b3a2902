package draw

import (
	"fmt"

	"fencingtokens/fencing"
)

func (p *pane) drawGrants() {
	for _, g := range p.grants {
		l := p.locks[place{g.Service, g.Lock}]
		if l == nil {
			continue
		}
		from, until := g.From.Seconds(), p.shown(g.Until)
		p.add(shape{Kind: "lease", Form: bar, X: from, X2: until, Y: l.middle - laptop.bar/2, Y2: l.middle + laptop.bar/2, Fill: p.colour(g.Client), told: told{Event: g.Event}}, l, layerBar)
		for _, at := range g.Renewed {
			if at == g.From {
				continue // it waited, and asks again at once: the grant stands there
			}
			tick := shape{Kind: "renewal", Form: line, X: at.Seconds(), X2: at.Seconds(), Y: l.middle - laptop.bar/2 - 3, Y2: l.middle - laptop.bar/2 + 2, Stroke: "$ink", Width: 2, Halo: true,
				told: told{tip: fmt.Sprintf("%s · %s: renews the lease of %s", fencing.Seconds(at), g.Service, tokenOr(g.Token, g.Lock))}}
			p.add(tick, l, layerMark)
			p.lines.add(p.track(tick)...)
		}
		p.drawEnd(g, l, until)
	}
}

// drawEnd shows how a lease ended: by the clock, by a release, or forgotten.
func (p *pane) drawEnd(g fencing.Grant, l *lane, until float64) {
	of, half := told{Event: g.End}, l.height/2
	if p.trace.Config.Nodes == 0 {
		half = 16
	}
	switch g.Ended {
	case fencing.Expired:
		s := bracket
		if p.trace.Config.Nodes > 0 {
			s = end
		}
		p.add(shape{Kind: "expiry", Form: mark, Symbol: s, X: until, Y: l.middle, Stroke: "$ink", Width: 2, told: of}, l, layerMark)
		p.lines.add(p.strokes(s, until, l.middle)...)
	case fencing.Released:
		line := shape{Kind: "release", Form: line, X: until, X2: until, Y: l.middle - half, Y2: l.middle + half, Stroke: "$ink", Width: 2, Dash: []float64{3, 2}, Halo: true, told: of}
		p.add(line, l, layerMark)
		p.lines.add(p.track(line)...)
	case fencing.Forgot:
		p.add(shape{Kind: "forgotten", Form: bar, X: until, X2: p.shown(g.Promised), Y: l.middle - laptop.bar/2, Y2: l.middle + laptop.bar/2,
			Fill: "$ground", Opacity: 0.01, Stroke: p.colour(g.Client) + " text", Width: 1.2, Dash: []float64{2, 3}, told: of}, l, layerBand)
	}
}

// strokes cover the mark of a lease's end with boxes: texts may stand between its
// ends, close to its line.
func (p *pane) strokes(s symbol, at, y float64) []box {
	x, half, wide := p.axis.px(at), 14.0, 5.0
	if s == end {
		half, wide = 7, 4
	}
	return []box{around(x, x-2, y-half, x+2, y+half), around(x, x-wide, y-half-1, x+wide, y-half+1), around(x, x-wide, y+half-1, x+wide, y+half+1)}
}

func (p *pane) labelGrants() {
	next := p.nextGrants()
	for i, g := range p.grants {
		l := p.locks[place{g.Service, g.Lock}]
		if l == nil {
			continue
		}
		from, until := g.From.Seconds(), p.shown(g.Until)
		if p.trace.Config.Nodes > 0 {
			who := short(g.Client, 20)
			p.inside(l, "token", p.colour(g.Client), told{Event: g.Event}, from, until, l.middle, "granted to "+who, who)
		} else {
			p.inside(l, "token", p.colour(g.Client), told{Event: g.Event}, from, until, l.middle, fmt.Sprintf("token %d", g.Token), fmt.Sprint(g.Token))
		}
		if g.Ended != 0 {
			p.labelEnd(g, l, until, next[i])
		}
	}
}

// nextGrants returns, for each grant, the one of the same lock that began when
// it ended.
func (p *pane) nextGrants() []*fencing.Grant {
	next := make([]*fencing.Grant, len(p.grants))
	last := map[place]int{}
	for i, g := range p.grants {
		at := place{g.Service, g.Lock}
		if j, ok := last[at]; ok && p.grants[j].Until == g.From && g.Ended != fencing.Forgot {
			next[j] = &p.grants[i]
		}
		last[at] = i
	}
	return next
}

func (p *pane) labelEnd(g fencing.Grant, l *lane, until float64, next *fencing.Grant) {
	says := map[fencing.Kind]string{fencing.Expired: "lease ends", fencing.Released: "released", fencing.Forgot: "forgotten"}[g.Ended]
	if p.trace.Config.Nodes > 0 {
		return // its lane has no room for it, and the mark says it
	}
	texts := []string{says, "ends"}
	if next != nil {
		texts = []string{fmt.Sprintf("%s: %d granted", says, next.Token), says}
	}
	ink := "$ink"
	if end, _ := p.event(g.End); g.Ended == fencing.Released && end.Note != "" {
		ink = "$warn text"
		texts = append([]string{fmt.Sprintf("freed by %s, who does not hold it", short(end.Note, 14)), "freed by " + short(end.Note, 14)}, texts...)
	}
	row := l.y + 8
	spots := []spot{{at: until, dx: -8, y: row, align: "right"}, {at: until, dx: 8, y: row, align: "left"}, {at: until, dx: 8 + 2*asideBy, y: row, align: "left"}}
	if next == nil {
		spots = append([]spot{{at: until, dx: 8, y: l.middle, align: "left"}}, spots...)
	}
	p.label(l, "lease end label", ink, told{Event: g.End}, texts, spots...)
}
