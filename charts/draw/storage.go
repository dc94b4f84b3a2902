package draw

import (
	"fmt"
	"slices"

	"fencingtokens/fencing"
)

func (p *pane) drawContents() {
	for i, c := range p.contents {
		l := p.stores[c.Key]
		y := l.y + l.height - 22
		b := shape{Kind: "content", Form: bar, X: c.From.Seconds(), X2: p.contentEnd(i), Y: y, Y2: y + 16,
			Fill: p.colour(c.Client), Opacity: 0.18, Stroke: p.colour(c.Client) + " text", Width: 1, told: told{Event: c.Event, tip: p.holds(c)}}
		if p.isDelete(c) {
			b.Kind, b.Fill, b.Opacity, b.Dash = "deleted content", "$ground", 0, []float64{2, 3}
		}
		p.add(b, l, layerBar)
	}
}

func (p *pane) isDelete(c fencing.Content) bool {
	e, ok := p.event(c.Event)
	return ok && e.Kind == fencing.Deleted
}

// contentEnd is where a content ends: the storage keeps the last one.
func (p *pane) contentEnd(i int) float64 {
	c := p.contents[i]
	if p.held || c.Until < p.end || slices.ContainsFunc(p.contents[i+1:], func(d fencing.Content) bool { return d.Key == c.Key }) {
		return c.Until.Seconds()
	}
	return p.axis.max
}

func (p *pane) holds(c fencing.Content) string {
	if p.isDelete(c) {
		return fmt.Sprintf("%s · %s: from now on %q holds nothing: %s deleted it", fencing.Seconds(c.From), fencing.ActorStorage, short(c.Key, 40), short(c.Client, 40))
	}
	return fmt.Sprintf("%s · %s: from now on %q holds %q, written by %s with token %d",
		fencing.Seconds(c.From), fencing.ActorStorage, short(c.Key, 40), short(c.Value, 80), short(c.Client, 40), c.Token)
}

func (p *pane) labelContents() {
	lost := map[int]string{}
	for _, a := range p.attempts {
		lost[a.Event] = p.victim(a)
	}
	for i, c := range p.contents {
		l := p.stores[c.Key]
		from, until, y := c.From.Seconds(), p.contentEnd(i), l.y+l.height-14
		p.put(label{
			shape: shape{Kind: "content label", Lane: l.name, Fill: "$ink", Size: laptop.label, told: told{Event: c.Event, tip: p.holds(c)}},
			texts: p.contentTexts(c, lost[c.Event]),
			spots: within(from, until, y),
			room:  p.room(from, until),
		})
	}
}

// victim is the client whose change an accepted write has destroyed, another one
// before the writer itself.
func (p *pane) victim(a fencing.Attempt) string {
	if a.Lost != "" || !a.Accepted || len(a.Missed) == 0 {
		return a.Lost
	}
	for _, seq := range a.Missed {
		if missed, _ := p.event(seq); missed.Client != a.Client {
			return missed.Client
		}
	}
	return a.Client
}

func (p *pane) contentTexts(c fencing.Content, victim string) []string {
	whose := short(c.Client, 20)
	if p.isDelete(c) {
		return []string{"holds nothing", "nothing"}
	}
	texts := []string{fmt.Sprintf("holds %s’s data: %s", whose, quoted(c.Value)), "holds " + whose + "’s data", whose + "’s data", whose}
	switch {
	case victim == c.Client:
		return append([]string{"holds " + whose + "’s data: another change of its own is lost", "another change is lost"}, texts...)
	case victim != "":
		return append([]string{"holds " + whose + "’s data: " + short(victim, 20) + "’s is lost", short(victim, 20) + "’s data is lost"}, texts...)
	case c.Value == "from "+c.Client: // what every worker writes says no more than its name
		return texts[1:]
	}
	return texts
}

func (p *pane) drawAttempts() {
	for _, a := range p.attempts {
		l := p.stores[a.Key]
		s := shape{Form: mark, X: a.At.Seconds(), Y: l.middle, Stroke: "$on fill", Width: 2, told: told{Event: a.Event}}
		s.Kind, s.Symbol, s.Fill = fate(a, p.colour(a.Client))
		if s.Symbol == cross {
			s.Fill, s.Stroke, s.Width = "", "$warn", 4
		}
		p.addMark(s, l)
	}
}

// fate says what became of a write or a delete, and the mark and colour that
// show it.
func fate(a fencing.Attempt, colour string) (kind string, s symbol, fill string) {
	switch {
	case !a.Accepted:
		return "rejected", cross, "$warn"
	case a.Stale:
		return "accepted, stale", warning, "$warn"
	case len(a.Missed) > 0:
		return "accepted, unseen change lost", unseen, "$warn"
	case a.Late:
		return "accepted, late", late, "$warn"
	}
	return "accepted", check, colour
}

func (p *pane) labelAttempts() {
	for _, a := range p.attempts {
		l := p.stores[a.Key]
		kind, _, _ := fate(a, "")
		colour := "$warn text"
		if kind == "accepted" {
			colour = "$ink"
		}
		spots := p.beside(a.Event, a.At.Seconds(), l.middle)
		if kind == "accepted" {
			slices.Reverse(spots)
		}
		p.label(l, kind+" label", colour, told{Event: a.Event}, p.attemptTexts(a, kind), spots...)
	}
}

func (p *pane) attemptTexts(a fencing.Attempt, kind string) []string {
	who := fmt.Sprint(a.Token)
	if a.Token == 0 {
		who = short(a.Client, 20)
	}
	if a.Number > 0 {
		who += fmt.Sprintf(" no. %d", a.Number)
	}
	what := kind
	if a.Op == fencing.OpDelete {
		what = "deletes: " + kind
	}
	texts := []string{who + " " + what, who}
	switch {
	case kind == "accepted" && p.trace.Config.Fencing && a.Token > 0:
		return append([]string{fmt.Sprintf("%s, fence %d", texts[0], max(a.Token, a.Fence))}, texts...)
	case kind == "accepted, unseen change lost":
		return append([]string{who + " accepted, on top of a change it had not seen"}, texts...)
	case kind == "rejected" && a.Stale:
		return append([]string{fmt.Sprintf("%s: %d < %d", texts[0], a.Token, a.Fence)}, texts...)
	}
	return texts
}
