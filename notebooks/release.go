//go:build !windows

package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/release"
)

func releaseEdition(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	edition := flags.String("edition", "", "")
	place := flags.String("out", "", "")
	if err := parseNoNames(flags, args); err != nil {
		return err
	}
	if *edition == "" || *place == "" {
		return errors.New("say which edition and where to write it: `go run ./notebooks release --edition student --out DIR`, or --edition instructor")
	}
	c, err := course.Find()
	if err != nil {
		return err
	}
	return release.Make(ctx, c, *edition, *place, os.Stdout)
}
