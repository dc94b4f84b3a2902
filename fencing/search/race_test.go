//go:build race

package search_test

// The race detector makes a search about twenty times as long: the largest searches, which
// do nothing that the others do not, are left out.
const underRace = true
