package systems_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/etcd"
	"fencingtokens/fencing/live/systems/internal/suite"
	"fencingtokens/fencing/live/systems/postgres"
	"fencingtokens/fencing/live/systems/redis"
	"fencingtokens/fencing/live/systems/zookeeper"
)

// withTokens are the systems on which a preset has the outcome of the simulation.
// The tests of package etcd run every preset on etcd and SQLite.
var withTokens = []live.Systems{
	{Locks: zookeeper.Server(), Storage: live.SQLite()},
	{Locks: redis.WithCounter(), Storage: live.SQLite()},
	{Locks: etcd.Embedded(), Storage: postgres.Server()},
}

// without has no tokens, and fencing has nothing to go by.
var without = live.Systems{Locks: redis.Server(), Storage: live.SQLite()}

func presets() (all []fencing.Preset) {
	for _, p := range []fencing.Preset{fencing.GCPause(), fencing.DelayedWrite()} {
		for _, on := range []bool{false, true} {
			p.Fencing = on
			all = append(all, live.Scaled(p, 5))
		}
	}
	return all
}

// The processes of a run are this program started again: they come to it here.
func TestMain(m *testing.M) {
	for live.IsPart() {
		for _, p := range presets() {
			for _, systems := range append(withTokens, without) {
				live.RunPreset(systems, p)
			}
		}
	}
	os.Exit(m.Run())
}

// need skips the test, and says why, where the systems cannot be had.
func need(t *testing.T, systems live.Systems) {
	server, err := systems.Locks.Start(t.Context())
	suite.Require(t, err)
	require.NoError(t, server.Close())
	db, err := systems.Storage.Open(t.Context())
	suite.Require(t, err)
	require.NoError(t, db.Close())
}

func TestAPresetHasTheOutcomeOfTheSimulationWhereThereAreTokens(t *testing.T) {
	for _, systems := range withTokens {
		t.Run(systems.String(), func(t *testing.T) {
			need(t, systems)
			for _, p := range presets() {
				real := live.RunPreset(systems, p)
				require.NoError(t, real.Err())
				c := live.Compare(p.Run(), real)
				assert.True(t, c.Same(), "%s\n%s", c, real)
				t.Logf("%s\n%s", real.Verdict().Headline, c)
			}
		})
	}
}

func TestWithoutATokenAStorageThatChecksLetsTheLateWriteThrough(t *testing.T) {
	need(t, without)
	p := fencing.GCPause()
	p.Fencing = true
	p = live.Scaled(p, 5)
	real := live.RunPreset(without, p)
	require.NoError(t, real.Err())
	assert.Equal(t, []string{"client 2: accepted", "client 1: accepted though late"}, live.OutcomeOf(real).Writes, "%s", real)
	assert.False(t, live.Compare(p.Run(), real).Same(), "a token would have stopped it")
}
