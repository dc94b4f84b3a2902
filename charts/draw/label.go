package draw

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// box is a rectangle in pixels, at the width a chart needs at least. In a wider
// chart its edges move away from each other as far as the times do that they keep
// their distance from.
type box struct {
	x, y, x2, y2 float64
	at, at2      float64 // where the times of its edges are, in pixels
}

// widest is how much wider a chart may be than it needs to be, for which boxes
// are kept apart.
const widest = 2.6

// around is a box of which both edges keep their distance from one time.
func around(at, x, y, x2, y2 float64) box { return box{x, y, x2, y2, at, at} }

// spread is a box whose edges stand at times of their own.
func spread(x, y, x2, y2 float64) box { return box{x, y, x2, y2, x, x2} }

// meets reports whether the boxes meet at some width of the chart.
func (b box) meets(c box) bool {
	if b.y >= c.y2 || c.y >= b.y2 {
		return false
	}
	left, right := c.x2-b.x, b.x2-c.x // both are greater than 0 where they meet
	if left > 0 && right > 0 {
		return true
	}
	byLeft, byRight := c.at2-b.at, b.at2-c.at // how much each grows until the chart is twice as wide
	most := widest - 1
	from, until := 0.0, most
	for _, side := range [][2]float64{{left, byLeft}, {right, byRight}} {
		switch now, by := side[0], side[1]; {
		case now <= 0 && by <= 0:
			return false
		case now <= 0:
			from = max(from, -now/by)
		case by < 0:
			until = min(until, -now/by)
		}
	}
	return from < until
}

// boxes finds out quickly whether a place is taken: it sorts them into columns.
type boxes struct{ columns [][]box }

const columnWidth = 64

// columnsOf are those in which a box lies, and what it keeps its distance from:
// boxes that come to meet pass each other's.
func columnsOf(b box) (first, last int) {
	return max(0, int(min(b.x, b.at)/columnWidth)), max(0, int(max(b.x2, b.at2)/columnWidth))
}

func (s *boxes) add(more ...box) {
	for _, b := range more {
		first, last := columnsOf(b)
		for len(s.columns) <= last {
			s.columns = append(slices.Grow(s.columns, 24), make([]box, 0, 8)) // as many as most pictures need
		}
		for c := first; c <= last; c++ {
			s.columns[c] = append(s.columns[c], b)
		}
	}
}

func (s *boxes) meet(b box) bool {
	first, last := columnsOf(b)
	for c := first; c <= last && c < len(s.columns); c++ {
		for i := range s.columns[c] {
			if b.meets(s.columns[c][i]) {
				return true
			}
		}
	}
	return false
}

// label is a text that looks for room.
type label struct {
	shape           // how it looks
	texts  []string // what it may say, the best first
	spots  []spot   // where it may stand, the best first
	room   float64  // pixels that it must fit into, if not zero: it belongs into a bar
	ground string   // the colour of that bar; the page's, if empty
	free   bool     // it rather stands nowhere than on something
}

// clearance is how far a text keeps from what stands beside it, in pixels.
const clearance = 2

type spot struct {
	at    float64 // seconds
	dx    float64 // pixels
	y     float64 // its middle
	align string  // "left" if the text begins at the spot, "center", "right"
	less  float64 // pixels of a bar's room that it leaves empty
}

// put draws the label where it covers nothing, if there is such a place, and
// reports whether it did. Bars may be covered and then lines crossed, if nothing
// else helps.
func (p *pane) put(l label) bool {
	for _, avoid := range [][]*boxes{{&p.lines, &p.bars}, {&p.lines}, {}} {
		switch {
		case l.room > 0 && len(avoid) == 2:
			continue
		case l.free && len(avoid) == 0, l.free && l.room == 0 && len(avoid) == 1:
			return false
		}
		for i := range l.texts {
			t := l.texts[i]
			if len(avoid) == 0 && l.room > 0 { // it covers as little as can be of what runs across its bar
				t = l.texts[len(l.texts)-1-i]
			}
			width := textWidth(t, l.Size, l.Bold)
			for _, s := range l.spots {
				if l.room > 0 && width > l.room-s.less {
					continue
				}
				b := p.boxAt(width, l, s)
				if b.x < p.axis.from || b.x2 > p.axis.to || p.taken.meet(b) || slices.ContainsFunc(avoid, func(s *boxes) bool { return s.meet(b) }) {
					continue
				}
				p.taken.add(b)
				l.Form, l.X, l.DX, l.Y, l.Align, l.Text, l.layer = text, s.at, s.dx, s.y, s.align, t, layerText
				if l.Plate == "" && p.crossed(l, b) {
					l.Plate = cmp.Or(l.ground, "$ground")
				}
				if l.Plate != "" {
					l.Halo, l.Room = false, width
				}
				p.shapes = append(p.shapes, l.shape)
				return true
			}
		}
	}
	p.unsaid = append(p.unsaid, l.Event)
	return false
}

// crossed reports whether something runs behind the label, so that it needs a
// ground of its own to be read.
func (p *pane) crossed(l label, b box) bool {
	if p.lines.meet(b) || p.edges.meet(b) || l.room == 0 && p.bars.meet(b) {
		return true
	}
	return slices.ContainsFunc(p.lanes, func(l *lane) bool { rule := l.y + l.height; return b.y < rule && rule < b.y2 })
}

func (p *pane) boxAt(width float64, l label, s spot) box {
	at := p.axis.px(s.at)
	x := at + s.dx
	switch s.align {
	case "center":
		x -= width / 2
	case "right":
		x -= width
	}
	return around(at, x-clearance, s.y-float64(l.Size)/2-1, x+width+clearance, s.y+float64(l.Size)/2+1)
}

// textWidth estimates how wide a text is in DejaVu Sans, the widest of the fonts
// that a page may have for it.
func textWidth(s string, size int, bold bool) float64 {
	var em float64
	for _, r := range s {
		if r < rune(len(latin)) {
			em += latin[r]
		} else {
			em += runeWidth(r)
		}
	}
	if bold {
		em *= 1.14
	}
	return em * float64(size)
}

// latin has the widths of the first characters at hand: labels try many places.
var latin = func() (widths [0x250]float64) {
	for r := range widths {
		widths[r] = runeWidth(rune(r))
	}
	return widths
}()

func runeWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("iIjl'", r):
		return 0.28
	case strings.ContainsRune(" .,:;/|·’", r):
		return 0.33
	case strings.ContainsRune("frt()[]-!", r):
		return 0.4
	case strings.ContainsRune("csz\"“”", r):
		return 0.52
	case strings.ContainsRune("kvxyEFJLPTY", r):
		return 0.6
	case strings.ContainsRune("w+<>=−×", r):
		return 0.83
	case strings.ContainsRune("mMW@%…", r):
		return 1
	case unicode.IsUpper(r):
		return 0.76
	case r < 0x250:
		return 0.64
	case unicode.Is(unicode.Mn, r):
		return 0
	}
	return 1.2
}

const joiner = '\u200d' // makes one sign of two: 👩‍🚀

// short returns a text of at most n characters that stands on one line.
func short(s string, n int) string {
	if len(s) <= n && isPlain(s) {
		return s
	}
	runes := []rune(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) && r != joiner }), " "))
	if len(runes) > n {
		return strings.TrimRight(string(runes[:n-1]), string(joiner)) + "…"
	}
	return string(runes)
}

// isPlain reports whether a text surely stands on one line: most do.
func isPlain(s string) bool {
	space := true // none may stand at an end, nor two together
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || space && c == ' ' {
			return false
		}
		space = c == ' '
	}
	return !space
}

// wrap breaks a text into lines of at most width pixels.
func wrap(s string, size int, bold bool, width float64) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimSpace(current + " " + word)
		if current != "" && textWidth(longer, size, bold) > width {
			lines = append(lines, current)
			longer = word
		}
		current = longer
	}
	return append(lines, current)
}
