// Package stub is the cell of the exercise as it is handed out.
package stub

import "fencingtokens/exercises/ownrelease"

// Release frees the lock if it is still held with the grant mine.
func Release(store *ownrelease.Store, mine ownrelease.Grant) error {
	// store has Get, Delete, DeleteIf and Now, for example
	// held, ok := store.Get(mine.Lock)
	return ownrelease.ErrNotAttempted
}
