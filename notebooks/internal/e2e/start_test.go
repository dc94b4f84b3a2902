package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// start starts cmd, which opens JupyterLab, and returns the address it prints
// and all it said until then.
func start(t *testing.T, cmd *exec.Cmd) (address, said string) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	begin := time.Now()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "Ctrl-C") {
			t.Logf("ready after %.1f s", time.Since(begin).Seconds())
			go io.Copy(io.Discard, out)
			return regexp.MustCompile(`http://\S+`).FindString(said), said
		}
	}
	require.Fail(t, "it ended before JupyterLab was ready", said)
	return "", ""
}

// stop sends what Ctrl-C sends, and waits for the end.
func stop(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		assert.NoError(t, err)
	case <-time.After(30 * time.Second):
		require.Fail(t, "it went on for 30 s after Ctrl-C")
	}
}

// ask sends a request to the server whose address was printed.
func ask(t *testing.T, method, address, path, body string) string {
	t.Helper()
	server, token, _ := strings.Cut(address, "/lab/tree/00-start-here.ipynb?token=")
	request, err := http.NewRequest(method, server+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "token "+token)
	reply, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	require.Less(t, reply.StatusCode, 300, string(data))
	return string(data)
}

// family lists the processes below pid.
func family(t *testing.T, pid int) []int {
	t.Helper()
	c := ready(t)
	out, err := exec.Command(c.Python(), "-c",
		"import psutil, sys; print(*(p.pid for p in psutil.Process(int(sys.argv[1])).children(recursive=True)))",
		strconv.Itoa(pid)).Output()
	require.NoError(t, err)
	var pids []int
	for _, field := range strings.Fields(string(out)) {
		child, err := strconv.Atoi(field)
		require.NoError(t, err)
		pids = append(pids, child)
	}
	return pids
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestCtrlCEndsServerAndKernels(t *testing.T) {
	cmd := command(t, "--no-browser", "--port", "8888")
	address, _ := start(t, cmd)
	ask(t, "POST", address, "/api/kernels", `{"name": "gonb"}`)
	var started []int
	require.Eventually(t, func() bool {
		started = family(t, cmd.Process.Pid)
		return len(started) >= 3 // JupyterLab, GoNB, gopls
	}, 20*time.Second, 200*time.Millisecond)
	stop(t, cmd)
	for _, pid := range started {
		assert.Eventually(t, func() bool { return !alive(pid) }, 5*time.Second, 50*time.Millisecond,
			"process %d is left", pid)
	}
}

func TestAPortInUseGivesWayToTheNext(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	cmd := command(t, "--no-browser", "--port", strconv.Itoa(port))
	address, said := start(t, cmd)
	defer stop(t, cmd)
	assert.Contains(t, said, fmt.Sprintf("Port %d is in use", port))
	assert.NotContains(t, address, fmt.Sprintf(":%d/", port))
	ask(t, "GET", address, "/api/status", "")
}

// A user's own GoNB and Jupyter settings lie in the home folder.
func TestAUsersOwnJupyterIsLeftAloneAndHasNoSay(t *testing.T) {
	home := t.TempDir()
	theirs := map[string]string{
		".local/share/jupyter/kernels/gonb/kernel.json": `{"argv": ["false"], "display_name": "Their own Go", "language": "go"}`,
		".jupyter/jupyter_server_config.json":           `{"ServerApp": {"root_dir": "/", "port": 1}}`,
	}
	for name, text := range theirs {
		file := filepath.Join(home, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	cmd := command(t, "--no-browser", "--port", "8888")
	cmd.Env = os.Environ()
	for _, name := range []string{"GOENV", "GOCACHE", "GOMODCACHE"} { // they lie in the home folder, too
		value, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(value)))
	}
	cmd.Env = append(cmd.Env, "HOME="+home, "JUPYTER_CONFIG_DIR="+home, "JUPYTER_PATH="+home+"/.local/share/jupyter")
	address, _ := start(t, cmd)
	kernels := ask(t, "GET", address, "/api/kernelspecs", "")
	assert.Contains(t, kernels, ready(t).Lab("bin", "gonb"))
	assert.NotContains(t, kernels, "Their own Go")
	assert.Contains(t, ask(t, "GET", address, "/api/contents", ""), "00-start-here.ipynb", "the notebooks' folder is shown")
	stop(t, cmd)
	for name, text := range theirs {
		data, err := os.ReadFile(filepath.Join(home, name))
		require.NoError(t, err)
		assert.Equal(t, text, string(data), name)
	}
}

func TestOnceSetUpNoNetworkIsNeeded(t *testing.T) {
	cut := []string{"unshare", "--net", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}
	if out, err := exec.Command(cut[0], append(cut[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("the network cannot be cut here: %v %s", err, out)
	}
	cutOff := func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		whole := exec.Command(cut[0], append(cut[1:], cmd.Args...)...)
		whole.Dir = cmd.Dir
		whole.Env = append(os.Environ(), "GOPROXY=off")
		return whole
	}
	cmd := cutOff("--no-browser", "--port", "8888")
	start(t, cmd)
	stop(t, cmd)
	out, err := cutOff("run", "00-start-here").CombinedOutput()
	assert.NoError(t, err, string(out))
}
