//go:build !windows

// Command confine runs a program with limits, and where the system allows it
// without network and without files. It ends by becoming that program.
//
// # What is in force where
//
// The limits of CPU time, memory, file size, open files and core dumps hold
// everywhere, but macOS does not enforce the one of memory. On Linux, Landlock
// closes all files but the program itself, and TCP. With -root, confine expects
// to be the first process of new user, mount, process, network and IPC namespaces:
// it leaves nothing in its file system but the program, has no network, limits
// how many threads and processes there are, and all of them end with it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

func main() {
	cpu := flag.Uint64("cpu", 0, "CPU time in seconds")
	memory := flag.Uint64("memory", 0, "memory in bytes")
	file := flag.Uint64("file", 0, "largest file in bytes")
	threads := flag.Uint64("threads", 0, "threads and processes, in namespaces alone")
	alone := flag.Bool("alone", false, "close files and network")
	root := flag.String("root", "", "an empty folder that becomes the root, in new namespaces")
	probe := flag.Bool("probe", false, "say what is closed, and run nothing")
	flag.Parse()
	if err := run(*cpu, *memory, *file, *threads, *alone, *root, *probe, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "confine:", err)
		os.Exit(125)
	}
}

func run(cpu, memory, file, threads uint64, alone bool, root string, probe bool, args []string) error {
	runtime.LockOSThread() // what is closed is closed for this thread, which becomes the program
	program, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	env := os.Environ()
	if alone {
		env = []string{"GOTRACEBACK=none", "GOMAXPROCS=2", fmt.Sprintf("GOMEMLIMIT=%d", memory*3/4)}
		if program, err = isolate(program, root); err != nil {
			return err
		}
	}
	if probe {
		_, err := os.ReadDir("/")
		fmt.Println("files closed:", err != nil)
		return nil
	}
	limits := []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CPU, cpu}, {unix.RLIMIT_DATA, memory}, {unix.RLIMIT_FSIZE, file},
		{unix.RLIMIT_NOFILE, 256}, {unix.RLIMIT_CORE, 0},
	}
	for _, l := range limits {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("limit %d of resource %d: %w", l.value, l.resource, err)
		}
	}
	if root != "" {
		if err := limitThreads(threads); err != nil {
			return err
		}
	}
	return unix.Exec(program, args, env)
}
