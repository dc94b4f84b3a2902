package etcd_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/etcd"
)

var (
	systems = live.Systems{Locks: etcd.Embedded(), Storage: live.SQLite()}
	times   = flag.Int("times", 1, "how often every preset is run")
)

// everyPreset are all runs of the tests.
func everyPreset(each func(fencing.Preset)) {
	for _, p := range fencing.Presets() {
		for _, on := range []bool{false, true} {
			p.Fencing = on
			each(live.Scaled(p, 5))
		}
	}
}

// The processes of a run are this program started again: they come to it here.
func TestMain(m *testing.M) {
	for live.IsPart() {
		everyPreset(func(p fencing.Preset) { live.RunPreset(systems, p) })
		for _, r := range runs {
			r.start()
		}
	}
	if os.Getenv(killed) != "" {
		standsStill.start()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The documented command for many runs on a busy machine is
//
//	go test -C fencing/live/systems ./etcd -run TestEveryPreset -times 20 -timeout 0 -v
func TestEveryPresetHasTheOutcomeOfTheSimulation(t *testing.T) {
	for n := range *times {
		everyPreset(func(p fencing.Preset) {
			name := p.Name + ", fencing off"
			if p.Fencing {
				name = p.Name + ", fencing on"
			}
			t.Run(name, func(t *testing.T) {
				real := live.RunPreset(systems, p)
				require.NoError(t, real.Err())
				c := live.Compare(p.Run(), real)
				assert.True(t, c.Same(), "run %d\n%s\n%s", n+1, c, real)
				t.Logf("on %s, %s of real time\n%s", systems, real.End(), c)
			})
		})
	}
}
