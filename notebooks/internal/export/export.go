// Package export writes lessons as HTML files that need nothing: no network, no
// kernel, no server.
package export

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
	"fencingtokens/notebooks/internal/proc"
	"fencingtokens/notebooks/internal/run"
)

// Options say where and how.
type Options struct {
	Out       string // the folder to write
	Print     bool   // static pictures in place of what is alive
	Solutions bool   // shown below the exercises
}

// mark is a file in every folder that an export wrote, so that it may be
// replaced by the next one. It holds the names of the pages, a line each.
const mark = ".course-export"

// Export is notebooks that may be written as pages.
type Export struct {
	course    course.Course
	files     []string
	place     string            // absolute
	solutions map[string]string // by exercise, where they are wanted
	Options
}

// New refuses what could not be written in the end, before anything has run.
func New(c course.Course, files []string, o Options) (Export, error) {
	if err := keepApart(files); err != nil {
		return Export{}, err
	}
	place, err := resolved(o.Out)
	if err != nil {
		return Export{}, err
	}
	if err := mayWrite(place); err != nil {
		return Export{}, err
	}
	if err := readable(files); err != nil {
		return Export{}, err
	}
	e := Export{course: c, files: files, place: place, Options: o}
	if o.Solutions {
		if e.solutions, err = solutions(c); err != nil {
			return e, err
		}
	}
	return e, nil
}

func readable(files []string) error {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			_, err = ipynb.Parse(data)
		}
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", file, err)
		}
	}
	return nil
}

// resolved is the absolute path of the folder, or of the one that a symbolic
// link leads to: the link is somebody's and stays.
func resolved(out string) (string, error) {
	place, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(place)
	if err == nil {
		return target, nil
	}
	if _, err := os.Lstat(place); err == nil {
		return "", fmt.Errorf("%s is a symbolic link that leads nowhere: make the folder that it names, or choose another with --out", place)
	}
	return place, nil
}

// keepApart sees to it that every notebook becomes a file of its own, also on a
// disk that takes A.html for a.html.
func keepApart(files []string) error {
	taken := map[string]string{}
	for _, file := range files {
		page := strings.ToLower(name(file))
		if page == "index" {
			return fmt.Errorf("%s would become index.html, which is the list of the lessons: give the notebook another name", file)
		}
		if other, ok := taken[page]; ok {
			return fmt.Errorf("%s and %s would both become %s.html: give one of them another name, or export them into two folders", other, file, name(file))
		}
		taken[page] = file
	}
	return nil
}

// Write runs the notebooks and writes a page of each, and an index. The folder
// is there with all its pages, or as it was before.
func (e Export) Write(ctx context.Context, out io.Writer) error {
	fresh, err := os.MkdirTemp(filepath.Dir(e.place), ".export-")
	if err != nil {
		return fmt.Errorf("cannot write beside %s: %w; choose another folder with --out", e.place, err)
	}
	defer os.RemoveAll(fresh)
	solved, err := e.pages(ctx, fresh, out)
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped; nothing was written")
	case err != nil:
		return err
	}
	if err := replace(fresh, e.place); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nWritten: %s\n", filepath.Join(e.place, "index.html"))
	if e.Solutions {
		fmt.Fprintf(out, "Solutions in it: %d\n", solved)
	}
	return nil
}

// mayWrite protects what somebody else put there.
func mayWrite(place string) error {
	entries, err := os.ReadDir(place)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return parentIsThere(place)
	case err != nil:
		return fmt.Errorf("%s cannot be used for an export: it is no folder that can be read (%w); choose another with --out", place, err)
	case len(entries) == 0:
		return nil
	}
	written, err := os.ReadFile(filepath.Join(place, mark))
	if err != nil {
		return fmt.Errorf("%s is there, and no export wrote it: choose another folder with --out, or empty this one", place)
	}
	ours := append(strings.Split(string(written), "\n"), mark)
	for _, e := range entries {
		if !slices.Contains(ours, e.Name()) {
			return fmt.Errorf("%s is in %s, and no export wrote it: move it away, or choose another folder with --out", e.Name(), place)
		}
	}
	return nil
}

func parentIsThere(place string) error {
	if info, err := os.Stat(filepath.Dir(place)); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s to write %s into: make it first, or choose another with --out", filepath.Dir(place), filepath.Base(place))
	}
	return nil
}

// sign puts the mark into a finished folder.
func sign(folder string) error {
	pages, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range pages {
		names = append(names, p.Name())
	}
	return os.WriteFile(filepath.Join(folder, mark), []byte(strings.Join(names, "\n")), 0o644)
}

// replace puts the finished folder in the place of an older one.
func replace(fresh, place string) error {
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	old := fresh + "-old"
	err := os.Rename(place, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, place); err != nil {
		return errors.Join(err, os.Rename(old, place))
	}
	return os.RemoveAll(old)
}

// pages writes everything into the folder fresh, and returns how many solutions
// are in it.
func (e Export) pages(ctx context.Context, fresh string, out io.Writer) (solved int, err error) {
	work, err := run.Folder(e.course)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	executed, solved, err := e.execute(ctx, work, out)
	if err != nil {
		return 0, err
	}
	if err := e.convert(ctx, executed, work, fresh); err != nil {
		return 0, err
	}
	var entries []entry
	for _, file := range e.files {
		title, err := e.finish(ctx, filepath.Join(fresh, name(file)+".html"))
		if err != nil {
			return 0, err
		}
		entries = append(entries, entry{name(file), title})
	}
	index, err := e.index(entries, solved)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(fresh, "index.html"), index, 0o644); err != nil {
		return 0, err
	}
	return solved, sign(fresh)
}

// execute runs copies of the notebooks in the folder work, and puts the solutions
// into them that are wanted.
func (e Export) execute(ctx context.Context, work string, out io.Writer) (executed []string, solved int, err error) {
	for _, file := range e.files {
		fmt.Fprintf(out, "%s ...\n", name(file))
		result, err := run.Notebook(ctx, e.course, file, work, 1)
		if err != nil {
			return nil, 0, err
		}
		if !result.OK() {
			return nil, 0, fmt.Errorf("%s does not run, so nothing was written:\n%s", name(file), result.Failure())
		}
		if e.Solutions {
			n, err := e.solve(result.Executed)
			if err != nil {
				return nil, 0, err
			}
			solved += n
		}
		executed = append(executed, result.Executed)
	}
	return executed, solved, nil
}

func name(file string) string { return strings.TrimSuffix(filepath.Base(file), ".ipynb") }

//go:embed index.html
var indexText string

var indexPage = template.Must(template.New("index.html").Parse(indexText))

// entry is a page in the list of the lessons.
type entry struct {
	Name  string
	Title template.HTML
}

// index is the list of the lessons, and says what is in them.
func (e Export) index(entries []entry, solved int) ([]byte, error) {
	var page bytes.Buffer
	err := indexPage.Execute(&page, struct {
		Print   bool
		Solved  int
		Lessons []entry
	}{e.Print, solved, entries})
	return page.Bytes(), err
}

// The template is nbconvert's own with a few blocks replaced.
var (
	//go:embed convert.py
	script string
	//go:embed template/index.html.j2
	pageTemplate string
	//go:embed template/conf.json
	templateConf string
)

// convert has nbconvert write the executed notebooks as pages.
func (e Export) convert(ctx context.Context, executed []string, work, fresh string) error {
	folder := filepath.Join(work, "templates", "course")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for file, text := range map[string]string{"index.html.j2": pageTemplate, "conf.json": templateConf} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	medium := map[bool]string{false: "screen", true: "paper"}[e.Print]
	args := append([]string{"-c", script, medium, filepath.Dir(folder), fresh}, executed...)
	cmd := proc.Apart(exec.CommandContext(ctx, e.course.Python(), args...))
	cmd.Env = e.course.Env()
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("nbconvert could not write the pages (%w):\n%s", err, said)
	}
	return nil
}

var titleForm = regexp.MustCompile(`<title>(.*?)</title>`)

// finish makes a page complete in itself and returns its title, as HTML.
func (e Export) finish(ctx context.Context, file string) (title template.HTML, err error) {
	page, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	finished, err := withAssets(e.course, string(page))
	if e.Print && err == nil {
		finished, err = still(ctx, e.course, string(page))
	}
	if err != nil {
		return "", err
	}
	if found := titleForm.FindStringSubmatch(finished); found != nil {
		title = template.HTML(found[1]) // as nbconvert escaped it
	}
	return title, os.WriteFile(file, []byte(finished), 0o644)
}
