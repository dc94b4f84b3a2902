//go:build js && wasm

// Command playground is the simulator for the reader's browser: it is compiled
// to WebAssembly and answers the page that charts.Playground makes.
package main

import (
	"encoding/json"
	"syscall/js"

	"fencingtokens/charts/internal/play"
)

// main gives the page its two functions and stays.
//
//	fencingPlayground.scenarios()               // JSON
//	fencingPlayground.show(link, control, value) // [the screen, the chart's option] or [an error], as JSON
func main() {
	js.Global().Set("fencingPlayground", map[string]any{
		"scenarios": js.FuncOf(func(js.Value, []js.Value) any {
			text, _ := json.Marshal(play.Scenarios())
			return string(text)
		}),
		"show": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return show(args[0].String(), args[1].String(), args[2].Float())
		}),
	})
	select {}
}

func show(link, control string, value float64) []any {
	screen, err := play.Show(link, control, value)
	if err != nil {
		return []any{err.Error()}
	}
	option, err := screen.Chart.Option()
	if err != nil {
		return []any{err.Error()}
	}
	text, err := json.Marshal(screen)
	if err != nil {
		return []any{err.Error()}
	}
	return []any{string(text), string(option)}
}
