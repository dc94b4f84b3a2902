package check

import (
	"runtime"
	"strings"
)

// cause explains a panic that learners meet.
type cause struct {
	text    string // a part of the runtime's message
	mistake string
	think   string
}

func (c cause) is(value string) bool { return strings.Contains(value, c.text) }

var causes = []cause{
	{"assignment to entry in nil map", "nil map",
		"A map must be made before it can be written to, for example map[string]uint64{}. Reading from a map that was never made works and gives zero. Make every map where you make the value that holds it."},
	{"nil pointer dereference", "nil pointer",
		"Something that points to a value was never set. Did your constructor return the value that it made?"},
	{"index out of range", "index out of range",
		"A slice has fewer elements than your code asked for. What if it is empty?"},
}

// ownID returns the number by which the runtime's stack dumps name the calling
// goroutine.
func ownID() string {
	buf := make([]byte, 64)
	header := string(buf[:runtime.Stack(buf, false)])
	return idOf(header)
}

// idOf reads the number from a header such as "goroutine 18 [running]:".
func idOf(header string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(header, "goroutine "), " ")
	return id
}

// loops reports whether the goroutine, or one that it started directly or
// indirectly, has work to do at this moment. One that waits has not.
func loops(id string) bool {
	state, parent := goroutines()
	for g, s := range state {
		if s != "running" && s != "runnable" {
			continue
		}
		for up := g; up != ""; up = parent[up] {
			if up == id {
				return true
			}
		}
	}
	return false
}

// goroutines returns the state of every goroutine and which one started it. The
// runtime offers that only as text.
func goroutines() (state, parent map[string]string) {
	buf := make([]byte, 1<<20)
	dump := string(buf[:runtime.Stack(buf, true)])
	state, parent = map[string]string{}, map[string]string{}
	for _, g := range strings.Split(dump, "\n\n") {
		id := idOf(g)
		_, rest, _ := strings.Cut(g, "[")
		s, _, _ := strings.Cut(rest, "]")
		s, _, _ = strings.Cut(s, ",") // "chan receive, 2 minutes"
		state[id] = strings.TrimSpace(s)
		if _, by, ok := strings.Cut(g, "\ncreated by "); ok {
			_, by, _ = strings.Cut(by, " in goroutine ")
			by, _, _ = strings.Cut(by, "\n")
			parent[id] = by
		}
	}
	return state, parent
}

// panicked finds the function that panicked: the first one below the panic that
// is not the runtime's own. Lines are left out: in a notebook they are those of
// a file that GoNB puts together, and no cell shows them.
func panicked(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	for _, line := range strings.Split(below, "\n")[min(1, strings.Count(below, "\n")):] {
		if line == "" || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "runtime.") || strings.HasPrefix(line, "internal/") {
			continue
		}
		if i := strings.LastIndex(line, "("); i > 0 {
			line = line[:i]
		}
		line = line[strings.LastIndex(line, "/")+1:]
		_, name, _ := strings.Cut(line, ".")
		return strings.NewReplacer("(*", "", ")", "").Replace(name)
	}
	return ""
}
