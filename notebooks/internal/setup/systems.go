package setup

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A system is a real lock service or database that lesson 12 can use.
type system struct {
	name     string
	variable string // names the addresses of the reader's own
	port     string // where an address has none
	private  string // what a run starts where the variable is not set; "" if nothing
	here     func() bool
	get      string // how to come to the server's program
}

var realSystems = []system{
	{"etcd", "FENCING_ETCD", "2379", "a server inside the program", func() bool { return true }, ""},
	{"ZooKeeper", "FENCING_ZOOKEEPER", "2181", "a server of its own", hasZooKeeper, "`sudo apt install zookeeper` (Debian, Ubuntu)"},
	{"Redis", "FENCING_REDIS", "6379", "a server of its own", hasRedis, getRedis},
	{"Redlock", "FENCING_REDLOCK", "6379", "five Redis servers of its own", hasRedis, getRedis},
	{"PostgreSQL", "FENCING_POSTGRES", "5432", "", func() bool { return false }, "`sudo apt install postgresql` (Debian, Ubuntu) or `brew install postgresql`"},
}

const getRedis = "`sudo apt install redis-server` (Debian, Ubuntu) or `brew install redis`"

func hasRedis() bool { return onPath("redis-server") }

// hasZooKeeper looks for what Debian's package brings: it starts no server by itself.
func hasZooKeeper() bool {
	_, err := os.Stat("/usr/share/java/zookeeper.jar")
	return err == nil && onPath("java")
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// showSystems says which real systems lesson 12 will find. None has to be there: its
// cells say what they leave out.
func showSystems(out io.Writer) {
	fmt.Fprintln(out, "\nFor lesson 12, where all but etcd may be absent:")
	lines := make([]string, len(realSystems))
	var all sync.WaitGroup
	for i, s := range realSystems {
		all.Go(func() { lines[i] = s.state() })
	}
	all.Wait()
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// state is a line without the addresses, which may hold a password.
func (s system) state() string {
	line := func(state, format string, args ...any) string {
		return fmt.Sprintf("%-8s %s: ", state, s.name) + fmt.Sprintf(format, args...)
	}
	if value := os.Getenv(s.variable); value != "" {
		count, answer := 0, 0
		for answers := range s.dialAll(value) {
			count++
			if answers {
				answer++
			}
		}
		switch {
		case answer < count && count == 1:
			return line("silent", "the server that %s names does not answer; start it, or correct the address", s.variable)
		case answer < count:
			return line("silent", "of the %d servers that %s names, %d answer; start the others, or correct the addresses", count, s.variable, answer)
		}
		return line("there", "what %s names answers", s.variable)
	}
	switch {
	case s.here():
		return line("there", "%s; or name yours in %s", s.private, s.variable)
	case s.private == "":
		return line("absent", "%s, and name it in %s", s.get, s.variable)
	}
	return line("absent", "%s, and a run starts %s; or name yours in %s", s.get, s.private, s.variable)
}

// dialAll tells of each address in the value of a variable whether something answers
// there.
func (s system) dialAll(value string) <-chan bool {
	answers := make(chan bool)
	var all sync.WaitGroup
	for _, to := range addresses(value, s.port) {
		all.Go(func() {
			conn, err := net.DialTimeout(to.network, to.address, time.Second)
			if err == nil {
				conn.Close()
			}
			answers <- err == nil
		})
	}
	go func() {
		all.Wait()
		close(answers)
	}()
	return answers
}

type endpoint struct{ network, address string }

// addresses finds where to dial in what the systems' clients take: a URL or host:port,
// several of them between commas, or PostgreSQL's "host=... port=...".
func addresses(value, port string) (all []endpoint) {
	if strings.Contains(value, "=") && !strings.Contains(value, "://") {
		return []endpoint{fromKeywords(value, port)}
	}
	for _, item := range strings.Split(value, ",") {
		scheme, rest, found := strings.Cut(strings.TrimSpace(item), "://")
		if !found {
			scheme, rest = "", scheme
		}
		if scheme == "unix" {
			file, _, _ := strings.Cut(rest, "?")
			all = append(all, endpoint{"unix", file[strings.LastIndex(file, "@")+1:]})
			continue
		}
		if end := strings.IndexAny(rest, "/?"); end >= 0 {
			rest = rest[:end]
		}
		all = append(all, endpoint{"tcp", withPort(rest[strings.LastIndex(rest, "@")+1:], port)})
	}
	return all
}

func fromKeywords(value, port string) endpoint {
	set := map[string]string{}
	for _, field := range strings.Fields(value) {
		key, text, _ := strings.Cut(field, "=")
		set[key] = strings.Trim(text, "'")
	}
	host, port := cmp.Or(set["host"], "localhost"), cmp.Or(set["port"], port)
	if strings.HasPrefix(host, "/") {
		return endpoint{"unix", host + "/.s.PGSQL." + port}
	}
	return endpoint{"tcp", net.JoinHostPort(host, port)}
}

func withPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
