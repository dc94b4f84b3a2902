package setup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/proc"
)

// tool runs a program in dir; all it says goes to a log, and its latest line
// to the viewer.
func (t *task) tool(ctx context.Context, c course.Course, dir string, args ...string) error {
	cmd := proc.Apart(exec.CommandContext(ctx, args[0], args[1:]...))
	cmd.Dir = dir
	// GoNB's module must be built from the course's go.mod, whatever
	// workspace the course's folder may lie in.
	cmd.Env = append(c.Env(), "GOWORK=off")
	output, err := t.follow(cmd)
	if err != nil && ctx.Err() == nil {
		return explain(args[0], err, output)
	}
	return err
}

func (t *task) follow(cmd *exec.Cmd) (string, error) {
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	var output strings.Builder
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		lines := bufio.NewScanner(read)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			t.line(strings.TrimSpace(lines.Text()))
			output.WriteString(lines.Text() + "\n")
		}
		io.Copy(io.Discard, read)
	}()
	err := cmd.Run()
	write.Close()
	<-ended
	return output.String(), err
}

var (
	noNetwork = regexp.MustCompile(`(?i)name resolution|name or service not known|nodename nor servname|no such host|network is unreachable|failed to establish a new connection|proxyerror|dial tcp|enotfound|eai_again|econnrefused|etimedout|enetunreach|i/o timeout|read timed out|connection refused`)
	diskFull  = regexp.MustCompile(`(?i)no space left on device|enospc|disk quota exceeded`)
)

// explain turns a tool's failure into what the user can do about it.
func explain(name string, err error, output string) error {
	switch {
	case diskFull.MatchString(output):
		return fmt.Errorf("the disk is full; free about 2 GB and run the same command again: what is finished is kept")
	case noNetwork.MatchString(output):
		return fmt.Errorf("no network: the first start downloads about 200 MB; connect and run the same command again: what is finished is kept")
	}
	return fmt.Errorf("%s failed (%w); its last lines:\n%s", name, err, tail(output, 15))
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
