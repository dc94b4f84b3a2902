// Package setup puts what the course needs into its one hidden folder, step
// by step, and tells which steps are done. A finished step leaves a stamp, so
// that a set-up that was stopped goes on where it was.
package setup

import (
	"context"
	"fmt"
	"io"
	"os"

	"fencingtokens/notebooks/internal/course"
)

// Complete is what there is to say when all is there.
const Complete = "Nothing is missing: `go run ./notebooks` opens the first lesson."

// Run does what is missing for any lesson and shows it on out.
func Run(ctx context.Context, c course.Course, out io.Writer) error {
	if err := First(ctx, c, out); err != nil {
		return err
	}
	return Later(ctx, c, out)
}

// First does what is missing for the lessons that use no real systems.
func First(ctx context.Context, c course.Course, out io.Writer) error {
	return runMissing(ctx, c, firstSteps(c), c.Lab("lock"), out)
}

// Later does what is missing for real systems alone, once First is done. It has a
// lock of its own, so that another First need not wait for it.
func Later(ctx context.Context, c course.Course, out io.Writer) error {
	return runMissing(ctx, c, laterSteps(c), c.Lab("lock-later"), out)
}

// IsComplete tells whether nothing is missing for any lesson.
func IsComplete(c course.Course) bool { return allDone(c, steps(c)) }

func runMissing(ctx context.Context, c course.Course, all []*step, lockFile string, out io.Writer) error {
	if err := os.MkdirAll(c.Lab("stamps"), 0o755); err != nil {
		return fmt.Errorf("the course needs to write into its own folder, and cannot: %w", err)
	}
	unlock, err := lock(ctx, lockFile, out)
	if err != nil {
		return err
	}
	defer unlock()
	if allDone(c, all) {
		return nil
	}
	if err := check(c); err != nil {
		return err
	}
	return runSteps(ctx, c, all, out)
}

// steps are in the order doctor lists them.
func steps(c course.Course) []*step { return append(firstSteps(c), laterSteps(c)...) }

// firstSteps start each as soon as those they name in after are done, so that
// downloads and compilers run side by side.
func firstSteps(c course.Course) []*step {
	python := &step{
		id: "python", name: "JupyterLab and its Python packages",
		key: key(requirements), made: []string{c.Python()},
		valid: func() bool { return hasJupyterLab(c) },
		do:    installPackages,
	}
	gonb := &step{
		id: "gonb", name: "GoNB, the Go kernel",
		key: key(goFiles(c, ".")), made: []string{c.Lab("bin", "gonb")},
		do: buildKernel,
	}
	tools := &step{
		id: "tools", name: "goimports and gopls",
		key: key(goFiles(c, toolsModule)), made: []string{c.Lab("bin", "goimports"), c.Lab("bin", "gopls")},
		after: []*step{gonb}, // each uses all cores
		do:    buildTools,
	}
	echarts := &step{
		id: "echarts", name: "ECharts, which draws the pictures",
		key: key(echartsVersion), made: []string{c.Lab("static", "echarts.min.js")},
		after: []*step{python}, // whose pip brings npm where there is none
		do:    fetchECharts,
	}
	kernel := &step{
		id: "kernelspec", name: "The kernel's place in JupyterLab",
		key: key(c.Root, fmt.Sprint(kernelEnv(c)), gonb.key), made: []string{kernelJSON(c)},
		after: []*step{gonb, tools},
		do:    installKernel,
	}
	playground := &step{
		id: "playground", name: "The playground, for the browser",
		key: key(goFiles(c, "."), playgroundFiles(c)), made: []string{c.Lab("static", "playground.wasm"), c.Lab("static", "wasm_exec.js")},
		after: []*step{tools}, // each uses all cores
		do:    buildPlayground,
	}
	live := &step{
		id: "live", name: "The databases that some lessons use",
		key:   key(goFiles(c, ".")),
		after: []*step{playground}, // each uses all cores
		do:    compileLive,
	}
	trial := &step{
		id: "trial", name: "A first Go cell, to try it all",
		key:   key(c.Root, goFiles(c, "."), kernel.key),
		after: []*step{python, kernel, echarts},
		do:    tryCell,
	}
	return []*step{python, gonb, tools, echarts, kernel, playground, live, trial}
}

// laterSteps are what would hold up the first lesson: etcd with all it needs takes
// longer to compile than everything else.
func laterSteps(c course.Course) []*step {
	return []*step{{
		id: "systems", name: "etcd and the other real systems of lesson 12",
		key: key(goFiles(c, "."), goFiles(c, course.Systems)),
		do:  compileSystems,
	}}
}
