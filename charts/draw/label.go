package draw

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// box is a rectangle in pixels, at the width a chart needs at least. Boxes that
// keep clear of one another there do so in every wider chart: their times only
// move apart.
type box struct{ x, y, x2, y2 float64 }

func (b box) meets(c box) bool { return b.x < c.x2 && c.x < b.x2 && b.y < c.y2 && c.y < b.y2 }

// boxes finds out quickly whether a place is taken: it sorts them into columns.
type boxes struct{ columns map[int][]box }

const columnWidth = 64

func columnsOf(b box) (first, last int) {
	return int(math.Floor(b.x / columnWidth)), int(math.Floor(b.x2 / columnWidth))
}

func (s *boxes) add(more ...box) {
	if s.columns == nil {
		s.columns = map[int][]box{}
	}
	for _, b := range more {
		first, last := columnsOf(b)
		for c := first; c <= last; c++ {
			s.columns[c] = append(s.columns[c], b)
		}
	}
}

func (s *boxes) meet(b box) bool {
	first, last := columnsOf(b)
	for c := first; c <= last; c++ {
		for _, o := range s.columns[c] {
			if b.meets(o) {
				return true
			}
		}
	}
	return false
}

// label is a text that looks for room.
type label struct {
	shape          // how it looks
	texts []string // what it may say, the best first
	spots []spot   // where it may stand, the best first
	room  float64  // pixels that it must fit into, if not zero
}

type spot struct {
	at    float64 // seconds
	dx    float64 // pixels
	y     float64 // its middle
	align string  // "left" if the text begins at the spot, "center", "right"
}

// put draws the label where it covers nothing, if there is such a place. Bars
// may be covered and then lines crossed, if nothing else helps: a text has a
// halo.
func (p *pane) put(l label) {
	for _, avoid := range [][]*boxes{{&p.lines, &p.bars}, {&p.lines}, {}} {
		if l.room > 0 && len(avoid) == 2 { // it belongs into a bar
			continue
		}
		for _, t := range l.texts {
			width := textWidth(t, l.Size, l.Bold)
			if l.room > 0 && width > l.room {
				continue
			}
			for _, s := range l.spots {
				b := p.boxAt(width, l, s)
				if b.x < p.axis.from || b.x2 > p.axis.to || p.taken.meet(b) || slices.ContainsFunc(avoid, func(s *boxes) bool { return s.meet(b) }) {
					continue
				}
				p.taken.add(b)
				l.Form, l.X, l.DX, l.Y, l.Align, l.Text, l.layer = text, s.at, s.dx, s.y, s.align, t, layerText
				p.shapes = append(p.shapes, l.shape)
				return
			}
		}
	}
}

func (p *pane) boxAt(width float64, l label, s spot) box {
	x := p.axis.px(s.at) + s.dx
	switch s.align {
	case "center":
		x -= width / 2
	case "right":
		x -= width
	}
	return box{x, s.y - float64(l.Size)/2 - 1, x + width, s.y + float64(l.Size)/2 + 1}
}

// textWidth estimates how wide a text is in the common sans-serif fonts, a
// little too wide rather than too narrow.
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
		em *= 1.07
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
	case strings.ContainsRune("iIjlt.,:;'|!()[]/ ’“”·", r):
		return 0.34
	case strings.ContainsRune("frst-\"", r):
		return 0.46
	case strings.ContainsRune("mwMW@%", r):
		return 0.9
	case unicode.IsUpper(r):
		return 0.7
	case r < 0x250:
		return 0.59
	case unicode.Is(unicode.Mn, r):
		return 0
	}
	return 1.2
}

// short returns a text of at most n characters that stands on one line.
func short(s string, n int) string {
	if len(s) <= n && isPlain(s) {
		return s
	}
	runes := []rune(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " "))
	if len(runes) > n {
		return string(runes[:n-1]) + "…"
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
