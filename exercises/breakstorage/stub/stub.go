// Package stub is the cell of the exercise as it is handed out.
package stub

import "fencingtokens/exercises/breakstorage"

// Break returns the two writes that the storage judges wrongly.
func Break(target breakstorage.Target) []breakstorage.Write {
	switch target.Storage {
	case breakstorage.TakesEqual:
		// for example: return []breakstorage.Write{{Client: "client 1", At: target.Start}}
	case breakstorage.TakesHigher:
	case breakstorage.InTwoSteps:
	}
	return nil
}
