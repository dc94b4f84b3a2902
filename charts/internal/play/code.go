package play

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fencingtokens/fencing"
)

// code returns the cell that shows in a notebook what is on the screen.
func (s Shown) code() string {
	p := s.play
	variable := "preset"
	if !p.preset {
		variable = "scenario"
	}
	lines := []string{"%%", variable + " := " + p.code}
	lines = append(lines, assignments(p, variable)...)
	if p.preset {
		lines = append(lines, s.showPreset()...)
	} else {
		lines = append(lines, s.showScenario()...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// assignments returns a statement for everything that was changed.
func assignments(p play, variable string) []string {
	original, _ := findBase(p.name)
	config := variable + ".Config"
	if p.preset {
		config = variable
	}
	var lines, policy []string
	for _, name := range p.changed {
		f, _ := findField(name)
		switch {
		case name == "Name" && !p.preset:
			lines = append(lines, fmt.Sprintf("%s.Name = %q", variable, p.config.Name))
		case name == "Faults":
			lines = append(lines, faultLines(config, original.config.Faults, p.config.Faults)...)
		case !f.policy:
			lines = append(lines, fmt.Sprintf("%s.%s = %s", config, name, literal(reflect.ValueOf(p.config).FieldByName(name))))
		case p.preset:
			lines = append(lines, fmt.Sprintf("%s.%s = %s", variable, name, literal(reflect.ValueOf(p.clients[0]).FieldByName(name))))
		default:
			policy = append(policy, fmt.Sprintf("\t%s.Clients[i].%s = %s", variable, name, literal(reflect.ValueOf(p.clients[0]).FieldByName(name))))
		}
	}
	if len(policy) > 0 {
		lines = append(lines, fmt.Sprintf("for i := range %s.Clients {", variable))
		lines = append(append(lines, policy...), "}")
	}
	if len(p.clients) > len(original.clients) && !p.preset {
		lines = append(lines, fmt.Sprintf("%s.Clients = append(%[1]s.Clients, %[1]s.Clients[1])", variable))
	}
	return lines
}

// faultLines changes lengths where nothing else differs.
func faultLines(config string, before, now []fencing.Fault) []string {
	differ := func(a, b fencing.Fault) bool {
		a.For = b.For
		return a != b
	}
	if slices.CompareFunc(before, now, func(a, b fencing.Fault) int {
		if differ(a, b) {
			return 1
		}
		return 0
	}) != 0 {
		return []string{fmt.Sprintf("%s.Faults, _ = fencing.ParseFaults(%q)", config, fencing.ChoiceString(now))}
	}
	var lines []string
	for i := range now {
		if now[i] != before[i] {
			lines = append(lines, fmt.Sprintf("%s.Faults[%d].For = %s", config, i, inGo(now[i].For)))
		}
	}
	return lines
}

// stopAt is the option that the calls below need, with a comma before it.
func (s Shown) stopAt() string {
	if s.stop < 0 {
		return ""
	}
	return fmt.Sprintf(", charts.StopAt(%s)", inGo(s.stop))
}

func (s Shown) showPreset() []string {
	fenced := fmt.Sprint(s.Fencing == "on")
	switch {
	case s.Third:
		var lines []string
		if s.Changes["Program"] == "" && s.play.config.Program != "" {
			lines = append(lines, "preset.Program = preset.Policy.String()")
		}
		lines = append(lines,
			"run := func(fenced bool) *fencing.Trace {",
			"\tpreset.Fencing = fenced",
			"\tworld := fencing.NewWorld(preset.Config)",
			"\tpreset.AddTo(world)",
			"\tthird := preset.Policy",
			"\tthird.Start += 2 * time.Second",
			"\tworld.Client(\"client 3\", fencing.Worker(third))",
			"\treturn world.Run()",
			"}",
		)
		if s.Fencing == "both" {
			return append(lines, "charts.Both(run(false), run(true)"+s.stopAt()+")")
		}
		return append(lines, "charts.Timeline(run("+fenced+")"+s.stopAt()+")")
	case s.Fencing == "both":
		return []string{"charts.Compare(preset" + s.stopAt() + ")"}
	}
	return []string{"preset.Fencing = " + fenced, "charts.Timeline(preset.Run()" + s.stopAt() + ")"}
}

func (s Shown) showScenario() []string {
	switch s.Fencing {
	case "both":
		return []string{"charts.Both(scenario.Without(), scenario.With()" + s.stopAt() + ")"}
	case "on":
		return []string{"charts.Timeline(scenario.With()" + s.stopAt() + ")"}
	}
	return []string{"charts.Timeline(scenario.Without()" + s.stopAt() + ")"}
}
