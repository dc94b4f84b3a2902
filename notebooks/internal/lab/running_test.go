package lab

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

func TestOnlyALiveServerOfTheseLessonsCountsAsOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/status" || r.Header.Get("Authorization") != "token right" {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()
	at, err := url.Parse(server.URL)
	require.NoError(t, err)
	port, err := strconv.Atoi(at.Port())
	require.NoError(t, err)
	c := course.Course{Root: t.TempDir()}
	require.NoError(t, os.MkdirAll(c.Notebooks(), 0o755))
	ended := exec.Command("go", "version")
	require.NoError(t, ended.Run())

	live := notice{PID: os.Getpid(), Port: port, Token: "right", Root: c.Notebooks()}
	for name, test := range map[string]struct {
		change func(*notice)
		open   bool
	}{
		"live":             {func(*notice) {}, true},
		"of other files":   {func(n *notice) { n.Root = t.TempDir() }, false},
		"of a gone folder": {func(n *notice) { n.Root += "/gone" }, false},
		"ended":            {func(n *notice) { n.PID = ended.Process.Pid }, false},
		"another's port":   {func(n *notice) { n.Token = "wrong" }, false},
		"nobody's port":    {func(n *notice) { n.Port = 1 }, false},
		"without a number": {func(n *notice) { n.PID = 0 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			told := live
			test.change(&told)
			data, err := json.Marshal(told)
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(c.Lab("jupyter", "runtime"), 0o755))
			require.NoError(t, os.WriteFile(c.Lab("jupyter", "runtime", "jpserver-1.json"), data, 0o644))
			address, ok := Running(c, "00 one.ipynb")
			assert.Equal(t, test.open, ok)
			if ok {
				assert.Equal(t, server.URL+"/lab/tree/00%20one.ipynb?token=right", address)
			}
		})
	}
}
