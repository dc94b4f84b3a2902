package setup

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAddressesAreFoundInWhatTheClientsTake(t *testing.T) {
	tcp := func(all ...string) (want []endpoint) {
		for _, a := range all {
			want = append(want, endpoint{"tcp", a})
		}
		return want
	}
	for value, want := range map[string][]endpoint{
		"localhost":                  tcp("localhost:7"),
		"http://a:1,http://b:2":      tcp("a:1", "b:2"),
		"a:1, b/chroot":              tcp("a:1", "b:7"),
		"redis://:s@cret@h:6380/0":   tcp("h:6380"),
		"postgres://u:p@h/db?x=a":    tcp("h:7"),
		"postgres://u:p@a:1,b:2/db":  tcp("a:1", "b:2"),
		"::1":                        tcp("[::1]:7"),
		"[::1]:9":                    tcp("[::1]:9"),
		"unix://:p@/run/r.sock?db=1": {{"unix", "/run/r.sock"}},
		"host=h user=u password=p":   tcp("h:7"),
		"host=/run/pg port=8":        {{"unix", "/run/pg/.s.PGSQL.8"}},
		"user=u":                     tcp("localhost:7"),
	} {
		assert.Equal(t, want, addresses(value, "7"), value)
	}
}

// noSystems is a machine without any, where no variable is set.
func noSystems(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, s := range realSystems {
		t.Setenv(s.variable, "")
	}
}

func systemsShown() string {
	var out strings.Builder
	showSystems(&out)
	return out.String()
}

func TestDoctorSaysHowToGetWhatIsAbsent(t *testing.T) {
	noSystems(t)
	said := systemsShown()
	assert.Contains(t, said, "there    etcd: a server inside the program; or name yours in FENCING_ETCD\n")
	assert.Contains(t, said, "absent   Redis: `sudo apt install redis-server`")
	assert.Contains(t, said, "absent   ZooKeeper: `sudo apt install zookeeper`")
	assert.Contains(t, said, "absent   PostgreSQL: `sudo apt install postgresql` (Debian, Ubuntu) or `brew install postgresql`, and name it in FENCING_POSTGRES\n")
}

func TestDoctorAsksServersThatAreNamedAndPrintsNoAddress(t *testing.T) {
	noSystems(t)
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	up, down := server.Addr().String(), gone.Addr().String()
	t.Setenv("FENCING_POSTGRES", "postgres://me:secret@"+up+"/db")
	t.Setenv("FENCING_REDIS", "redis://:secret@"+down)
	t.Setenv("FENCING_REDLOCK", up+","+up+","+down)
	said := systemsShown()
	assert.Contains(t, said, "there    PostgreSQL: what FENCING_POSTGRES names answers\n")
	assert.Contains(t, said, "silent   Redis: the server that FENCING_REDIS names does not answer")
	assert.Contains(t, said, "silent   Redlock: of the 3 servers that FENCING_REDLOCK names, 2 answer")
	for _, secret := range []string{"secret", "127.0.0.1", "me:"} {
		assert.NotContains(t, said, secret)
	}
}
