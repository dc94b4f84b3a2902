package numbers

// Recording is what a real etcd and a real ZooKeeper answered to clients that took
// turns with a lock. The tests of package recorded make one.
type Recording struct {
	Etcd      Recorded[Etcd]
	ZooKeeper Recorded[ZooKeeper]
}

// Recorded is what one of the services answered.
type Recorded[N any] struct {
	Server    string // what it was, with its version
	Scenarios []Scenario[N]
}

// Scenario is one lock that passes from client 1, which stalls, to client 2.
type Scenario[N any] struct {
	Name   string
	What   string // what happened, in a sentence
	Queued bool   // client 2 asked for the lock while client 1 held it
	// Writes has the numbers that a client knew when it wrote, in the order in which
	// the five writes arrive at the storage (see [Writers]).
	Writes [5]N
}

// Writers are the clients of a scenario's writes. Client 1 holds the lock and
// writes twice, and stalls; its lease ends, and client 2 gets the lock and writes;
// client 1 goes on where it was, and writes too late; client 2, who still holds the
// lock, writes again.
var Writers = [5]int{1, 1, 2, 1, 2}
