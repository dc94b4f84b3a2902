// Package exchange is what the process that judges answers and the process that
// runs one say to each other.
package exchange

import "time"

// Order is what the process that runs an answer is asked for.
type Order struct {
	Nonce string
	Seed  uint64
	Limit time.Duration // after which it ends, whoever has forgotten it
}

// Result is what it hands in.
type Result struct {
	Nonce   string
	State   string // as the exercise names it
	Check   string // the first that did not pass
	Mistake string // what it found
}

// The files that the process is started with.
const (
	OrderFile  = 3
	ResultFile = 4
)
