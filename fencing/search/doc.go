// Package search runs a program under every schedule within a bound, and returns
// the first one that breaks a property, or says in how many none did.
//
// [Explore] is for finding a counterexample: it runs the program with 0, 1, 2,
// ... faults, in true time, and the run that it finds is an ordinary one, with a
// story, a verdict and a chart.
package search
