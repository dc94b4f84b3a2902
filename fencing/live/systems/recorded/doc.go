// Package recorded records which numbers etcd and ZooKeeper show to the clients of
// a lock. The recording goes into the exercise rightnumber, which needs no server
// then. All of it is in the tests:
//
//	go test ./recorded          records anew, and compares with the file
//	go test ./recorded -update  writes the file; the exercise's golden feedback is
//	                            to be written anew then, too
//
// etcd is embedded. ZooKeeper is Debian's package, started in a folder of the
// test's own, or the server at the address FENCING_ZOOKEEPER.
package recorded
