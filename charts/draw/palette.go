package draw

import "fmt"

// clientColours is how many clients have a colour of their own; the next begins
// again with the first. A colour only helps: words and shapes tell the same.
const clientColours = 6

// palettes hold the colours of a light and a dark page. Text has a contrast of
// at least 4.5 to what it stands on, everything else of 3.
var palettes = map[string]map[string]string{
	"light": {
		"ground": "#ffffff", "ink": "#111827", "muted": "#4b5563", "rule": "#d1d5db", "grid": "#e5e7eb",
		"pause": "#6b7280", "pause ground": "#e5e7eb",
		"warn": "#b34700", "warn text": "#a34000", "on fill": "#ffffff",
		"client 0": "#0072b2", "client 1": "#00795b", "client 2": "#8b3a86", "client 3": "#7a5c00", "client 4": "#a8325a", "client 5": "#4d5b9e",
		"client 0 text": "#00629a", "client 1 text": "#006b50", "client 2 text": "#8b3a86", "client 3 text": "#6b5000", "client 4 text": "#a02c54", "client 5 text": "#4d5b9e",
	},
	"dark": {
		"ground": "#111111", "ink": "#f3f4f6", "muted": "#b6bcc6", "rule": "#4b5563", "grid": "#2a2f38",
		"pause": "#9ca3af", "pause ground": "#374151",
		"warn": "#d9632a", "warn text": "#ffa06b", "on fill": "#ffffff",
		"client 0": "#0a76b8", "client 1": "#00805f", "client 2": "#a04b9b", "client 3": "#8a6a0a", "client 4": "#b8416a", "client 5": "#5f6db5",
		"client 0 text": "#66bff2", "client 1 text": "#4fd1a5", "client 2 text": "#dd9bd9", "client 3 text": "#e0bd55", "client 4 text": "#f49ab8", "client 5 text": "#aab4f0",
	},
}

func clientColour(i int) string { return fmt.Sprintf("$client %d", i%clientColours) }
