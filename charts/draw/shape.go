package draw

// form is how draw.js draws a shape.
type form string

const (
	bar  form = "bar"  // a rectangle from X to X2
	line form = "line" // a line from (X, Y) to (X2, Y2)
	mark form = "mark" // a symbol at (X, Y)
	text form = "text" // a text at (X, Y)
	area form = "area" // between (X, Y), (X2, Y2), (X2, Y3) and (X, Y4)
)

// shape is one thing to draw. Its place on the time axis is in seconds, to which
// DX and DX2 add pixels; Y and Y2 are pixels from the top of the chart. Colours
// are names in the palette, written "$ink".
type shape struct {
	Kind string // what it tells
	Lane string // where it tells it
	Form form

	Fixed bool // it stays where it is when the time axis moves
	X     float64
	X2    float64
	DX    float64
	DX2   float64
	Y     float64
	Y2    float64
	Y3    float64
	Y4    float64

	Fill    string
	Stroke  string
	Hatch   string  // colour of stripes over the fill
	Opacity float64 // of the fill
	Width   float64 // of the stroke, in pixels
	Dash    []float64

	Head   bool // of a line: an arrow head at its end
	Lost   bool // of a line: a cross at its end
	Symbol symbol

	Text  string
	Align string
	Size  int // of type; of a mark, if it is smaller than others
	Bold  bool
	Halo  bool    // of a line or a text: what lies beneath it is kept off
	Plate string  // of a text: the colour of a ground of its own
	Room  float64 // of a text with a plate: how wide that is, in pixels

	told
	layer int // higher is drawn later
}

// told explains a shape when the mouse is over it.
type told struct {
	Event int    // by the sentence of an event
	tip   string // in words of its own, if not empty
}

// symbol names a path in draw.js.
type symbol string

const (
	check   symbol = "check"   // a circle with a check mark
	warning symbol = "warning" // a triangle with an exclamation mark
	unseen  symbol = "unseen"  // a triangle on its tip with an exclamation mark
	late    symbol = "late"    // a clock in a square
	cross   symbol = "cross"   // two strokes
	dead    symbol = "dead"    // a diamond with a cross
	unknown symbol = "unknown" // a circle with a question mark
	clock   symbol = "clock"   // a small clock
	read    symbol = "read"    // a circle with an eye
	claim   symbol = "claim"   // a flag in a circle
	gone    symbol = "gone"    // a circle with a minus
	again   symbol = "again"   // an arrow that turns back
	blocked symbol = "blocked" // a circle with a bar across
	no      symbol = "no"      // a small cross
	dot     symbol = "dot"     // a small ring
	bracket symbol = "bracket" // the end of a lease
	end     symbol = "end"     // the same, small
)

// small are the symbols that leave more room for a text beside them.
var small = map[symbol]bool{unknown: true, clock: true, no: true, dot: true}

// The layers, from the back to the front.
const (
	layerBand = iota
	layerRule
	layerBar
	layerLine
	layerMark
	layerText
	layers // how many there are
)
