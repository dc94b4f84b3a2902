// Package stub is the cell of the exercise as it is handed out.
package stub

import (
	"fencingtokens/exercises/severalresources"
	"fencingtokens/fencing"
)

// Transfers moves money between two accounts, and says what a crash may leave.
func Transfers() severalresources.Answer {
	return severalresources.Answer{
		Transfer: func(c *fencing.Client, job severalresources.Job) error {
			// For example from, to = job.Move(c, from, to)
			return severalresources.ErrNotAttempted
		},
		// Your prediction, "yes" or "no": may a transfer be left half done?
		HalfDone: "",
	}
}
