package fencing_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestARealRunSaysWhatItRanOn(t *testing.T) {
	config := fencing.Config{Systems: "etcd and SQLite", Fencing: true}
	trace := fencing.Recorded(config, []string{"client 1"}, []fencing.Event{{Actor: "client 1", Kind: fencing.Finished}}, nil)
	assert.Equal(t, "On etcd and SQLite, fencing on: nothing was written", trace.Verdict().Headline)
	assert.Contains(t, trace.Config.Parameters(), "on etcd and SQLite")
	var lines bytes.Buffer
	require.NoError(t, trace.WriteJSONL(&lines))
	read, err := fencing.ReadJSONL(&lines)
	require.NoError(t, err)
	assert.Equal(t, trace.Config, read.Config)

	redis := fencing.Recorded(fencing.Config{Systems: "Redis and SQLite"}, []string{"client 1"},
		[]fencing.Event{{Actor: "client 1", Kind: fencing.Called, Op: fencing.OpRelease, Key: "report"}}, nil)
	assert.NotContains(t, redis.String(), "by name", "a lock without tokens is released by its owner")

	w := fencing.NewWorld(config)
	w.Client("client 1", func(*fencing.Client) {})
	assert.EqualError(t, w.Run().Err(), `Config.Systems is "etcd and SQLite", and this run is simulated: leave it out; live.Run fills it in`)
}
