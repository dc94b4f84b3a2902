package draw

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestMarksDoNotHideOneAnother(t *testing.T) {
	readThenWrite := fencing.HealthyHandOver()
	readThenWrite.Policy = fencing.Policy{ReadModifyWrite: true}
	traces := scenarios()
	traces["a read and a write at one instant"] = readThenWrite.Run()
	for name, trace := range traces {
		p := panes([]*fencing.Trace{trace})[0]
		var marks []shape
		for _, s := range p.shapes {
			if s.Form == mark && s.Symbol != no && (s.Lane == "storage" || s.Lane == "client 1") {
				marks = append(marks, s)
			}
		}
		for i, a := range marks {
			for _, b := range marks[:i] {
				apart := math.Hypot(p.axis.px(a.X)+a.DX-p.axis.px(b.X)-b.DX, a.Y-b.Y)
				assert.GreaterOrEqual(t, apart, 9.0, "%s: %s at %g s on %s at %g s", name, a.Kind, a.X, b.Kind, b.X)
			}
		}
	}
}

// contended is a run in which three clients want a lock of several nodes.
func contended() *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Nodes: 3, Latency: s / 10, Timeout: 3 * s,
		Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 14*s), fencing.Delay("client 2", fencing.WriteRequest, 6*s)}})
	for i := range 3 {
		w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i+1) * s}))
	}
	return w.Run()
}

func TestALeaseOfALockNodeSaysWhoseItIs(t *testing.T) {
	drawn := kinds(panes([]*fencing.Trace{contended()})[0])
	require.NotZero(t, drawn["refused"])
	assert.Equal(t, drawn["lease"], drawn["token"], "the label of a lease")
}

func TestAWriteOfUnknownOutcomeHasItsMarkWithLockNodesToo(t *testing.T) {
	assert.Equal(t, 1, kinds(panes([]*fencing.Trace{contended()})[0])["unknown"])
}

// What is seen, and not explained by a name of its own.
func TestTheLegendExplainsEverySign(t *testing.T) {
	for kind, says := range map[string]string{"crash": "crashes or fails", "check": "looks at its clock", "clock jump": "its clock changes",
		"clock stop": "its clock changes", "unknown": "outcome unknown",
		"fail-over line": "fails over", "wait": "waits", "message delayed": "delayed", "request lost": "lost", "reply lost": "lost", "message again": "arrives again"} {
		assert.Contains(t, texts(legend("seconds", 100, 800, 0, map[string]int{kind: 0})), says, kind)
		assert.NotContains(t, texts(legend("seconds", 100, 800, 0, nil)), says, "only where it is seen")
	}
}

func TestNoTwoEntriesOfTheLegendLookAlike(t *testing.T) {
	all := map[string]int{}
	for _, sample := range samples {
		for _, kind := range sample.of {
			all[kind] = 0
		}
	}
	delete(all, "check") // a look at a clock
	seen := map[string]bool{}
	for _, s := range legend("seconds", 100, 2000, 0, all).shapes {
		if s.Form != text {
			look := fmt.Sprint(s.Form, s.Symbol, s.Fill, s.Stroke, s.Hatch, s.Dash, s.Width, s.Head, s.Lost, s.X2-s.X, s.Y2-s.Y, s.DX2-s.DX)
			assert.False(t, seen[look], "%+v", s)
			seen[look] = true
		}
	}
}

// Client 1 never learns of its first write, and its second one overwrites that and
// client 2's.
func TestTheStorageSaysWhoseDataIsLostTheOthersBeforeTheWritersOwn(t *testing.T) {
	for others, says := range map[int]string{0: "another change is lost", 1: "client 2’s data is lost"} {
		w := fencing.NewWorld(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}})
		w.Client("client 1", func(c *fencing.Client) {
			c.Read("report")
			c.Write("report", "a", 33)
			c.Sleep(s)
			c.Write("report", "b", 33)
		})
		w.Client("client 2", func(c *fencing.Client) {
			c.Sleep(s)
			for range others {
				c.Write("report", "x", 34)
			}
		})
		p := panes([]*fencing.Trace{w.Run()})[0]
		last := p.contents[len(p.contents)-1]
		a := p.attempts[len(p.attempts)-1]
		assert.Contains(t, p.contentTexts(last, p.victim(a)), says)
	}
}
