// Package systems has nothing but folders: each lets a run of package live use one
// real lock service or database.
//
// It is a module of its own inside the course's repository. The clients of these
// systems, and the etcd server that a run starts, bring more than a hundred other
// modules, and only lesson 12 pays for them: its first cell adds this module to the
// workspace of its kernel.
package systems
