//go:build !windows

package main

import (
	"context"
	"flag"
	"os"

	"fencingtokens/notebooks/internal/author"
)

func checkCourse(ctx context.Context, args []string) error {
	if err := parseNoNames(flag.NewFlagSet("check", flag.ContinueOnError), args); err != nil {
		return err
	}
	c, err := ready(ctx)
	if err != nil {
		return err
	}
	return author.Check(ctx, c, os.Stdout)
}
