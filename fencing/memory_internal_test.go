package fencing

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An event must not outgrow 200 bytes: a class of thirty runs a million events
// each on laptops. Its texts are shared, not copied: names, keys and values are
// those of the program, and notes are rare.
func TestAnEventTakesAtMost200Bytes(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Event{}), uintptr(200))
}

func TestATraceOfAMillionEventsHasNoRoomThatItDoesNotUse(t *testing.T) {
	w := NewWorld(Config{Steps: 10_000_000})
	w.Client("client 1", func(c *Client) {
		for range 500_000 {
			c.Work(time.Millisecond)
		}
		for range 125_000 {
			c.Read("report")
		}
	})
	trace := w.Run()
	require.NoError(t, trace.Err())
	require.Greater(t, len(trace.Events), 1_000_000)
	held := uintptr(cap(trace.Events)) * unsafe.Sizeof(Event{})
	assert.LessOrEqual(t, held/uintptr(len(trace.Events)), uintptr(200), "bytes an event")
}
