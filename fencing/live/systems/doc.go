// Package systems has nothing but folders: each lets a run of package live use one
// real lock service or database.
//
// It is a module of its own inside the course's repository. The clients of these
// systems, and the etcd server that a run starts, bring more than a hundred other
// modules, and only lesson 12 pays for them: its first cell adds this module to the
// workspace of its kernel. What the other lessons would pay, were these packages in
// the course's own module, and what they pay now:
//
//	                                without     in the course's   in a module
//	                                systems     own module        of its own
//	modules in the graph            85          208               85
//	a cell that prints, CPU         1.02 s      1.28 s            1.00 s
//	a cell that draws, CPU          1.36 s      1.60 s            1.31 s
//	gopls to two completions, CPU   1.17 s      1.19 s            1.16 s
//	gopls' memory                   267 MB      292 MB            272 MB
//	time to first completion        14.6 s      14.9 s            14.6 s
//	kernel ready                    0.32 s      0.38 s            0.35 s
//
// Medians of 6 kernels each, 13 for the last three, in turn on 2 cores that were
// busy with other things, hence processor time where there is one. gopls' memory
// differs from start to start by more than between the columns: 168 to 380 MB.
package systems
