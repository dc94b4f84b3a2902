// Package stub is the cell of the exercise as it is handed out.
package stub

import (
	"fencingtokens/exercises/breakclient"
	"fencingtokens/fencing"
)

// Break returns the one fault that lets client 1 overwrite client 2's data.
func Break(target breakclient.Target) []fencing.Fault {
	switch target.Precaution {
	case breakclient.ChecksFirst:
		// for example: return []fencing.Fault{fencing.Pause("client 2", fencing.AfterWrite, target.Lease)}
	case breakclient.ChecksTwice:
	case breakclient.RenewsFirst:
	case breakclient.KeepsMargin:
	}
	return nil
}
