// Package lab starts and ends JupyterLab as the course sets it up.
package lab

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/proc"
)

// overrides are JupyterLab's settings where they differ from its own: no news
// and no update check, light or dark as the system is, completion while
// typing, cells kept rendered.
//
//go:embed overrides.json
var overrides []byte

const (
	startLimit = 60 * time.Second
	stopLimit  = 10 * time.Second
)

// A Server is a running JupyterLab.
type Server struct {
	// URL is the server's address without a path, as http://127.0.0.1:8888.
	URL string
	// Token lets its bearer in.
	Token string
	// Port is the one it listens on.
	Port int

	course course.Course
	cmd    *exec.Cmd
	log    string
	temp   string
	ended  chan struct{}
}

// Options are what differs from start to start.
type Options struct {
	// Port is the first to try; the next free one is taken.
	Port int
	// Root is the folder shown: the lessons', when empty.
	Root string
	// Flags are more of JupyterLab's own.
	Flags []string
}

// Start starts JupyterLab and returns when it answers.
func Start(ctx context.Context, c course.Course, o Options) (*Server, error) {
	settings := c.Lab("jupyter", "app-settings")
	if err := os.MkdirAll(settings, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(settings+"/overrides.json", overrides, 0o644); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "lab")
	if err != nil {
		return nil, err
	}
	s := &Server{course: c, Token: rand.Text(), log: c.Lab("jupyter", "lab.log"), temp: temp, ended: make(chan struct{})}
	if err := s.launch(o); err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	if err := s.await(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) launch(o Options) error {
	log, err := os.Create(s.log)
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd = proc.Apart(exec.Command(s.course.Python(), append([]string{"-m", "jupyterlab"}, flags(s.course, o)...)...))
	s.cmd.Cancel = nil // as it has no context
	s.cmd.Env = append(s.course.Env(),
		"JUPYTER_TOKEN="+s.Token, // not among the arguments, which everyone sees
		"TMPDIR="+s.temp)         // Jupyter, and a GoNB that is killed, leave files there
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("JupyterLab does not start (%w); `go run ./notebooks doctor` tells more", err)
	}
	go func() {
		s.cmd.Wait()
		close(s.ended)
	}()
	return nil
}

// notLessons are not listed beside the lessons: what Jupyter hides anyway, and
// this program. A learner's own Go files are.
var notLessons = []string{"__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~", "internal", "main.go", "main_*.go"}

func flags(c course.Course, o Options) []string {
	static, _ := json.Marshal([]string{c.Lab("static")})
	hidden, _ := json.Marshal(notLessons)
	return append([]string{
		"--no-browser",
		"--allow-root", // a container's user is often root; the address is local and has a token
		"--ServerApp.ip=127.0.0.1",
		fmt.Sprintf("--ServerApp.port=%d", o.Port),
		"--ServerApp.port_retries=50",
		"--ServerApp.root_dir=" + cmp.Or(o.Root, c.Notebooks()),
		"--ContentsManager.hide_globs=" + string(hidden),
		// An absolute one is for all folders alike.
		"--FileCheckpoints.checkpoint_dir=" + c.Lab("jupyter", "checkpoints"),
		"--ServerApp.extra_static_paths=" + string(static),
		"--ServerApp.jpserver_extensions=jupyter_server_terminals=True",
		`--KernelSpecManager.allowed_kernelspecs={"gonb"}`,
		"--KernelSpecManager.ensure_native_kernel=False",
		"--MultiKernelManager.default_kernel_name=gonb",
		"--LabApp.default_url=/lab/tree/00-start-here.ipynb",
		"--LabApp.app_settings_dir=" + c.Lab("jupyter", "app-settings"),
		"--LabApp.news_url=None",
		"--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
		"--LabApp.extension_manager=readonly",
	}, o.Flags...)
}

func (s *Server) await(ctx context.Context) error {
	limit := time.After(startLimit)
	for {
		if s.answers() {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("stopped before JupyterLab was ready")
		case <-s.ended:
			return fmt.Errorf("JupyterLab ended before it was ready; its last lines:\n%s", s.lastLines())
		case <-limit:
			return fmt.Errorf("JupyterLab did not answer within %v; its last lines:\n%s", startLimit, s.lastLines())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// answers reads from the server's own file which port it got, as it looks
// for a free one itself.
func (s *Server) answers() bool {
	data, err := os.ReadFile(s.course.Lab("jupyter", "runtime", fmt.Sprintf("jpserver-%d.json", s.cmd.Process.Pid)))
	if err != nil {
		return false
	}
	var info struct{ Port int }
	if json.Unmarshal(data, &info) != nil {
		return false
	}
	s.Port = info.Port
	s.URL = fmt.Sprintf("http://127.0.0.1:%d", info.Port)
	reply, err := http.Get(s.URL + "/api")
	if err != nil {
		return false
	}
	reply.Body.Close()
	return reply.StatusCode == http.StatusOK
}

func (s *Server) lastLines() string {
	data, _ := os.ReadFile(s.log)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// Lesson is the address that opens a notebook, with the token in it.
func (s *Server) Lesson(name string) string { return lesson(s.URL, name, s.Token) }

func lesson(server, name, token string) string {
	return server + "/lab/tree/" + url.PathEscape(name) + "?token=" + token
}

// Wait returns when ctx is done, or the server has ended by itself.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.ended:
		return fmt.Errorf("JupyterLab has ended; its last lines:\n%s", s.lastLines())
	}
}

// Stop ends the server and its kernels. The server is asked first, as a kernel
// that is told to end tidies up behind itself.
func (s *Server) Stop() {
	family := proc.FamilyOf(s.course, s.cmd.Process.Pid)
	defer os.RemoveAll(s.temp)
	defer family.End()
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopLimit):
		s.cmd.Process.Kill()
		<-s.ended
	}
}
