// Package stub is the cell of the exercise as it is handed out.
package stub

import (
	"fencingtokens/exercises/fencedwrite"
	"fencingtokens/fencing"
)

// Storage takes a write or rejects it by its token.
type Storage struct {
	values map[string]string
}

// NewStorage returns an empty storage.
func NewStorage() fencing.Checker {
	return &Storage{values: map[string]string{}}
}

// Write stores value under key, or rejects it with fencing.ErrFenced.
func (s *Storage) Write(key, value string, token uint64) error {
	return fencedwrite.ErrNotAttempted // your check goes here
}

// Read returns what is stored under key.
func (s *Storage) Read(key string) string {
	return s.values[key]
}
