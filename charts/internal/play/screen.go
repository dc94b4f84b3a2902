package play

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
)

// Screen is what a playground says and offers beside its chart.
type Screen struct {
	Base     string    `json:"base"`
	Name     string    `json:"name"` // as Base, or one of your own
	Fencing  string    `json:"fencing"`
	Third    bool      `json:"third"`
	MayThird bool      `json:"mayThird"`
	Held     bool      `json:"held"`
	Controls []Control `json:"controls"`
	Moments  []float64 `json:"moments"` // seconds at which something happens
	At       float64   `json:"at"`      // the moment stepped to; negative is the whole run
	Runs     []Run     `json:"runs"`
	Code     string    `json:"code"` // the cell that does the same

}

// Shown is a scene that was played.
type Shown struct {
	Scene
	Chart draw.Chart

	play   play
	traces []*fencing.Trace
	until  time.Duration // the moment stepped to; negative is the whole run
	stop   time.Duration // up to where it is drawn, with the outcome held back; negative is all
}

// Run is what is said of one run, beside its story ([draw.Chart.Stories]).
type Run struct {
	Name     string   `json:"name"`
	Headline string   `json:"headline"` // "" if it is held back
	Broken   []string `json:"broken"`   // the properties that it broke, in sentences
	Storage  []string `json:"storage"`  // what each key holds
}

// Scenario is one that may be chosen.
type Scenario struct {
	Name  string `json:"name"`
	Group string `json:"group"`
}

// Scenarios lists what may be chosen.
func Scenarios() []Scenario {
	var all []Scenario
	for _, b := range bases {
		all = append(all, Scenario{b.name, b.group})
	}
	return all
}

// fenced lists the runs that the scene shows: without fencing, with, or both.
func (s Scene) fenced() []bool {
	switch s.Fencing {
	case "on":
		return []bool{true}
	case "both":
		return []bool{false, true}
	}
	return []bool{false}
}

// Show plays a link, changed by the value of a control if one is named, and draws
// it in the size given.
func Show(link, control string, value float64, size ...draw.Option) (Shown, error) {
	s, err := Parse(link)
	if err == nil && control != "" {
		s, err = s.set(control, value)
	}
	if err != nil {
		return Shown{}, err
	}
	return s.show(size...)
}

// Try answers a request of the page. A panic is a mistake of the playground's own,
// and no reason for it to end: the page is told.
func Try(answer func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the playground cannot show this, by a mistake of its own (%v): go back, or press Reset", r)
		}
	}()
	answer()
	return nil
}

func (s Scene) show(options ...draw.Option) (Shown, error) {
	p, err := s.build()
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{Scene: s, play: p}
	var end time.Duration
	for _, fenced := range s.fenced() {
		t := p.run(fenced)
		shown.traces = append(shown.traces, t)
		end = max(end, t.End())
	}
	shown.until = min(s.At, end)
	shown.stop = shown.until
	if s.Held && s.At < 0 {
		shown.stop = end
	}
	if shown.stop >= 0 {
		options = append(options, draw.StopAt(shown.stop))
	}
	shown.Chart = draw.Timeline(shown.traces, options...)
	return shown, nil
}

// Screen says what stands beside the picture. It takes as long as the picture
// does, so that a page asks for it when the picture is there.
func (s Shown) Screen() Screen {
	screen := Screen{
		Base: s.Base, Name: cmp.Or(s.Changes["Name"], s.Base), Fencing: s.Fencing,
		Third: s.Third, MayThird: s.Third || s.play.mayHaveThird(), Held: s.Held,
		Controls: s.play.controls(), Moments: moments(s.traces), At: s.until.Seconds(),
		Code: s.code(), Runs: []Run{},
	}
	for _, t := range s.traces {
		screen.Runs = append(screen.Runs, s.tell(t, s.until))
	}
	return screen
}

// tell says what there is to say of a run up to a moment.
func (s Shown) tell(t *fencing.Trace, at time.Duration) Run {
	r := Run{Name: "Fencing off", Broken: []string{}}
	if t.Config.Fencing {
		r.Name = "Fencing on"
	}
	if s.stop < 0 || t.Err() != nil && t.End() <= s.stop { // as in the picture
		v := t.Verdict()
		r.Headline = v.Headline
		stale := v.Finding(fencing.NoStaleWrite).Status == fencing.Violated
		for _, f := range v.Findings {
			if f.Status == fencing.Violated && !(f.Property == fencing.FencingSafe && stale) { // it says no more
				r.Broken = append(r.Broken, fmt.Sprintf("%s: %s", f.Property, f.Sentence))
			}
		}
	}
	if at < 0 {
		at = t.End()
	}
	r.Storage = storage(t, at)
	return r
}

// storage says what the storage holds at a moment, key by key.
func storage(t *fencing.Trace, at time.Duration) []string {
	written := map[int]fencing.Content{} // by event
	for _, c := range t.Contents() {
		written[c.Event] = c
	}
	says := map[string]string{}
	var keys []string
	for _, e := range t.Events {
		if e.At > at || e.Kind != fencing.Accepted && e.Kind != fencing.Deleted {
			continue
		}
		if !slices.Contains(keys, e.Key) {
			keys = append(keys, e.Key)
		}
		says[e.Key] = fmt.Sprintf("%q holds nothing: it was deleted", e.Key)
		if c := written[e.Seq]; e.Kind == fencing.Accepted {
			says[e.Key] = fmt.Sprintf("%q holds %q, written by %s with token %d", c.Key, c.Value, c.Client, c.Token)
		}
	}
	lines := []string{}
	for _, key := range keys {
		lines = append(lines, says[key]+fence(t, key, at))
	}
	if len(lines) == 0 {
		return []string{"nothing has been written"}
	}
	return lines
}

// fence says how high a key's fence is, if the storage looks at it.
func fence(t *fencing.Trace, key string, at time.Duration) string {
	if !t.Config.Fencing || t.Config.Check != fencing.AtLeast {
		return ""
	}
	var highest uint64
	for _, e := range t.Events {
		if e.Key == key && e.At <= at && (e.Kind == fencing.Accepted || e.Kind == fencing.Claimed) {
			highest = e.Fence
		}
	}
	return fmt.Sprintf("; its fence is %d", highest)
}

// moments lists the times at which something happens, in order.
func moments(traces []*fencing.Trace) []float64 {
	all := []float64{}
	for _, t := range traces {
		for _, e := range t.Events {
			all = append(all, e.At.Seconds())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
