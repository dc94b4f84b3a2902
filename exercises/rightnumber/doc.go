// Package rightnumber is the exercise of lesson 12: the learner takes the right
// number from etcd and from ZooKeeper and hands it to the storage.
//
// # The task
//
// Two functions, one for each service. They get all the numbers that the service
// has shown to the client, and return the one that goes with the client's write to
// the storage, which refuses what is lower than the highest so far. They are called
// before every write, with what the client knows then.
//
// # What a right answer shows
//
// That a token is fixed when one's own key or node is made (etcd's create revision,
// ZooKeeper's czxid), and stays what it is: neither the name of a lease or a
// session, nor a count of one key's changes, nor the newest number of the whole
// service. And that it has 64 bits, all of which count.
//
// # How it is defended against a wrong understanding
//
// The numbers are real: package recorded of the module fencing/live/systems has
// recorded them from an embedded etcd and from a ZooKeeper server (recorded.json),
// in scenarios in which a lock passes from a client that stalls to the next one.
// The answer's numbers go with the five writes of the scenario in a simulated run:
// all of the holder's are to be accepted, the second one too, and the late one is
// to be rejected. Every wrong number fails in one of them: it lets the late write
// in, or it locks out the holder, and the finding shows that run.
//
// The recorded numbers are moved by amounts that are drawn, all revisions, zxids,
// leases or sessions of a scenario by the same, so that what is higher and what is
// equal stays so, and a number that was typed in is of no use. Whoever counts or
// remembers in the function is asked in the other order as well. What is left is
// every function that rises with the right number; among them is the pzxid of
// ZooKeeper, which equals the czxid for a node that can have no children. The wrong
// answers stand in wrong_test.go, each with the check that stops it.
package rightnumber
