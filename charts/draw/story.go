package draw

import (
	"strings"

	"fencingtokens/fencing"
)

// Line of a story, as the page gets it: short names, because a long run has many.
type Line struct {
	Seq   int     `json:"n"`
	At    float64 `json:"at"`
	When  string  `json:"when"` // the same as a reader sees it
	Y     float64 `json:"y"`    // of the lane on which it happened
	Who   string  `json:"who"`
	Says  string  `json:"says"`
	Cause int     `json:"by,omitempty"`   // Seq of the line that led here
	Step  bool    `json:"step,omitempty"` // the story is told by these
}

// Story is what a page tells of one run beside its picture: an explanation of
// every event in it, for the mouse, the cursor and the table.
type Story struct {
	Title   string  `json:"title"`
	Asks    string  `json:"asks"`              // the title before the end is known
	Lines   []Line  `json:"lines"`             // never nil: a page counts them
	Proof   int     `json:"proof,omitempty"`   // Seq of the event that decides
	NoProof string  `json:"noProof,omitempty"` // why there is none
	Top     float64 `json:"top"`               // where the picture begins
}

// Stories tell what led to each event of a timeline.
func (c Chart) Stories() []Story {
	var told []Story
	for _, p := range c.picture.panes {
		told = append(told, p.storyOf())
	}
	return told
}

// storyOf tells what the picture shows and what led there.
func (p *pane) storyOf() Story {
	told := p.wanted()
	s := Story{Title: short(p.title, 400), Asks: short(question(p.trace.Config), 400), Lines: []Line{}, Top: p.top}
	s.Proof, s.NoProof = p.proof()
	for _, e := range p.trace.Events {
		if !told[e.Seq] {
			continue
		}
		says := p.sentence(e)
		if says == "" {
			continue
		}
		s.Lines = append(s.Lines, Line{Seq: e.Seq, At: e.At.Seconds(), When: fencing.Seconds(e.At), Y: p.yOf(e), Who: short(e.Actor, 40),
			Says: short(says, 300), Cause: p.causeOf(e, told), Step: inStory(e)})
	}
	return s
}

// wanted are the events that are steps of the story or explain a shape, and the
// nearest cause of each that happened elsewhere or earlier.
func (p *pane) wanted() []bool {
	told := make([]bool, len(p.trace.Events)+1)
	for _, s := range p.shapes {
		told[max(0, min(s.Event, len(p.trace.Events)))] = true
	}
	for _, seq := range p.unsaid {
		told[max(0, min(seq, len(p.trace.Events)))] = true
	}
	for _, e := range p.trace.Events {
		if inStory(e) {
			told[e.Seq] = true
		}
	}
	for seq := len(told) - 1; seq > 0; seq-- {
		if told[seq] {
			told[p.elsewhere(seq)] = true
		}
	}
	told[0] = false
	return told
}

// elsewhere follows the causes of an event to the first that the picture shows
// at another place.
func (p *pane) elsewhere(seq int) int {
	here, _ := p.event(seq)
	for e, ok := p.event(here.Cause); ok; e, ok = p.event(e.Cause) {
		if e.At != here.At || p.laneOf(e) != p.laneOf(here) {
			return e.Seq
		}
		if e.Cause >= e.Seq {
			break
		}
	}
	return 0
}

func (p *pane) causeOf(e fencing.Event, told []bool) int {
	if cause := p.elsewhere(e.Seq); told[cause] {
		return cause
	}
	return 0
}

func (p *pane) yOf(e fencing.Event) float64 {
	if l := p.laneOf(e); l != nil {
		return l.middle
	}
	return p.top
}

// inStory reports whether the story of a run is told by this event.
func inStory(e fencing.Event) bool {
	switch e.Kind {
	case fencing.Sent:
		return e.Until > e.At
	case 0, fencing.Arrived, fencing.Finished, fencing.BeliefBegan, fencing.Chosen, fencing.Stuck:
		return false
	case fencing.Returned:
		return e.Outcome == fencing.Unknown || (e.Op == fencing.OpRelease || e.Op == fencing.OpRenew) && e.Outcome != fencing.OK
	case fencing.BeliefEnded:
		return e.Note != "it calls release" && e.Note != "its function returned" && e.Note != "it crashed"
	}
	return true
}

// describe tells the same to those who do not see the picture.
func describe(r run) string {
	const most = 60
	lines := []string{r.title, heading(r)}
	for _, e := range r.trace.Events {
		if !inStory(e) {
			continue
		}
		if len(lines) > most {
			lines = append(lines, "and so on")
			break
		}
		if says := r.sentence(e); says != "" {
			lines = append(lines, short(fencing.Seconds(e.At)+" "+e.Actor+" "+says, 300))
		}
	}
	for i := range lines {
		lines[i] = short(lines[i], 300)
	}
	return strings.Join(lines, "\n")
}

func heading(r run) string {
	name := r.trace.Config.Name
	if name == "" {
		name = "a run"
	}
	return name + " (" + r.trace.Config.Parameters() + ")"
}
