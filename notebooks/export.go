//go:build !windows

package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"fencingtokens/notebooks/internal/export"
)

func exportLessons(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	var o export.Options
	flags.StringVar(&o.Out, "out", "", "")
	flags.BoolVar(&o.Print, "print", false, "")
	flags.BoolVar(&o.Solutions, "solutions", false, "")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if o.Out == "" {
		return errors.New("say where to write: `go run ./notebooks export --out DIR`")
	}
	c, files, err := lessons(names)
	if err != nil {
		return err
	}
	e, err := export.New(c, files, o)
	if err != nil {
		return err
	}
	if err := readyFor(ctx, c, files); err != nil {
		return err
	}
	return e.Write(ctx, os.Stdout)
}
