// Package reported has the failures that people met with locks and leases in
// real systems, each as a short scenario to run.
//
// A [Scenario] runs three times: without fencing, with fencing, and, where
// fencing alone is not enough, with what cures it. Fencing orders writes at one
// storage; it does not help a lock that is released by name, a storage that
// forgets, or an effect outside. That is why some need a cure of their own:
//
//	s := reported.PlainDelete()
//	fmt.Println(s.With().Verdict())  // with fencing
//	fmt.Println(s.Cured().Verdict()) // and a release that compares the owner
//
// The sources name the issue or the document in which the failure was described.
// The scenarios are models of them: they show the order of events, not the
// system's code.
package reported
