//go:build !windows

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/learner"
)

func listExercises(ctx context.Context, args []string) error {
	if err := parseNoNames(flag.NewFlagSet("exercises", flag.ContinueOnError), args); err != nil {
		return err
	}
	c, err := course.Find()
	if err != nil {
		return err
	}
	return learner.List(ctx, c, os.Stdout)
}

func hint(ctx context.Context, args []string) error {
	words, err := parse(flag.NewFlagSet("hint", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	number := 1
	switch len(words) {
	case 2:
		if number, err = strconv.Atoi(words[1]); err != nil {
			return fmt.Errorf("%q is no number of a hint: say 1, 2 or 3", words[1])
		}
	case 1:
	default:
		return errors.New("say which exercise: `go run ./notebooks hint NAME`, or `hint NAME 2` for the second hint; `go run ./notebooks exercises` lists the names")
	}
	c, err := course.Find()
	if err != nil {
		return err
	}
	return learner.Hint(ctx, c, words[0], number, os.Stdout)
}

func solution(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("solution", flag.ContinueOnError)
	anyway := flags.Bool("anyway", false, "")
	name, c, err := oneExercise(flags, args)
	if err != nil {
		return err
	}
	return learner.Solution(ctx, c, name, *anyway, os.Stdout)
}

func reset(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("reset", flag.ContinueOnError)
	sure := flags.Bool("yes", false, "")
	name, c, err := oneExercise(flags, args)
	if err != nil {
		return err
	}
	return learner.Reset(c, name, *sure, os.Stdin, os.Stdout)
}

// oneExercise reads the name of an exercise.
func oneExercise(flags *flag.FlagSet, args []string) (string, course.Course, error) {
	words, err := parse(flags, args)
	if err != nil {
		return "", course.Course{}, err
	}
	if len(words) != 1 {
		return "", course.Course{}, fmt.Errorf("say which exercise: `go run ./notebooks %s NAME`; `go run ./notebooks exercises` lists the names", flags.Name())
	}
	c, err := course.Find()
	return words[0], c, err
}
