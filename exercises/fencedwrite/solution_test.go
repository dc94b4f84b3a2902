package fencedwrite_test

import (
	"fmt"

	"fencingtokens/fencing"
)

// Storage takes a write or rejects it by its token.
type Storage struct {
	values map[string]string
	fences map[string]uint64 // the highest token accepted for each key
}

// NewStorage returns an empty storage.
func NewStorage() fencing.Checker {
	return &Storage{values: map[string]string{}, fences: map[string]uint64{}}
}

// Write stores value under key, or rejects it with fencing.ErrFenced.
func (s *Storage) Write(key, value string, token uint64) error {
	if token < s.fences[key] {
		return fmt.Errorf("%w: %q has accepted token %d, and %d is lower", fencing.ErrFenced, key, s.fences[key], token)
	}
	s.fences[key] = token
	s.values[key] = value
	return nil
}

// Read returns what is stored under key.
func (s *Storage) Read(key string) string {
	return s.values[key]
}
