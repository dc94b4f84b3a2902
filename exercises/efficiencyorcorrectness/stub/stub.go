// Package stub is the cell of the exercise as it is handed out.
package stub

import "fencingtokens/exercises/efficiencyorcorrectness"

// Choose says what keeping two workers apart is for, and what guards the job enough.
func Choose(job efficiencyorcorrectness.Job) efficiencyorcorrectness.Choice {
	// job.AddsTo, job.Effect, job.RunsPerYear and job.TwiceCents describe the job.
	return efficiencyorcorrectness.Choice{
		// For: efficiencyorcorrectness.Efficiency, Lock: true, Fence: true, Key: true
	}
}
