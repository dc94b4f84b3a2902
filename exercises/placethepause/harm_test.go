package placethepause

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// With fencing on no pause loses client 2's data, so a run with fencing off has
// to show that the twin's check would see it.
func TestHarmSeesLostData(t *testing.T) {
	why, event := check.Harm(fencing.GCPause().Run(), client2)
	assert.Equal(t, "client 2’s data is gone", why)
	assert.NotZero(t, event)
}
