package play

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// Control is a number that the reader may change: with a slider, which has what
// lessons need, or in a field, which takes all that the simulator takes.
type Control struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Unit  string  `json:"unit"`
	Min   float64 `json:"min"` // of the slider
	Max   float64 `json:"max"`
	Step  float64 `json:"step"`
	Least float64 `json:"least"` // of the field
	Most  float64 `json:"most"`
	Value float64 `json:"value"`
	Says  string  `json:"says"`          // what the value means here
	Off   string  `json:"off,omitempty"` // why it cannot be changed here
}

// patient is whom the controls strike: the client that asks first.
const patient = "client 1"

// The most that the simulator takes, and the least of what must not be zero.
const (
	shortest = 0.001    // seconds
	fastest  = 100      // percent
	slowest  = -99.9999 // percent: above -100, at which a clock stands still
)

func (p play) controls() []Control {
	pause, delay := p.fault(pauses), p.fault(delays)
	original, _ := findBase(p.name)
	before := play{base: original}
	all := []Control{
		{ID: "lease", Label: "Lease", Min: 0.5, Max: reach(before.config.Lease), Least: shortest, Value: p.config.Lease.Seconds(), Says: "of every grant"},
		{ID: "pause", Label: "Pause", Max: reach(before.fault(pauses).For), Value: pause.For.Seconds(), Says: where(pause)},
		{ID: "delay", Label: "Delay", Max: reach(before.fault(delays).For), Value: delay.For.Seconds(), Says: where(delay)},
		{ID: "renew", Label: "Renew every", Max: 15, Value: p.renewEvery().Seconds(), Says: "0 is never"},
		{ID: "rate", Label: "Clock rate", Unit: "%", Min: -50, Max: 100, Step: 5, Least: slowest, Most: fastest, Value: p.rate(), Says: patient + "’s clock is fast"},
	}
	for i := range all {
		c := &all[i]
		if c.Unit == "" {
			c.Unit, c.Step, c.Most = "s", 0.5, fencing.Longest.Seconds()
		}
		if c.ID == "renew" && len(p.clients) == 0 {
			c.Off = "this scenario’s clients are no workers"
		}
	}
	return all
}

// reach is where a slider ends that has to show a scenario's own length.
func reach(length time.Duration) float64 {
	end := 30.0
	for end < length.Seconds() {
		end *= 2
	}
	return end
}

func where(f fencing.Fault) string {
	if f.Point == 0 {
		return fmt.Sprintf("%s, at %g s", f.Actor, f.At.Seconds())
	}
	if f.Point.Message() {
		return fmt.Sprintf("%s’s %s", f.Actor, f.Point)
	}
	return fmt.Sprintf("%s, %s", f.Actor, f.Point)
}

// set changes what a control stands for.
func (s Scene) set(id string, value float64) (Scene, error) {
	p, err := s.build()
	if err != nil {
		return s, err
	}
	changed := s
	changed.Changes = map[string]string{}
	for name, text := range s.Changes {
		changed.Changes[name] = text
	}
	length := time.Duration(math.Round(value * float64(time.Second)))
	switch id {
	case "lease":
		changed.Changes["Lease"] = length.String()
	case "pause":
		changed.Changes["Faults"] = p.withFault(pauses, length)
	case "delay":
		changed.Changes["Faults"] = p.withFault(delays, length)
	case "renew":
		changed.Changes["RenewEvery"] = length.String()
	case "rate":
		changed.Changes["Clocks"] = p.withRate(value)
	default:
		return s, fmt.Errorf("the playground has no control %q", id)
	}
	return changed.tidy(), nil
}

// tidy leaves out changes that change nothing.
func (s Scene) tidy() Scene {
	original, err := Scene{Base: s.Base, Third: s.Third}.build()
	if err != nil {
		return s
	}
	for name, text := range s.Changes {
		changed, err := Scene{Base: s.Base, Third: s.Third, Changes: map[string]string{name: text}}.build()
		if f, _ := findField(name); err == nil && original.text(f) == changed.text(f) {
			delete(s.Changes, name)
		}
	}
	return s
}

// text writes a field as it is now: of the configuration, or of every client.
func (p play) text(f field) string {
	if !f.policy {
		return toText(reflect.ValueOf(p.config).FieldByName(f.name))
	}
	var lines []string
	for _, policy := range p.clients {
		lines = append(lines, toText(reflect.ValueOf(policy).FieldByName(f.name)))
	}
	return strings.Join(lines, "\n")
}

// kind is the sort of fault that a control changes the first of.
type kind struct {
	is    func(fencing.Fault) bool
	added fencing.Fault // where the scene has none
}

var (
	pauses = kind{
		func(f fencing.Fault) bool { return f.Action == fencing.PauseIt || f.Action == fencing.SuspendIt },
		fencing.Pause(patient, fencing.BeforeWrite, 0),
	}
	delays = kind{
		func(f fencing.Fault) bool { return f.Action == fencing.DelayIt },
		fencing.Delay(patient, fencing.WriteRequest, 0),
	}
)

// fault returns the first fault of a kind, of no length if there is none.
func (p play) fault(k kind) fencing.Fault {
	if i := slices.IndexFunc(p.config.Faults, k.is); i >= 0 {
		return p.config.Faults[i]
	}
	return k.original(p.name)
}

// original returns the fault that the base has of a kind, of no length, or the
// one that is added where it has none.
func (k kind) original(name string) fencing.Fault {
	b, err := findBase(name)
	if i := slices.IndexFunc(b.config.Faults, k.is); err == nil && i >= 0 {
		f := b.config.Faults[i]
		f.For = 0
		return f
	}
	return k.added
}

// withFault returns the faults with the first of a kind lasting so long.
func (p play) withFault(k kind, length time.Duration) string {
	faults := slices.Clone(p.config.Faults)
	i := slices.IndexFunc(faults, k.is)
	switch {
	case length <= 0 && i < 0:
	case length <= 0:
		faults = slices.Delete(faults, i, i+1)
	case i < 0:
		added := k.original(p.name)
		added.For = length
		faults = slices.Insert(faults, 0, added)
	default:
		faults[i].For = length
	}
	return fencing.ChoiceString(faults)
}

func (p play) renewEvery() time.Duration {
	if len(p.clients) == 0 {
		return 0
	}
	return p.clients[0].RenewEvery
}

const ppmPerPercent = 10_000

func (p play) rate() float64 {
	for _, c := range p.config.Clocks {
		if c.Actor == patient {
			return float64(c.PPM) / ppmPerPercent
		}
	}
	return 0
}

func (p play) withRate(percent float64) string {
	ppm := int64(math.Round(percent * ppmPerPercent))
	clocks := slices.Clone(p.config.Clocks)
	i := slices.IndexFunc(clocks, func(c fencing.Clock) bool { return c.Actor == patient })
	if i < 0 {
		clocks, i = append(clocks, fencing.Clock{Actor: patient}), len(clocks)
	}
	clocks[i].PPM = ppm
	clocks = slices.DeleteFunc(clocks, func(c fencing.Clock) bool { return c.Offset == 0 && c.PPM == 0 })
	return clocksText(clocks)
}
