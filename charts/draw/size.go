package draw

// sizes are the lengths of a chart on a laptop, in pixels. A larger chart is
// laid out in the same units, and draw.js makes each of them larger.
type sizes struct {
	plot                         float64 // width of the time axis, at least
	right                        float64 // margin
	title, lane, label           int     // type
	bar, band                    float64 // height of a belief or lease, and of a pause
	clientLane, lockLane         float64 // heights
	nodeLane, storeLane, outside float64
	strip, clock, overlap        float64 // what a row of pauses, a clock, and an overlap add
	symbol, small                float64 // half a mark's size, and with what it keeps clear, half a small one's
	beside                       float64 // from a mark's middle to the text beside it
	clockText                    float64 // from true time to what is said of a clock
}

var laptop = sizes{
	plot: 676, right: 20,
	title: 15, lane: 13, label: 12,
	bar: 18, band: 8,
	clientLane: 42, lockLane: 50, nodeLane: 36, storeLane: 52, outside: 36,
	strip: 24, clock: 30, overlap: 18,
	symbol: 8, small: 7, beside: 13, clockText: 8,
}

const (
	// projector is how much larger a chart for a projector is.
	projector = 1.4
	// projectorPlot is the least width of its time axis. With a lane's name
	// beside it, the chart fits a page of 1280 pixels.
	projectorPlot = 860
)

// plotOf returns the least width of the time axis, in units.
func plotOf(scale float64) float64 {
	if scale > 1 {
		return projectorPlot / scale
	}
	return laptop.plot
}
