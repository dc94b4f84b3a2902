package fencing

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every field of an Event has a value of its own here, so that one which a
// shortEvent forgot, or took for another, is missed.
func TestALongRunKeepsEveryFieldOfItsEvents(t *testing.T) {
	var e Event
	fields := reflect.ValueOf(&e).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i); field.Kind() {
		case reflect.String:
			field.SetString(fmt.Sprintf("text %d", i))
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Uint8, reflect.Uint64:
			field.SetUint(uint64(i + 1))
		default:
			field.SetInt(int64(i + 1))
		}
	}
	e.Seq = 3 // its place
	var l longRun
	l.add(&e)
	before := []Event{{Seq: 1}, {Seq: 2}}
	assert.Equal(t, append(before, e), l.after(before))
}

// Texts that take each other's place in the list of recent ones are still told
// apart.
func TestALongRunConfusesNoTexts(t *testing.T) {
	var l longRun
	var want []Event
	for i := range 1000 {
		e := Event{Seq: i + 1, Key: fmt.Sprint(i % 7), Value: fmt.Sprint(i), Note: strings.Repeat("é", i%3)}
		l.add(&e)
		want = append(want, e)
	}
	assert.Equal(t, want, l.after(nil))
}

func TestARunOfManyEventsIsInOrderAndWhole(t *testing.T) {
	const works = 40_000
	w := NewWorld(Config{})
	w.Client("client 1", func(c *Client) {
		for range works {
			c.Work(time.Second)
		}
	})
	trace := w.Run()
	require.NoError(t, trace.Err())
	require.Len(t, trace.Events, works+1)
	for i, e := range trace.Events[:works] {
		at := time.Duration(i) * time.Second
		require.Equal(t, Event{Seq: i + 1, At: at, Clock: at, Actor: "client 1", Kind: Working, Until: at + time.Second, Cause: e.Cause}, e)
		require.Less(t, e.Cause, e.Seq)
	}
	assert.Equal(t, Finished, trace.Events[works].Kind)
}
