//go:build !windows

package grade

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fencingtokens/notebooks/internal/ipynb"
)

// What one student may hand in.
const (
	maxFile  = 20 << 20 // bytes of one notebook, and of one zip file
	maxBooks = 100
	maxFiles = 5000
)

// submission is what one student handed in.
type submission struct {
	student    string
	books      []book
	notes      []string
	unreadable bool // a notebook is there, and cannot be read
	files      int
}

// book is one notebook of a student.
type book struct {
	name   string
	lesson string // "" if it is none that the course knows
	ipynb.Notebook
}

func (s *submission) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
}

// submissions lists what a class has handed in, by name, and what is none.
func submissions(dir string) (all []*submission, ignored []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be read: name the folder that has one folder, notebook or zip file for each student (%w)", dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		student := name
		extension := strings.ToLower(filepath.Ext(name))
		switch {
		case strings.HasPrefix(name, "."):
			continue
		case e.IsDir():
		case extension == ".ipynb", extension == ".zip":
			student = strings.TrimSuffix(name, filepath.Ext(name))
		case e.Type()&fs.ModeSymlink != 0:
		default:
			ignored = append(ignored, name)
			continue
		}
		if slices.ContainsFunc(all, func(s *submission) bool { return s.student == student }) {
			student = name // two entries of one name are two rows
		}
		s := &submission{student: student}
		s.read(filepath.Join(dir, name))
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, ignored, fmt.Errorf("nothing is handed in in %s: it has no folder, notebook or zip file", dir)
	}
	slices.SortFunc(all, func(a, b *submission) int { return strings.Compare(a.student, b.student) })
	return all, ignored, nil
}

// read takes what lies at the path, without following links.
func (s *submission) read(path string) {
	err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(filepath.Dir(path), file)
		if err != nil {
			s.fail(name, err)
			return nil
		}
		if s.files++; s.files > maxFiles {
			s.note("more than %d files: the rest was not looked at", maxFiles)
			return fs.SkipAll
		}
		switch {
		case entry.IsDir() && file != path && hidden(entry.Name()):
			return fs.SkipDir
		case entry.Type()&fs.ModeSymlink != 0:
			s.fail(name, errors.New("it is a symbolic link, which is not followed"))
		case entry.Type().IsRegular() && wanted(name):
			s.file(name, file)
		}
		return nil
	})
	if err != nil {
		s.fail(filepath.Base(path), err)
	}
	slices.SortStableFunc(s.books, func(a, b book) int { return strings.Compare(a.name, b.name) })
}

// hidden are Jupyter's own copies, and what macOS puts beside files.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "__MACOSX" }

func wanted(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".ipynb", ".zip":
		return !slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/")[1:], hidden) && !hidden(filepath.Base(name))
	}
	return false
}

func (s *submission) fail(name string, err error) {
	s.unreadable = true
	s.note("%s: %v", name, err)
}

func (s *submission) file(name, path string) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		s.fail(name, err)
		return
	}
	defer file.Close()
	data, err := limited(file)
	switch {
	case err != nil:
		s.fail(name, err)
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		s.zip(name, data)
	default:
		s.book(name, data)
	}
}

func limited(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d MB", maxFile>>20)
	}
	return data, err
}

// zip reads the notebooks in a zip file, and writes nothing anywhere.
func (s *submission) zip(name string, data []byte) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // no path in it is ever used
		s.fail(name, fmt.Errorf("it is no zip file that can be read: %w", err))
		return
	}
	for _, f := range archive.File {
		inner := name + "/" + f.Name
		if s.files++; s.files > maxFiles {
			s.note("more than %d files: the rest was not looked at", maxFiles)
			return
		}
		if !f.Mode().IsRegular() || !wanted("x/"+f.Name) || strings.EqualFold(filepath.Ext(f.Name), ".zip") {
			continue
		}
		opened, err := f.Open()
		if err != nil {
			s.fail(inner, err)
			continue
		}
		data, err := limited(opened)
		opened.Close()
		if err != nil {
			s.fail(inner, err)
			continue
		}
		s.book(inner, data)
	}
}

func (s *submission) book(name string, data []byte) {
	if len(s.books) == maxBooks {
		s.note("more than %d notebooks: the rest was not looked at", maxBooks)
		return
	}
	n, err := ipynb.Parse(data)
	if err != nil {
		s.fail(name, err)
		return
	}
	s.books = append(s.books, book{name: name, Notebook: n})
}

// lessons knows each lesson by the ids of its cells.
type lessons map[string]map[string]bool

func knownLessons(files []string) (lessons, error) {
	known := lessons{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		n, err := ipynb.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		ids := map[string]bool{}
		for _, c := range n.Cells {
			ids[c.ID] = true
		}
		known[strings.TrimSuffix(filepath.Base(file), ".ipynb")] = ids
	}
	return known, nil
}

// enough cells of a lesson make a notebook that lesson: all have some ids, such
// as "title", in common.
const enough = 0.5

// of says which lesson a notebook is.
func (l lessons) of(b book) (lesson string) {
	best := 0.0
	for name, ids := range l {
		here := 0
		for _, c := range b.Cells {
			if ids[c.ID] {
				here++
			}
		}
		if share := float64(here) / float64(len(ids)); share >= enough && share > best || share == best && share > 0 && name < lesson {
			lesson, best = name, share
		}
	}
	if lesson != "" {
		return lesson
	}
	for name := range l {
		if strings.Contains(filepath.Base(b.name), name) {
			return name
		}
	}
	return ""
}

// of are the notebooks that may hold an answer of the lesson, the likeliest first.
func (s *submission) of(lesson string) []book {
	rank := func(b book) int {
		switch {
		case b.lesson == lesson && filepath.Base(b.name) == lesson+".ipynb":
			return 0
		case b.lesson == lesson:
			return 1
		}
		return 2
	}
	may := slices.DeleteFunc(slices.Clone(s.books), func(b book) bool { return b.lesson != lesson && b.lesson != "" })
	slices.SortStableFunc(may, func(a, b book) int { return rank(a) - rank(b) })
	return may
}
