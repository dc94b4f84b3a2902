// Package course knows where the course lies and what its parts are called.
package course

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const module = "fencingtokens"

// Systems is the folder of the module that has the adapters to real systems. It is
// a module of its own, so that what they need costs the other lessons nothing.
const Systems = "fencing/live/systems"

// Course is one checkout of the course.
type Course struct {
	// Root is the absolute path of the module.
	Root string
}

// Find looks for the course from the working directory upwards.
func Find() (Course, error) {
	start, err := os.Getwd()
	if err != nil {
		return Course{}, err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if isRoot(dir) {
			return At(dir)
		}
		if dir == filepath.Dir(dir) {
			return Course{}, fmt.Errorf("%s is not inside the course: change to the folder that has its go.mod (module %s) and run again", start, module)
		}
	}
}

func isRoot(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	words := strings.Fields(string(data))
	return err == nil && len(words) > 1 && words[0] == "module" && words[1] == module
}

// At is the course in the folder dir. GoNB takes a list of folders separated
// by commas, and PATH one separated by colons, so that neither may be in dir.
func At(dir string) (Course, error) {
	if i := strings.IndexAny(dir, ",:"); i >= 0 {
		return Course{}, fmt.Errorf("the course cannot live in %s, as GoNB and PATH read the %q in it as the end of a name: move it to a folder without one", dir, dir[i])
	}
	return Course{Root: dir}, nil
}

// Lab is a path in the one hidden folder that holds all that set-up makes.
func (c Course) Lab(elem ...string) string {
	return filepath.Join(append([]string{c.Root, ".lab"}, elem...)...)
}

// Notebooks is a path in the folder of the lessons.
func (c Course) Notebooks(elem ...string) string {
	return filepath.Join(append([]string{c.Root, "notebooks"}, elem...)...)
}

// Python is the interpreter of the course's own virtual environment. Its
// programs are called by `python -m`, never by their scripts, since a script
// names the folder it was made in and fails in a moved one.
func (c Course) Python() string { return c.Lab("venv", "bin", "python") }

// Lessons finds the notebooks named, each once, or all lessons when none is named.
// A lesson's name is `02-gc-pause`, `02-gc-pause.ipynb`, or a beginning that no
// other lesson has; a path names any notebook.
func (c Course) Lessons(names []string) ([]string, error) {
	all, err := filepath.Glob(c.Notebooks("*.ipynb"))
	if err != nil || len(names) == 0 {
		return all, err
	}
	var files []string
	for _, name := range names {
		file, err := c.lesson(name, all)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files, nil
}

func (c Course) lesson(name string, all []string) (string, error) {
	file := strings.TrimSuffix(name, ".ipynb") + ".ipynb"
	for _, path := range []string{file, c.Notebooks(file)} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return filepath.Abs(path)
		}
	}
	begun := slices.DeleteFunc(slices.Clone(all), func(file string) bool { return !strings.HasPrefix(filepath.Base(file), name) })
	switch len(begun) {
	case 0:
		return "", fmt.Errorf("there is no notebook %q; there are: %s", name, strings.Join(titles(all), ", "))
	case 1:
		return begun[0], nil
	}
	return "", fmt.Errorf("%d notebooks begin with %q: say which of %s", len(begun), name, strings.Join(titles(begun), ", "))
}

func titles(files []string) []string {
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".ipynb"))
	}
	return names
}

// ours are the beginnings of variables that would lead Jupyter, Python or Go
// out of the course's folder: a user's own settings stay theirs.
var ours = []string{"JUPYTER", "IPYTHON", "PYTHON", "VIRTUAL_ENV=", "GOWORK=", "GOBIN=", "GO111MODULE=",
	"PIP_USER=", "PIP_TARGET=", "PIP_PREFIX=", "PIP_REQUIRE_VIRTUALENV="}

// Env is the environment of everything the course starts: the user's, with
// all of Jupyter's folders inside the course's own.
func (c Course) Env() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return slices.ContainsFunc(ours, func(start string) bool { return strings.HasPrefix(pair, start) })
	})
	return append(env,
		"PATH="+c.Lab("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"JUPYTER_NO_CONFIG=1", // else /etc and the home folder have a say
		"JUPYTER_DATA_DIR="+c.Lab("jupyter", "data"),
		"JUPYTER_RUNTIME_DIR="+c.Lab("jupyter", "runtime"),
		"JUPYTERLAB_SETTINGS_DIR="+c.Lab("jupyter", "user-settings"),
		"JUPYTERLAB_WORKSPACES_DIR="+c.Lab("jupyter", "workspaces"),
		"IPYTHONDIR="+c.Lab("jupyter", "ipython"),
		"PYTHONNOUSERSITE=1",
		"PYTHONUTF8=1",
		"PIP_DISABLE_PIP_VERSION_CHECK=1",
	)
}
