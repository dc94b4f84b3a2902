package fencing_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/fencing"
)

// What a storage never answered must not stand in the story as accepted.
func TestAWriteThatTheStorageNeverAnsweredIsNotAccepted(t *testing.T) {
	for name, fails := range map[string]func() error{
		"panics": func() error { panic("no disk") },
		"exits":  func() error { runtime.Goexit(); return nil },
	} {
		trace := run(fencing.Config{Storage: storage(fails)}, func(c *fencing.Client) { c.Write("report", "x", 33) })
		assert.Error(t, trace.Err(), name)
		assert.Empty(t, trace.Attempts(), name)
	}
}
