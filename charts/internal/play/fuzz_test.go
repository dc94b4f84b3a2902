package play

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
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
		check(t, link, controls[int(control)%len(controls)], value)
	})
}

// values are some that fit one field or another, and some that fit none.
var values = []string{"", "0", "1", "3", "-1", "9", "33", "99", "true", "false", "-3s", "1ns", "500us", "1s", "2500ms", "8s", "900h", "ledger", "a \"name\" `of` one’s own\n\xff",
	"on", "both", "yes", "client 1/1s ahead/20000 ppm fast", "client 2/-1s ahead/-500000 ppm fast\nnode A/2s ahead/0 ppm fast",
	"client 1/after acquire/1=pause 14s", "client 1/write request/1=delay 9s; client 2/at 3s=pause 9s", "client 1/before write/1=crash"}

// Every field of the simulator, with any value, in any scenario.
func FuzzAnyChangeIsRefusedOrShown(f *testing.F) {
	names := []string{linkClients, linkFencing, linkAt, linkHeld}
	for _, field := range fields {
		names = append(names, field.name)
	}
	values := slices.Clone(values)
	for i, b := range bases {
		values = append(values, fencing.ChoiceString(b.config.Faults))
		f.Add([]byte{byte(i), byte(i), byte(3 * i), byte(2*i + 1), byte(5 * i), 0, 3, 1, 20})
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		if len(picks) == 0 {
			return
		}
		link := url.Values{linkBase: {bases[int(picks[0])%len(bases)].name}}
		for pair := range slices.Chunk(picks[1:], 2) {
			if len(pair) == 2 {
				link.Set(names[int(pair[0])%len(names)], values[int(pair[1])%len(values)])
			}
		}
		check(t, link.Encode(), "", 0)
	})
}

// check shows a link, if it is not refused, and looks at all that a page gets. It
// keeps runs short: one that takes seconds would be thought to hang.
func check(t *testing.T, link, control string, value float64) {
	if !strings.Contains(link, "Steps=") {
		link += "&Steps=3000"
	}
	shown, err := Show(link, control, value)
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
}
