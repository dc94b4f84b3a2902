package breakclient

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// With fencing on none of the allowed faults loses data, so a run with fencing
// off has to show that the twins' check would see it.
func TestHarmSeesLostData(t *testing.T) {
	target := Example(ChecksFirst)
	why, event := check.Harm(target.Run(fencing.Pause(client1, fencing.AfterCheck, target.Lease+Room)), client2)
	assert.Equal(t, "client 2’s data is gone", why)
	assert.NotZero(t, event)
}
