package efficiencyorcorrectness_test

import "fencingtokens/exercises/efficiencyorcorrectness"

// Choose says what keeping two workers apart is for, and what guards the job enough.
func Choose(job efficiencyorcorrectness.Job) efficiencyorcorrectness.Choice {
	c := efficiencyorcorrectness.Choice{
		For:   efficiencyorcorrectness.Efficiency,
		Fence: job.AddsTo,
		Key:   job.Effect == efficiencyorcorrectness.Payment,
	}
	if c.Fence || c.Key {
		c.For = efficiencyorcorrectness.Correctness
	}
	saves := job.RunsPerYear*job.TwiceCents > efficiencyorcorrectness.LockCentsPerYear
	c.Lock = c.Fence || saves
	return c
}
