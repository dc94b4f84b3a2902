package setup

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

func TestThePlaygroundIsBuiltAnewWhenOneOfItsRoomsChanges(t *testing.T) {
	c, err := course.Find()
	require.NoError(t, err)
	list := exec.Command("go", "list", "-deps", "./charts/playground")
	list.Dir, list.Env = c.Root, append(c.Env(), "GOOS=js", "GOARCH=wasm")
	out, err := list.CombinedOutput()
	require.NoError(t, err, string(out))
	var rooms []string
	for _, name := range strings.Fields(string(out)) {
		if room, ok := strings.CutPrefix(name, "fencingtokens/"); ok {
			rooms = append(rooms, room)
		}
		assert.NotContains(t, name, "gonb", "it costs more than the simulator")
	}
	assert.ElementsMatch(t, playgroundRooms, rooms)
}
