//go:build !windows

// Package release writes the editions of the course that are handed on.
//
// The instructor's edition is everything that git holds, without its history. The
// student's leaves out what gives answers away: the tests of exercises, which hold
// solutions, wrong answers and golden feedback; the tests of the notebooks, which
// use them; and cells with the tag instructor. In README.md it leaves out what
// stands between <!-- instructors --> and <!-- /instructors -->, and shows what a
// comment <!-- students ... --> hides.
//
// Before the student's edition is there, every line of its files is compared with
// what was left out (see leaks), and it is compiled. What git does not hold yet is
// not in it; where there is no git, as in an edition, the files count as they are,
// notebooks without their outputs.
package release

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

// The editions.
const (
	Student    = "student"
	Instructor = "instructor"
)

// file is one file of an edition.
type file struct {
	data []byte
	mode fs.FileMode
}

// edition is all files by their names, which have slashes.
type edition map[string]file

// Make writes an edition into the folder place, which is there as a whole
// afterwards, or as it was before.
func Make(ctx context.Context, c course.Course, name, place string, out io.Writer) error {
	if name != Student && name != Instructor {
		return fmt.Errorf("there is no edition %q: say --edition %s or --edition %s", name, Student, Instructor)
	}
	place, err := filepath.Abs(place)
	if err != nil {
		return err
	}
	if err := mayWrite(c, place); err != nil {
		return err
	}
	all, err := files(ctx, c, out)
	if err != nil {
		return err
	}
	made := all
	if name == Student {
		if made, err = student(all); err != nil {
			return err
		}
		if found := leaks(secrets(all), made); len(found) > 0 {
			return fmt.Errorf("the student edition would give answers away, so it was not written:\n%s", strings.Join(found, "\n"))
		}
	}
	fresh, err := os.MkdirTemp(filepath.Dir(place), ".release-")
	if err != nil {
		return fmt.Errorf("cannot write beside %s: %w", place, err)
	}
	defer os.RemoveAll(fresh)
	if err := made.write(fresh); err != nil {
		return err
	}
	fmt.Fprintln(out, "Compiling it ...")
	if err := compiles(ctx, fresh); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if err := os.Remove(place); err != nil && !errors.Is(err, fs.ErrNotExist) { // it is empty, or it stays
		return err
	}
	if err := os.Rename(fresh, place); err != nil {
		return err
	}
	fmt.Fprintf(out, "Written: the %s edition, %d files, in %s\n", name, len(made), place)
	return nil
}

func mayWrite(c course.Course, place string) error {
	if rel, err := filepath.Rel(c.Root, place); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		return fmt.Errorf("%s lies in the course itself: choose a folder outside with --out", place)
	}
	entries, err := os.ReadDir(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := os.Stat(filepath.Dir(place)); err != nil || !info.IsDir() {
			return fmt.Errorf("there is no folder %s to write %s into: make it first, or choose another with --out", filepath.Dir(place), filepath.Base(place))
		}
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be written to: it is no folder that can be read (%w); choose another with --out", place, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: choose another folder with --out, or empty this one", place)
	}
	return nil
}

// files are those that git holds, or without git those that are there.
func files(ctx context.Context, c course.Course, out io.Writer) (edition, error) {
	if exec.CommandContext(ctx, "git", "-C", c.Root, "ls-files", "--error-unmatch", "go.mod").Run() != nil {
		return onDisk(c)
	}
	if changed, err := exec.CommandContext(ctx, "git", "-C", c.Root, "status", "--porcelain", ".").Output(); err == nil && len(changed) > 0 {
		fmt.Fprintf(out, "What is not committed is not in it:\n%s", changed)
	}
	cmd := exec.CommandContext(ctx, "git", "archive", "--format=tar", "HEAD")
	cmd.Dir = c.Root
	data, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git does not hand out what it holds: %w", err)
	}
	all := edition{}
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		head, err := archive.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		all[head.Name] = file{text, mode(fs.FileMode(head.Mode))}
	}
}

// mode is what git knows of it: whether it is a program.
func mode(m fs.FileMode) fs.FileMode {
	if m&0o100 != 0 {
		return 0o755
	}
	return 0o644
}

func onDisk(c course.Course) (edition, error) {
	all := edition{}
	root := os.DirFS(c.Root)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".lab", ".ipynb_checkpoints"}, entry.Name()):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".ipynb" {
			if data, err = ipynb.ClearOutputs(data); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		all[name] = file{data, mode(info.Mode())}
		return nil
	})
	return all, err
}

// tested tells whether a file is for the tests of exercises and notebooks alone.
func tested(name string) bool {
	if !strings.HasPrefix(name, "exercises/") && !strings.HasPrefix(name, "notebooks/") {
		return false
	}
	return strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "exercises/internal/prove/")
}

// student is what students get of all files.
func student(all edition) (edition, error) {
	made := edition{}
	for name, f := range all {
		switch {
		case tested(name), strings.HasPrefix(name, ".ci/"):
			continue
		case path.Ext(name) == ".ipynb":
			data, err := ipynb.Keep(f.data, func(_ int, c *ipynb.Cell) bool { return !c.Tagged(Instructor) })
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			f.data = data
		case name == "README.md":
			f.data = forStudents(f.data)
		}
		made[name] = f
	}
	return made, nil
}

var (
	instructors = regexp.MustCompile(`(?s)<!-- instructors -->\n?.*?<!-- /instructors -->\n?`)
	students    = regexp.MustCompile(`(?s)<!-- students\s+(.*?)\s*-->`)
)

func forStudents(readme []byte) []byte {
	return students.ReplaceAll(instructors.ReplaceAll(readme, nil), []byte("$1"))
}

func (e edition) write(folder string) error {
	for name, f := range e {
		place := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, f.data, f.mode)); err != nil {
			return err
		}
	}
	return nil
}

func compiles(ctx context.Context, folder string) error {
	for _, module := range []string{".", course.Systems} {
		cmd := exec.CommandContext(ctx, "go", "vet", "./...")
		cmd.Dir, cmd.Env = filepath.Join(folder, module), append(os.Environ(), "GOWORK=off")
		said, err := cmd.CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return errors.New("stopped: nothing was written")
		case err != nil:
			return fmt.Errorf("the edition does not compile, so it was not written (%w):\n%s", err, said)
		}
	}
	return nil
}
