package export

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/proc"
)

//go:embed assets.js
var assetsScript string

// place is where the template wants what the head needs.
const place = "<!--fencing-assets-->"

// withAssets puts into a page what is alive in it, once each: ECharts for its
// charts, and the simulator for a playground.
func withAssets(c course.Course, page string) (string, error) {
	var names []string
	playground := strings.Contains(page, `class="fencing-playground"`)
	if playground || strings.Contains(page, `class="fencing-chart"`) {
		names = append(names, "echarts.min.js")
	}
	if playground {
		names = append(names, "wasm_exec.js", "playground.wasm")
	}
	var head strings.Builder
	for _, name := range names {
		packed, err := pack(c.Lab("static", name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&head, "<script type=\"application/gzip\" data-fencing-asset=\"%s\">%s</script>\n", name, packed)
	}
	if len(names) > 0 {
		fmt.Fprintf(&head, "<script>\n%s</script>\n", assetsScript)
	}
	return strings.Replace(page, place, head.String(), 1), nil
}

// pack returns a file as text that may stand in a page.
func pack(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w; `go run ./notebooks setup` puts it there", err)
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := zip.Write(data); err != nil {
		return "", err
	}
	if err := zip.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// still has the course's own program replace what is alive by pictures; it needs
// more than the standard library, and this command needs no more.
func still(ctx context.Context, c course.Course, page string) (string, error) {
	cmd := proc.Apart(exec.CommandContext(ctx, "go", "run", "./charts/svg/still", c.Lab("static", "echarts.min.js")))
	cmd.Dir, cmd.Env = c.Root, append(c.Env(), "GOWORK=off")
	cmd.Stdin = strings.NewReader(strings.Replace(page, place, "", 1))
	var pictured, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &pictured, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("the static pictures could not be drawn (%w):\n%s", err, said.String())
	}
	return pictured.String(), nil
}
