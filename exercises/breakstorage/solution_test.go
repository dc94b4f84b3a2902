package breakstorage_test

import (
	"time"

	"fencingtokens/exercises/breakstorage"
)

// Break returns the two writes that the storage judges wrongly.
func Break(target breakstorage.Target) []breakstorage.Write {
	end := target.Start + target.Lease // client 2 is granted the lock
	switch target.Storage {
	case breakstorage.TakesEqual:
		// A healthy hand-over: the next holder has another token.
		return []breakstorage.Write{{Client: "client 1", At: target.Start}, {Client: "client 2", At: end}}
	case breakstorage.TakesHigher:
		// One holder, two writes.
		return []breakstorage.Write{{Client: "client 1", At: target.Start}, {Client: "client 1", At: target.Start + time.Second}}
	case breakstorage.InTwoSteps:
		// The old holder's write comes between the two steps of the newer one's.
		return []breakstorage.Write{{Client: "client 2", At: end}, {Client: "client 1", At: end + target.Gap/2}}
	}
	return nil
}
