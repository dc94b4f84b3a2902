//go:build !windows

package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/grade"
)

func gradeClass(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("grade", flag.ContinueOnError)
	var o grade.Options
	flags.StringVar(&o.Out, "out", "", "")
	flags.Uint64Var(&o.Seed, "seed", 1, "")
	words, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(words) != 1 || o.Out == "" {
		return errors.New("say what to grade and where to write: `go run ./notebooks grade DIR --out grades.csv`, where DIR has one folder, notebook or zip file for each student")
	}
	c, err := course.Find()
	if err != nil {
		return err
	}
	return grade.Class(ctx, c, words[0], o, os.Stdout)
}
