package zookeeper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fencingtokens/fencing/live/systems/internal/private"
)

// jars are the files of Debian's package; the first one's manifest names what else
// it needs. The last one makes the server silent.
var jars = []string{"/usr/share/java/zookeeper.jar", "/usr/share/java/slf4j-nop.jar"}

// startPrivate starts a server of our own that is as good as new, with ticks that
// are short enough for leases from 0.2 s on.
func startPrivate(ctx context.Context) (*private.Process, string, error) {
	java, err := exec.LookPath("java")
	if _, missing := os.Stat(jars[0]); err != nil || missing != nil {
		return nil, "", private.Absent("there is no ZooKeeper on this machine (Debian, Ubuntu: apt install zookeeper); or put host:port of a server into " + Variable)
	}
	port, err := private.Port()
	if err != nil {
		return nil, "", err
	}
	process, err := private.Start("A ZooKeeper server of our own", java, func(dir string) ([]string, error) {
		settings := fmt.Sprintf("dataDir=%s\nclientPortAddress=127.0.0.1\nclientPort=%d\ntickTime=100\nmaxSessionTimeout=600000\nadmin.enableServer=false\n", dir, port)
		file := filepath.Join(dir, "zoo.cfg")
		return []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-Dzookeeper.forceSync=no",
			"-cp", jars[0] + ":" + jars[1], "org.apache.zookeeper.server.ZooKeeperServerMain", file}, os.WriteFile(file, []byte(settings), 0o600)
	})
	if err != nil {
		return nil, "", err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	err = process.Answers(ctx, func(ctx context.Context) error {
		_, err := version(ctx, address)
		return err
	})
	if err != nil {
		return nil, "", errors.Join(err, process.Close())
	}
	return process, address, nil
}

// version asks a server in one of the few words to which it answers in plain text.
// A server listens some time before it serves: then it answers something else
// (https://zookeeper.apache.org/doc/r3.8.4/zookeeperAdmin.html#sc_4lw).
func version(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := fmt.Fprint(conn, "srvr"); err != nil {
		return "", err
	}
	text, err := io.ReadAll(conn)
	if err != nil {
		return "", err
	}
	_, after, serves := strings.Cut(string(text), "Zookeeper version: ")
	if !serves {
		return "", errors.New("it does not serve yet")
	}
	number, _, _ := strings.Cut(after, "-")
	return number, nil
}
