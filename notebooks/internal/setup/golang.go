package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

// toolsModule pins gopls and goimports in a go.mod of its own: gopls builds
// only with the golang.org/x/tools of its own release.
const toolsModule = "notebooks/internal/setup/tools"

// goFiles is all that a module's programs are built from: an upgraded Go
// builds them again, as gopls must not be older than the Go it reads.
func goFiles(c course.Course, dir string) string {
	mod, _ := os.ReadFile(filepath.Join(c.Root, dir, "go.mod"))
	sum, _ := os.ReadFile(filepath.Join(c.Root, dir, "go.sum"))
	return runtime.Version() + string(mod) + string(sum)
}

func buildKernel(ctx context.Context, c course.Course, t *task) error {
	return build(ctx, c, t, c.Root, "github.com/janpfeifer/gonb")
}

func buildTools(ctx context.Context, c course.Course, t *task) error {
	return build(ctx, c, t, filepath.Join(c.Root, toolsModule), "golang.org/x/tools/cmd/goimports", "golang.org/x/tools/gopls")
}

// compileLive leaves the compiled packages in Go's build cache: SQLite alone takes
// most of a minute, which a learner's first cell would have to wait for.
func compileLive(ctx context.Context, c course.Course, t *task) error {
	return t.tool(ctx, c, c.Root, "go", "build", "-v", "./fencing/live/...")
}

// compileSystems leaves in Go's build cache what the cells of lesson 12 link. Like
// those it takes both modules together: their common versions are what is compiled.
// A learner's cells go first.
func compileSystems(ctx context.Context, c course.Course, t *task) error {
	work := c.Lab("build", "go.work")
	content := fmt.Sprintf("go 1.26.0\n\nuse (\n\t../..\n\t../../%s\n)\n", course.Systems)
	if err := writeFile(work, []byte(content)); err != nil {
		return err
	}
	// The kernel has none, and finds the checksums that Go has looked up in Go's cache.
	if err := os.RemoveAll(work + ".sum"); err != nil {
		return err
	}
	return t.tool(ctx, c, c.Root, "nice", "-n", "19", "env", "GOWORK="+work, "GOFLAGS="+buildFlags(),
		"go", "build", "-v", "./charts", "./exercises/...", "./"+course.Systems+"/...")
}

func build(ctx context.Context, c course.Course, t *task, dir string, programs ...string) error {
	fresh := c.Lab("build") + string(filepath.Separator)
	args := append([]string{"go", "build", "-v", "-ldflags=-s -w", "-o", fresh}, programs...)
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		return err
	}
	if err := t.tool(ctx, c, dir, args...); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Lab("bin"), 0o755); err != nil {
		return err
	}
	for _, program := range programs {
		name := filepath.Base(program)
		if err := os.Rename(filepath.Join(fresh, name), c.Lab("bin", name)); err != nil {
			return err
		}
	}
	return nil
}

func kernelJSON(c course.Course) string {
	return c.Lab("jupyter", "data", "kernels", "gonb", "kernel.json")
}

// installKernel has GoNB write its kernelspec and then adds the environment,
// which GoNB leaves empty: without PATH it finds no goimports.
func installKernel(ctx context.Context, c course.Course, t *task) error {
	gonb := c.Lab("bin", "gonb")
	if err := t.tool(ctx, c, c.Root, gonb, "--install", "-go_work="+c.Root); err != nil {
		return err
	}
	data, err := os.ReadFile(kernelJSON(c))
	if err != nil {
		return err
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		return err
	}
	argv, ok := spec["argv"].([]any)
	if !ok {
		return fmt.Errorf("GoNB wrote a kernelspec without argv: %s", data)
	}
	argv[0] = gonb // GoNB runs a copy of itself when it lies below /tmp
	spec["env"] = kernelEnv(c)
	data, err = json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(kernelJSON(c), data)
}

// kernelEnv is what the kernel adds to its environment. GoNB calls `go get` for
// every cell. What a cell needs is here since set-up, but `go get` would ask
// for newer versions each time: a quarter of a second a cell, and much more
// where the network is slow.
func kernelEnv(c course.Course) map[string]string {
	return map[string]string{
		"PATH":    c.Lab("bin") + ":" + filepath.Join(goRoot(), "bin") + ":${PATH}",
		"GOFLAGS": buildFlags(),
		"GOWORK":  "auto", // GoNB makes one a kernel, which "off" would hide
		"GOPROXY": "off",
	}
}

func goEnv(name string) string {
	out, _ := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(out))
}

func goRoot() string { return goEnv("GOROOT") }

// buildFlags are the user's own, and -w: without debug data a cell that draws
// links in three quarters of the time. A user's -mod stays away from cells,
// since Go refuses it in a workspace.
func buildFlags() string {
	var flags []string
	linker := "-ldflags=-w"
	for _, flag := range strings.Fields(goEnv("GOFLAGS")) {
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod=") {
			continue
		}
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "ldflags=") {
			linker = ""
		}
		flags = append(flags, flag)
	}
	return strings.TrimSpace(strings.Join(append(flags, linker), " "))
}
