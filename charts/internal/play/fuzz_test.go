package play

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever pastes a link may paste anything, and may move any control after it.
func FuzzALinkIsRefusedOrShown(f *testing.F) {
	controls := []string{"", "lease", "pause", "delay", "renew", "rate", "none"}
	for i, link := range append(written, "", "hello world %zz", "scenario=GC+pause", "scenario=a+fail-over+loses+the+lock&CheckFirst=true",
		"scenario=a+write+that+timed+out+arrives+after+the+next&CheckFirst=true", "scenario=GC+pause&Nodes=100000", "scenario=GC+pause&Nodes=5&clients=3",
		"scenario=GC+pause&Name=%ff%00%60&Clocks=%ff%2F1s+ahead%2F1+ppm+fast&at=1ns") {
		f.Add(link, byte(i%len(controls)), float64(i)-1.5)
	}
	f.Fuzz(func(t *testing.T, link string, control byte, value float64) {
		shown, err := Show(link, controls[int(control)%len(controls)], value)
		if err != nil {
			return
		}
		again, err := Show(shown.Link(), "", 0)
		require.NoError(t, err, shown.Link())
		assert.Equal(t, shown.Scene, again.Scene, "a link brings back what it was taken from")
		screen := shown.Screen()
		assert.Equal(t, screen, again.Screen())
		cell, ok := strings.CutPrefix(screen.Code, "%%\n")
		require.True(t, ok)
		_, err = parser.ParseFile(token.NewFileSet(), "", "package p\nfunc cell() {\n"+cell+"}\n", 0)
		require.NoError(t, err, screen.Code)
		require.True(t, json.Valid(shown.Chart.Changes()))
		_, err = json.Marshal([]any{screen, shown.Chart.Stories()})
		require.NoError(t, err)
	})
}
