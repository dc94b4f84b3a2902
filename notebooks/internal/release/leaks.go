//go:build !windows

package release

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"fencingtokens/notebooks/internal/ipynb"
)

// Two lines that follow each other, or one long one, are enough to know a text by:
// single short lines of Go are everywhere.
const (
	longLine = 48 // characters
	longPair = 40
)

// secrets are the distinctive lines of all that students do not get, each with
// where it stands.
func secrets(all edition) map[string]string {
	found := map[string]string{}
	for name, f := range all {
		switch {
		case tested(name) && strings.HasPrefix(name, "exercises/") && !strings.HasPrefix(name, "exercises/internal/"):
			for _, mark := range marks(string(f.data)) {
				found[mark] = name
			}
		case path.Ext(name) == ".ipynb":
			n, err := ipynb.Parse(f.data)
			if err != nil {
				continue // student says so
			}
			for _, c := range n.Cells {
				if c.Tagged(Instructor) {
					for _, mark := range marks(string(c.Source)) {
						found[mark] = name + ", cell " + c.ID
					}
				}
			}
		}
	}
	for name, f := range all {
		if strings.HasSuffix(name, "/stub/stub.go") { // handed out, and part of solutions
			for _, mark := range marks(string(f.data)) {
				delete(found, mark)
			}
		}
	}
	return found
}

// leaks are the places in an edition where a secret stands.
func leaks(secret map[string]string, made edition) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(made)) {
		for _, mark := range marks(readable(name, made[name].data)) {
			if from, ok := secret[mark]; ok {
				found = append(found, fmt.Sprintf("%s has what stands in %s: %s", name, from, strings.ReplaceAll(mark, "\n", " / ")))
			}
		}
	}
	return found
}

// readable is a file's text; a notebook's is that of its cells.
func readable(name string, data []byte) string {
	if path.Ext(name) != ".ipynb" {
		return string(data)
	}
	n, err := ipynb.Parse(data)
	if err != nil {
		return string(data)
	}
	var text strings.Builder
	for _, c := range n.Cells {
		text.WriteString(string(c.Source) + "\n")
	}
	return text.String()
}

// common lines say nothing about where they come from: brackets, imports, and what
// the simulator tells, its events and its verdict.
var common = regexp.MustCompile(`^[^\p{L}]*$|^(\w+ )?"[\w./-]+"$|^\d+(\.\d+)? s  |^Fencing (on|off): |^import |^package `)

// marks are what a text can be known by.
func marks(text string) (all []string) {
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if common.MatchString(line) {
			continue
		}
		if len(line) >= longLine {
			all = append(all, line)
		}
		if before != "" && len(before)+len(line) >= longPair {
			all = append(all, before+"\n"+line)
		}
		before = line
	}
	return all
}
