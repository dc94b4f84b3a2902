package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

// playgroundRooms are the folders that the playground is made of; a test says
// so when it imports one more.
var playgroundRooms = []string{"fencing", "fencing/reported", "charts/draw", "charts/internal/play", "charts/playground"}

// playgroundFiles is all that the playground is built from, in short.
func playgroundFiles(c course.Course) string {
	hash := sha256.New()
	for _, room := range playgroundRooms {
		files, _ := filepath.Glob(filepath.Join(c.Root, room, "*"))
		for _, file := range files {
			if kind := filepath.Ext(file); kind == ".go" && !strings.HasSuffix(file, "_test.go") || kind == ".js" {
				data, _ := os.ReadFile(file) // one that cannot be read fails the build
				fmt.Fprintf(hash, "%s %d\n%s", filepath.Base(file), len(data), data)
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// buildPlayground compiles the simulator for the reader's browser, and puts
// beside it the script of the same Go that starts it.
func buildPlayground(ctx context.Context, c course.Course, t *task) error {
	script, err := os.ReadFile(filepath.Join(goRoot(), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("this Go has no lib/wasm/wasm_exec.js, which starts Go programs in a browser: install Go from its own site (%w)", err)
	}
	if err := os.MkdirAll(c.Lab("build"), 0o755); err != nil {
		return err
	}
	fresh := c.Lab("build", "playground.wasm")
	err = t.tool(ctx, c, c.Root, "env", "GOOS=js", "GOARCH=wasm", "go", "build", "-ldflags=-s -w", "-o", fresh, "./charts/playground")
	if err != nil {
		return err
	}
	if err := writeFile(c.Lab("static", "wasm_exec.js"), script); err != nil {
		return err
	}
	return os.Rename(fresh, c.Lab("static", "playground.wasm"))
}
