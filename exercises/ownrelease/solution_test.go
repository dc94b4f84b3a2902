package ownrelease_test

import (
	"fmt"

	"fencingtokens/exercises/ownrelease"
	"fencingtokens/fencing"
)

// Release frees the lock if it is still held with the grant mine.
func Release(store *ownrelease.Store, mine ownrelease.Grant) error {
	own := func(held ownrelease.Grant) bool { return held.Token == mine.Token }
	if !store.DeleteIf(mine.Lock, own) {
		return fmt.Errorf("release token %d: %w", mine.Token, fencing.ErrLeaseLost)
	}
	return nil
}
