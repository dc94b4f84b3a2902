//go:build !windows

// Command notebooks sets up what the course needs and opens it in JupyterLab.
//
// It needs the standard library alone, so that it can speak before anything
// has been downloaded. `go run ./notebooks help` lists what it does.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/lab"
	"fencingtokens/notebooks/internal/run"
	"fencingtokens/notebooks/internal/setup"
)

const help = `Distributed locks, leases and fencing tokens: a course in notebooks.

  go run ./notebooks                  set up what is missing, open JupyterLab
      --no-browser                    only print the address
      --port N                        first port to try (8888); starts another
                                      JupyterLab where one is open already
  go run ./notebooks setup            set up what is missing, open nothing
  go run ./notebooks run [NAME ...]   run copies of the lessons, all or those named:
                                      as 02-gc-pause, as 02, or by a path
      --time                          run each six times, print medians by cell
  go run ./notebooks export [NAME ...] --out DIR
                                      write the lessons as HTML files that work
                                      without network and kernel
      --print                         with static pictures, for paper and PDF
      --solutions                     with the solution below each exercise
  go run ./notebooks exercises        list the exercises, with what you have solved
  go run ./notebooks hint NAME [N]    give a hint to an exercise, the first or Nth
  go run ./notebooks solution NAME    print the solution, once you have passed
      --anyway                        or before
  go run ./notebooks reset NAME       put an exercise back as it was handed out
      --yes                           without asking
  go run ./notebooks grade DIR --out FILE.csv
                                      grade what a class has handed in: one folder,
                                      notebook or zip file for each student
      --seed N                        what is drawn at random (1)
  go run ./notebooks release --edition student|instructor --out DIR
                                      write an edition to hand on; the student's
                                      has no solutions and no instructor notes
  go run ./notebooks check            check the course itself, as its authors do
  go run ./notebooks doctor           say what is there, what is missing, what to do
  go run ./notebooks help             print this
`

const firstLesson = "00-start-here.ipynb"

func main() {
	ctx, stop := untilStopped()
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// untilStopped ends with a signal, and with the parent: `go run` ignores
// Ctrl-C and waits for this program, but dies of a SIGTERM without passing it
// on, and a server nobody knows of would be left.
func untilStopped() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		stop()
	}()
	return ctx, stop
}

func command(ctx context.Context, args []string) error {
	name := "open"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	switch name {
	case "open":
		return open(ctx, args)
	case "setup":
		return setUpOnly(ctx, args)
	case "run":
		return runLessons(ctx, args)
	case "export":
		return exportLessons(ctx, args)
	case "exercises":
		return listExercises(ctx, args)
	case "hint":
		return hint(ctx, args)
	case "solution":
		return solution(ctx, args)
	case "reset":
		return reset(ctx, args)
	case "grade":
		return gradeClass(ctx, args)
	case "release":
		return releaseEdition(ctx, args)
	case "check":
		return checkCourse(ctx, args)
	case "doctor":
		return doctor(args)
	case "help":
		fmt.Print(help)
		return nil
	}
	return fmt.Errorf("there is no command %q; `go run ./notebooks help` lists them", name)
}

// parse reads flags before, between and after names, as people type them.
func parse(flags *flag.FlagSet, args []string) (names []string, err error) {
	flags.SetOutput(io.Discard)
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Print(help)
			os.Exit(0)
		}
		if err != nil {
			return nil, fmt.Errorf("%v; `go run ./notebooks help` lists the flags", err)
		}
		if flags.NArg() == 0 {
			return names, nil
		}
		names, args = append(names, flags.Arg(0)), flags.Args()[1:]
	}
}

func parseNoNames(flags *flag.FlagSet, args []string) error {
	names, err := parse(flags, args)
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("%q is one word too many; `go run ./notebooks help` shows what can be said", names[0])
	}
	return err
}

func ready(ctx context.Context) (course.Course, error) {
	c, err := course.Find()
	if err != nil {
		return c, err
	}
	return c, setup.Run(ctx, c, os.Stdout)
}

func setUpOnly(ctx context.Context, args []string) error {
	if err := parseNoNames(flag.NewFlagSet("setup", flag.ContinueOnError), args); err != nil {
		return err
	}
	if _, err := ready(ctx); err != nil {
		return err
	}
	fmt.Println(setup.Complete)
	return nil
}

func open(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("notebooks", flag.ContinueOnError)
	noBrowser := flags.Bool("no-browser", false, "")
	port := flags.Int("port", 8888, "")
	if err := parseNoNames(flags, args); err != nil {
		return err
	}
	if *port < 1 || *port > 65535 {
		return fmt.Errorf("port %d does not exist; choose one from 1024 to 65535, or leave --port out", *port)
	}
	c, err := course.Find()
	if err == nil {
		err = setup.First(ctx, c, os.Stdout)
	}
	if err != nil {
		return err
	}
	if address, ok := lab.Running(c, firstLesson); ok && !given(flags, "port") {
		fmt.Printf("The course is open already, from this folder:\n\n    %s\n\n", address)
		fmt.Println("It ends with Ctrl-C in the terminal that started it; --port 8889 starts another beside it.")
		if !*noBrowser {
			lab.Browse(address)
		}
		return nil
	}
	server, err := lab.Start(ctx, c, lab.Options{Port: *port})
	if err != nil {
		return err
	}
	defer server.Stop()
	if server.Port != *port {
		fmt.Printf("Port %d is in use or not allowed; took %d.\n", *port, server.Port)
	}
	address := server.Lesson(firstLesson)
	fmt.Printf("\nJupyterLab is ready:\n\n    %s\n\nCtrl-C ends it and its kernels.\n", address)
	if !*noBrowser {
		lab.Browse(address)
	}
	ctx, end := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { setUpTheRest(ctx, c) })
	defer background.Wait()
	defer end()
	return server.Wait(ctx)
}

// setUpTheRest does while the learner is in the first lessons what only lesson 12
// needs. Whoever comes to that lesson before it is done waits there.
func setUpTheRest(ctx context.Context, c course.Course) {
	if setup.IsComplete(c) {
		return
	}
	fmt.Println("\nMeanwhile the real systems of lesson 12 are compiled, which takes some minutes.")
	if err := setup.Later(ctx, c, io.Discard); err == nil {
		fmt.Println("Lesson 12 has what it needs.")
	} else if ctx.Err() == nil {
		fmt.Printf("Lesson 12 lacks what it needs: %v\n", err)
	}
}

// given tells whether the flag was typed.
func given(flags *flag.FlagSet, name string) (typed bool) {
	flags.Visit(func(f *flag.Flag) { typed = typed || f.Name == name })
	return typed
}

func runLessons(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	timed := flags.Bool("time", false, "")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	c, files, err := lessons(names)
	if err != nil {
		return err
	}
	if err := readyFor(ctx, c, files); err != nil {
		return err
	}
	return run.Print(ctx, c, files, *timed, os.Stdout)
}

// lessons finds the notebooks that were named, or all.
func lessons(names []string) (course.Course, []string, error) {
	c, err := course.Find()
	if err != nil {
		return c, nil, err
	}
	files, err := c.Lessons(names)
	return c, files, err
}

// readyFor sets up what running the notebooks needs.
func readyFor(ctx context.Context, c course.Course, files []string) error {
	if slices.ContainsFunc(files, usesRealSystems) {
		return setup.Run(ctx, c, os.Stdout)
	}
	return setup.First(ctx, c, os.Stdout)
}

// usesRealSystems tells whether a notebook adds their module to its kernel.
func usesRealSystems(file string) bool {
	data, _ := os.ReadFile(file) // running it says what is wrong with it
	return bytes.Contains(data, []byte(course.Systems))
}

func doctor(args []string) error {
	if err := parseNoNames(flag.NewFlagSet("doctor", flag.ContinueOnError), args); err != nil {
		return err
	}
	c, err := course.Find()
	if err != nil {
		return err
	}
	return setup.Doctor(c, os.Stdout)
}
