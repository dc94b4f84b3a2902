package draw

import (
	_ "embed"
	"strconv"
	"unicode/utf8"
)

// Fill is the JavaScript that puts what [Chart.Changes] returns into a
// [Template]: a function of both, as objects, that returns an option.
//
//go:embed fill.js
var Fill string

// Flat is the JavaScript that makes shapes of an option's titles and time axis,
// where they stand otherwise: a function of an option that returns one. The
// playground draws shapes over others, and nothing else.
//
//go:embed flat.js
var Flat string

// Changes returns, as JSON, what a timeline's option has beside its [Template].
// The playground asks for it with every move of a slider, so that it is written
// by hand: reflection would take longer than the simulation. What explains the
// picture to the mouse is left to [Chart.Stories]; the kinds of shapes and their
// lanes, which nobody reads there, are left out.
func (c Chart) Changes() []byte {
	p := c.picture
	w := &writer{out: make([]byte, 0, 32<<10)} // most need less
	w.begin("", '{')
	w.begin("title", '[')
	for _, t := range p.titles {
		w.begin("", '{')
		w.text("text", t.text)
		w.text("subtext", t.subtext)
		w.text("top", p.pixels(t.top))
		w.end('}')
	}
	w.end(']')
	w.begin("grid", '[')
	w.begin("", '{')
	w.text("left", p.pixels(p.gutter))
	w.text("height", p.pixels(p.bottom))
	w.end('}')
	w.end(']')
	w.begin("xAxis", '[')
	w.begin("", '{')
	w.number("max", p.axis.max)
	w.number("splitNumber", float64(p.splits()))
	w.end('}')
	w.end(']')
	w.begin("aria", '{')
	w.begin("label", '{')
	w.text("description", p.label)
	w.end('}')
	w.end('}')
	w.window(p)
	w.begin("series", '[')
	for _, s := range p.series {
		w.series(s)
	}
	w.end(']')
	w.number("interval", p.axis.step)
	w.number("zoom", p.axis.zoom)
	w.number("density", p.density())
	w.end('}')
	return w.out
}

func (w *writer) window(p picture) {
	w.begin("dataZoom", '[')
	if from, to := p.window(); p.axis.zoom > 1 {
		for range 2 {
			w.begin("", '{')
			w.number("start", from)
			w.number("end", to)
			w.end('}')
		}
	}
	w.end(']')
	place := p.slider()
	w.begin("slider", '{')
	w.number("top", place.Top)
	w.number("left", place.Left)
	w.end('}')
}

func (w *writer) series(s series) {
	w.begin("", '{')
	w.text("name", s.name)
	w.begin("data", '[')
	for i := range s.shapes {
		shape := &s.shapes[i]
		from, until := shape.reach()
		w.begin("", '{')
		w.text("name", shape.tip)
		w.begin("value", '[')
		w.exact("", from)
		w.exact("", until)
		w.begin("", '{')
		w.look(shape)
		w.end('}')
		w.end(']')
		w.end('}')
	}
	w.end(']')
	w.end('}')
}

// MarshalJSON writes a shape as draw.js reads it, and what it is for those who
// read a picture.
func (s *shape) MarshalJSON() ([]byte, error) {
	w := &writer{}
	w.begin("", '{')
	w.text("kind", s.Kind)
	w.text("lane", s.Lane)
	w.look(s)
	w.end('}')
	return w.out, nil
}

// look is what draw.js needs to draw a shape.
func (w *writer) look(s *shape) {
	w.text("form", string(s.Form))
	w.flag("fixed", s.Fixed)
	w.number("x", s.X)
	w.number("x2", s.X2)
	w.number("dx", s.DX)
	w.number("dx2", s.DX2)
	w.exact("y", s.Y)
	w.number("y2", s.Y2)
	w.number("y3", s.Y3)
	w.number("y4", s.Y4)
	w.text("fill", s.Fill)
	w.text("stroke", s.Stroke)
	w.text("hatch", s.Hatch)
	w.number("opacity", s.Opacity)
	w.number("width", s.Width)
	if len(s.Dash) > 0 {
		w.begin("dash", '[')
		for _, d := range s.Dash {
			w.exact("", d)
		}
		w.end(']')
	}
	w.flag("head", s.Head)
	w.flag("lost", s.Lost)
	w.text("symbol", string(s.Symbol))
	w.text("text", s.Text)
	w.text("align", s.Align)
	w.number("size", float64(s.Size))
	w.flag("bold", s.Bold)
	w.flag("halo", s.Halo)
	w.text("plate", s.Plate)
	w.number("room", s.Room)
	w.number("event", float64(s.Event))
}

// writer writes JSON. Of an object's members, those that are zero are left out.
type writer struct{ out []byte }

// next begins a member of an object, or an element of an array if it has no key.
func (w *writer) next(key string) {
	if n := len(w.out); n > 0 {
		if last := w.out[n-1]; last != '{' && last != '[' {
			w.out = append(w.out, ',')
		}
	}
	if key != "" {
		w.out = append(append(append(w.out, '"'), key...), '"', ':')
	}
}

func (w *writer) begin(key string, bracket byte) {
	w.next(key)
	w.out = append(w.out, bracket)
}

func (w *writer) end(bracket byte) { w.out = append(w.out, bracket) }

// exact writes a number even if it is zero.
func (w *writer) exact(key string, n float64) {
	w.next(key)
	if whole := int64(n); float64(whole) == n { // most are, and it is faster
		w.out = strconv.AppendInt(w.out, whole, 10)
		return
	}
	w.out = strconv.AppendFloat(w.out, n, 'f', -1, 64)
}

func (w *writer) number(key string, n float64) {
	if n != 0 {
		w.exact(key, n)
	}
}

func (w *writer) flag(key string, is bool) {
	if is {
		w.next(key)
		w.out = append(w.out, "true"...)
	}
}

func (w *writer) text(key, s string) {
	if s != "" {
		w.next(key)
		w.out = appendQuoted(w.out, s)
	}
}

// appendQuoted writes a text so that it may stand in JSON and in a script.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ', r == '<', r == '\u2028', r == '\u2029':
			const digits = "0123456789abcdef"
			out = append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}
