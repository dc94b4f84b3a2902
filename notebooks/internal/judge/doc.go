//go:build !windows

// Package judge compiles answers without GoNB and runs each in a process of its
// own, against the course's own checks.
//
// # How
//
// A Workshop is a copy of the course without its tests, and so without solutions
// and wrong answers. An answer becomes a package in it, and a program that hands
// it to the exercise's Evaluate; package inside, in that program, gives the result
// back over a pipe of its own.
//
// # What the isolation promises
//
// Every answer has limits: CPU time, time, memory, output, threads, no file to
// write. With Isolated, on Linux, its process also has no network, sees no other
// process, and finds no file but its own program, so that it cannot read the
// solutions, and nothing of it is left when it ends. Two means do that, and
// Isolation says which of them work: namespaces, which need a system that lets
// users make them, and Landlock (Linux 5.13; TCP from 6.7). Without namespaces an
// answer can start itself again until its time is over. On macOS there is neither,
// and no limit of memory: answers run with the rights of whoever calls. What holds
// everywhere is that an answer cannot import what talks to networks, processes or
// the system (see package answer).
//
// It is a fence against accidents and easy tricks, not a prison: the compiler runs
// outside of it, with limits but with files, and an answer shares its process with
// the check that judges it. Read an answer that passes in a strange way.
package judge
