package recorded

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live/numbers"
)

var update = flag.Bool("update", false, "write the recording anew")

const file = "../../../../exercises/rightnumber/recorded.json"

// client is one client of a lock service.
type client[N any] interface {
	ask()     // for the lock; returns when it stands in the queue
	wait()    // until it holds the lock
	rewrite() // what its own key or node holds
	look() N  // at its own key or node
	hear() N  // an answer about something else; of its key it knows what it saw last
	stall()   // sends nothing more; returns when the service has ended its lease
}

// course is what may happen in a scenario beside the five writes.
type course struct {
	queued   bool   // client 2 asks for the lock while client 1 holds it
	rewrites bool   // client 1 rewrites its key before its second write
	hears    bool   // client 1 gets an answer before its late write
	between  func() // happens after client 1's lease and before client 2 asks
}

// busy stands for everybody else who uses the service.
func record[N any](name, what string, first, second client[N], busy func(), c course) numbers.Scenario[N] {
	s := numbers.Scenario[N]{Name: name, What: what, Queued: c.queued}
	first.ask()
	first.wait()
	if c.queued {
		busy()
		second.ask()
	}
	s.Writes[0] = first.look()
	busy()
	if c.rewrites {
		first.rewrite()
		busy()
	}
	s.Writes[1] = first.look()
	s.Writes[3] = s.Writes[1]
	first.stall()
	if c.between != nil {
		c.between()
	}
	if !c.queued {
		second.ask()
	}
	second.wait()
	s.Writes[2] = second.look()
	busy()
	if c.hears {
		s.Writes[3] = first.hear()
	}
	s.Writes[4] = second.look()
	return s
}

// soon is the context of everything that the tests ask a service. Nothing takes so
// long unless it hangs.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// read returns the recording of the exercise.
func read(t *testing.T) (r numbers.Recording) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) && *update {
		return r
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// keep compares a fresh recording with the exercise's, or puts it into its place.
func keep[N any](t *testing.T, fresh numbers.Recorded[N], of func(*numbers.Recording) *numbers.Recorded[N]) {
	r := read(t)
	if *update {
		*of(&r) = fresh
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetIndent("", "\t")
		require.NoError(t, encoder.Encode(r))
		require.NoError(t, os.WriteFile(file, text.Bytes(), 0o644))
		return
	}
	kept := map[string]numbers.Scenario[N]{}
	for _, s := range of(&r).Scenarios {
		kept[s.Name] = s
	}
	for _, s := range fresh.Scenarios {
		require.Contains(t, kept, s.Name)
		assert.Equal(t, kept[s.Name].What, s.What)
		assert.Equal(t, kept[s.Name].Queued, s.Queued)
		assert.Equal(t, relations(kept[s.Name]), relations(s), "%s: %s now answers otherwise than %s did", s.Name, fresh.Server, of(&r).Server)
	}
}

// relations says of every number how its values at any two writes compare: that is
// what makes it a token or not. The values differ from one recording to the next.
func relations[N any](s numbers.Scenario[N]) map[string][]int {
	signs := map[string][]int{}
	for i := range reflect.TypeFor[N]().NumField() {
		name := reflect.TypeFor[N]().Field(i).Name
		value := func(write int) int64 { return reflect.ValueOf(s.Writes[write]).Field(i).Int() }
		for a := range s.Writes {
			for b := range a {
				signs[name] = append(signs[name], cmp.Compare(value(b), value(a)))
			}
		}
	}
	return signs
}
