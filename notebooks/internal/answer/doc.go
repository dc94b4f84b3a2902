// Package answer finds the answer to an exercise in a notebook, and makes a Go
// package of it that compiles without GoNB.
//
// # What is taken
//
// An answer is found by what it declares, wherever in the notebook it stands:
// the function or variable that the exercise's stub declares, and from there
// every declaration of the notebook that it uses, directly or through others,
// with all methods of the types among them. So a helper in a cell of its own
// counts, and what belongs to another exercise does not disturb.
//
// As in the kernel after Run All, a declaration takes the place of an earlier one
// with its name: of an answer that is there twice, in a copied cell, the last
// counts. A copy of the untouched stub is no answer while there is another.
//
// # What is not taken
//
// Whatever the answer does not use: programs below %%, tests, func main, func
// init, TestMain, and variables named _. They cannot change how the answer is
// judged. The packages of the exercises are always the course's own, also where
// a cell declares something with the name of one.
//
// # What is refused
//
// An answer that uses cgo, unsafe, a compiler directive (//go:embed,
// //go:linkname and the like), or a package that no exercise asks for: processes,
// system calls, network, plug-ins, the runtime's insides, and modules other than
// the course.
package answer
