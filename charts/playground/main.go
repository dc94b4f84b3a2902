//go:build js && wasm

// Command playground is the simulator for the reader's browser: it is compiled
// to WebAssembly and answers the page that charts.Playground makes.
package main

import (
	"encoding/json"
	"syscall/js"

	"fencingtokens/charts/draw"
	"fencingtokens/charts/internal/play"
)

// main gives the page its functions and stays.
//
//	fencingPlayground.scenarios()                // JSON
//	fencingPlayground.show(link, control, value, whether for a projector) // [the link, the picture's changes as JSON, its width, its height], or [an error]
//	fencingPlayground.tell()                     // [the screen, the stories] of what was shown last, as JSON, or [an error]
func main() {
	var shown play.Shown
	js.Global().Set("fencingPlayground", map[string]any{
		"scenarios": function(func([]js.Value) any { return text(play.Scenarios()) }),
		"show": function(func(args []js.Value) any {
			next, err := play.Show(args[0].String(), args[1].String(), args[2].Float(), sizes[len(args) > 3 && args[3].Bool()]...)
			if err != nil {
				return []any{err.Error()}
			}
			shown = next
			return []any{shown.Link(), string(shown.Chart.Changes()), shown.Chart.Width, shown.Chart.Height}
		}),
		"tell": function(func([]js.Value) any {
			return []any{text(shown.Screen()), text(shown.Chart.Stories())}
		}),
	})
	select {}
}

// function returns one that the page may call. Nothing that it does ends the
// program, which all playgrounds of the page share.
func function(answer func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		var given any
		if err := play.Try(func() { given = answer(args) }); err != nil {
			return []any{err.Error()}
		}
		return given
	})
}

// sizes are how pictures are drawn, by whether it is for a projector. A page of an
// older lesson does not say.
var sizes = map[bool][]draw.Option{true: {draw.Projector()}}

func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil { // nothing that is told has a value that JSON cannot carry
		panic(err)
	}
	return string(data)
}
