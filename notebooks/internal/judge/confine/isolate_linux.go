package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// isolate leaves this process without files and network, as far as the system
// allows, and returns the path of the program from then on. In namespaces there
// is nothing left for Landlock to close.
func isolate(program, root string) (string, error) {
	if root != "" {
		return leaveNothingBut(program, root)
	}
	if err := landlock.V11.BestEffort().Restrict(landlock.ROFiles(program)); err != nil {
		return "", fmt.Errorf("landlock: %w", err)
	}
	return program, nil
}

// leaveNothingBut makes a new file system on root, which has only the program,
// and moves there.
func leaveNothingBut(program, root string) (string, error) {
	const name = "answer"
	at := filepath.Join(root, name)
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"keep mounts to this process", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"make a file system", func() error {
			return unix.Mount("none", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64k,mode=0755")
		}},
		{"make a place for the program", func() error { return os.WriteFile(at, nil, 0o500) }},
		{"put the program there", func() error { return unix.Mount(program, at, "", unix.MS_BIND, "") }},
		{"close it for writing", func() error {
			return unix.Mount("none", root, "", unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "")
		}},
		{"move there", func() error { return unix.Chdir(root) }},
		{"make it the root", func() error { return unix.PivotRoot(".", ".") }},
		{"let the old root go", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"give up the right to do all this", func() error {
			return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
		}},
	} {
		if err := step.do(); err != nil {
			return "", fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return "/" + name, nil
}

func limitThreads(threads uint64) error {
	return unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: threads, Max: threads})
}
