package lab

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"fencingtokens/notebooks/internal/course"
)

// Running is the address that opens a notebook in a JupyterLab that shows this
// course's lessons already, if there is one.
func Running(c course.Course, name string) (address string, ok bool) {
	files, _ := filepath.Glob(c.Lab("jupyter", "runtime", "jpserver-*.json"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var s notice
		if json.Unmarshal(data, &s) == nil && s.shows(c.Notebooks()) && s.answers() {
			return lesson(s.url(), name, s.Token), true
		}
	}
	return "", false
}

// A notice is what a running server tells of itself. One that was killed
// leaves its own behind.
type notice struct {
	PID   int
	Port  int
	Token string
	Root  string `json:"root_dir"`
}

func (s notice) url() string { return fmt.Sprintf("http://127.0.0.1:%d", s.Port) }

func (s notice) shows(folder string) bool {
	theirs, errTheirs := os.Stat(s.Root)
	ours, errOurs := os.Stat(folder)
	return errTheirs == nil && errOurs == nil && os.SameFile(theirs, ours)
}

// answers wants the token to be right, as a number of a process or a port may
// be another's by now.
func (s notice) answers() bool {
	if s.PID <= 0 || syscall.Kill(s.PID, 0) != nil {
		return false
	}
	request, err := http.NewRequest("GET", s.url()+"/api/status", nil)
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "token "+s.Token)
	reply, err := (&http.Client{Timeout: 2 * time.Second}).Do(request)
	if err != nil {
		return false
	}
	reply.Body.Close()
	return reply.StatusCode == http.StatusOK
}
