package setup

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

// requirements are made from requirements.in; its first lines say how.
//
//go:embed requirements.txt
var requirements string

const (
	oldestPython = 10 // 3.10
	newestPython = 14
)

// installPackages leaves the environment in place, as a Python environment
// names its own folder: it is whole when the step's stamp is there.
func installPackages(ctx context.Context, c course.Course, t *task) error {
	python, err := findPython()
	if err != nil {
		return err
	}
	if err := t.tool(ctx, c, c.Root, python, "-m", "venv", "--clear", c.Lab("venv")); err != nil {
		return err
	}
	return pip(ctx, c, t, "requirements.txt")
}

func pip(ctx context.Context, c course.Course, t *task, file string) error {
	return t.tool(ctx, c, c.Root, c.Python(), "-m", "pip", "install", "--progress-bar=off", "--retries=2",
		"--no-deps", "--require-hashes", "--only-binary=:all:", "--requirement", c.Notebooks("internal", "setup", file))
}

// hasJupyterLab asks the environment itself, since an upgrade of the system's
// Python can leave one that is there but empty.
func hasJupyterLab(c course.Course) bool {
	ask := exec.Command(c.Python(), "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('jupyterlab'))")
	ask.Env = c.Env()
	return ask.Run() == nil
}

// findPython takes the first Python on PATH that the packages are pinned for.
func findPython() (string, error) {
	names := []string{"python3"}
	for minor := newestPython; minor >= oldestPython; minor-- {
		names = append(names, fmt.Sprintf("python3.%d", minor))
	}
	var seen []string
	for _, name := range names {
		minor, ok := minorVersion(name)
		if ok && oldestPython <= minor && minor <= newestPython {
			return name, hasVenv(name, minor)
		}
		if ok {
			seen = append(seen, fmt.Sprintf("%s is Python 3.%d", name, minor))
		}
	}
	if len(seen) == 0 {
		return "", fmt.Errorf("there is no python3 on PATH: install Python 3.%d to 3.%d (Debian, Ubuntu: `apt install python3 python3-venv`; macOS: `brew install python`) and run the same command again", oldestPython, newestPython)
	}
	return "", fmt.Errorf("the course needs Python 3.%d to 3.%d, but %s: install one of those beside it, so that `python3.%d` is on PATH, and run the same command again", oldestPython, newestPython, strings.Join(seen, ", "), newestPython-1)
}

// minorVersion is 11 for a Python 3.11. A name that a version manager puts on
// PATH for a Python that is not there fails like one that is missing.
func minorVersion(name string) (minor int, ok bool) {
	out, err := exec.Command(name, "-c", "import sys; print(sys.version_info[1])").Output()
	if err != nil {
		return 0, false
	}
	_, err = fmt.Sscan(string(out), &minor)
	return minor, err == nil
}

// hasVenv looks for ensurepip too, which Debian packs apart.
func hasVenv(name string, minor int) error {
	if exec.Command(name, "-c", "import venv, ensurepip").Run() == nil {
		return nil
	}
	return fmt.Errorf("%s cannot make virtual environments: install its venv module (Debian, Ubuntu: `apt install python3-venv` or `python3.%d-venv`) and run the same command again", name, minor)
}
