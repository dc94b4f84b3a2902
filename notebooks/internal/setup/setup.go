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

// Run does what is missing and shows it on out.
func Run(ctx context.Context, c course.Course, out io.Writer) error {
	if err := os.MkdirAll(c.Lab("stamps"), 0o755); err != nil {
		return fmt.Errorf("the course needs to write into its own folder, and cannot: %w", err)
	}
	unlock, err := lock(ctx, c.Lab("lock"), out)
	if err != nil {
		return err
	}
	defer unlock()
	all := steps(c)
	if allDone(c, all) {
		return nil
	}
	if err := check(c); err != nil {
		return err
	}
	return runSteps(ctx, c, all, out)
}

// steps are in the order doctor lists them; each starts as soon as those it
// names in after are done, so that downloads and compilers run side by side.
func steps(c course.Course) []*step {
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
		key: key(c.Root, buildFlags(), gonb.key), made: []string{kernelJSON(c)},
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
