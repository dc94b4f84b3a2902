package play

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fencingtokens/fencing"
)

// code returns the cell that shows in a notebook what is on the screen.
func (s Scene) code(p play) string {
	variable := "preset"
	if !p.preset {
		variable = "scenario"
	}
	lines := []string{"%%", variable + " := " + p.code}
	lines = append(lines, s.assignments(p, variable)...)
	if p.preset {
		lines = append(lines, s.showPreset()...)
	} else {
		lines = append(lines, s.showScenario()...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// assignments returns a statement for everything that was changed.
func (s Scene) assignments(p play, variable string) []string {
	original, _ := findBase(p.name)
	config := variable + ".Config"
	if p.preset {
		config = variable
	}
	var lines, policy []string
	for _, name := range p.changed {
		f, _ := findField(name)
		switch {
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

// holdBack is the option that the calls below need, with a comma before it.
func (s Scene) holdBack() string {
	switch {
	case s.At >= 0:
		return fmt.Sprintf(", charts.HoldBack(%s)", inGo(s.At))
	case s.Held:
		return ", charts.HoldBack(time.Hour)"
	}
	return ""
}

func (s Scene) showPreset() []string {
	third := []string{
		"world := fencing.NewWorld(preset.Config)",
		"preset.AddTo(world)",
		"third := preset.Policy",
		"third.Start += 2 * time.Second",
		`world.Client("client 3", fencing.Worker(third))`,
		"charts.Timeline(world.Run()" + s.holdBack() + ")",
	}
	switch {
	case s.Third && s.Fencing == "both":
		lines := []string{"for _, preset.Fencing = range []bool{false, true} {"}
		for _, l := range third {
			lines = append(lines, "\t"+l)
		}
		return append(lines, "}")
	case s.Fencing == "both":
		return []string{"charts.Compare(preset" + s.holdBack() + ")"}
	}
	lines := []string{"preset.Fencing = " + fmt.Sprint(s.Fencing == "on")}
	if s.Third {
		return append(lines, third...)
	}
	return append(lines, "charts.Timeline(preset.Run()"+s.holdBack()+")")
}

func (s Scene) showScenario() []string {
	var lines []string
	for _, fenced := range s.fenced() {
		method := "Without"
		if fenced {
			method = "With"
		}
		lines = append(lines, fmt.Sprintf("charts.Timeline(scenario.%s()%s)", method, s.holdBack()))
	}
	return lines
}
