package breakclient_test

import (
	"time"

	"fencingtokens/exercises/breakclient"
	"fencingtokens/fencing"
)

// Break returns the one fault that lets client 1 overwrite client 2's data.
func Break(target breakclient.Target) []fencing.Fault {
	// The lease, and the 1 s that client 2 works before it writes, and a little.
	long := target.Lease + 2*time.Second
	switch target.Precaution {
	case breakclient.ChecksFirst:
		return []fencing.Fault{fencing.Pause("client 1", fencing.AfterCheck, long)}
	case breakclient.ChecksTwice:
		return []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, long)}
	case breakclient.RenewsFirst:
		return []fencing.Fault{fencing.Delay("client 1", fencing.RenewReply, long)}
	case breakclient.KeepsMargin:
		return []fencing.Fault{fencing.JumpClock(fencing.ActorLockService, target.Start+time.Second, long)}
	}
	return nil
}
