package charts

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
)

func ExampleTimeline() {
	world := fencing.NewWorld(fencing.Config{Name: "a short one"})
	world.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "hello", lease.Token)
		c.Release(lease)
	})
	Timeline(world.Run(), HoldBack(0))
	// Output:
	// a short one, fencing off: what happens next?
	// a short one (lease 10 s · fencing off)
	// 0 s client 1 asks for the lock "report"
	// 0 s lock service grants token 33 to client 1 until 10 s
	// 0 s client 1 writes "hello" to "report", with token 33
	// 0 s storage accepts the write of client 1 with token 33
	// 0 s client 1 releases token 33
	// 0 s lock service takes token 33 back from client 1
}

func TestCompareReturnsBothRuns(t *testing.T) {
	off, on := Compare(fencing.GCPause())
	assert.False(t, off.Config.Fencing)
	assert.True(t, on.Config.Fencing)
}

var ids = regexp.MustCompile(`id="([^"]+)"`)

func TestEveryChartHasAnIDOfItsOwn(t *testing.T) {
	chart := draw.Timeline([]*fencing.Trace{fencing.GCPause().Run()})
	seen := map[string]bool{}
	for range 2 {
		page, err := element(figure{chart: chart})
		require.NoError(t, err)
		found := ids.FindStringSubmatch(page)
		require.NotNil(t, found)
		assert.Contains(t, page, `(...["`+found[1]+`"`)
		seen[found[1]] = true
	}
	assert.Len(t, seen, 2)
}

func TestNamesDoNotBecomePartOfThePage(t *testing.T) {
	hostile := `</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>"'` + "\n" + strings.Repeat("é", 10_000)
	world := fencing.NewWorld(fencing.Config{Name: hostile})
	world.Client(hostile, func(c *fencing.Client) {
		lease := c.Acquire(hostile)
		c.Work(time.Second)
		c.Write(hostile, hostile, lease.Token)
	})
	page, err := element(stepped(world.Run()))
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(page, "<script"))
	assert.Equal(t, 1, strings.Count(page, "</script"))
	assert.Equal(t, 1, strings.Count(page, "</pre"))
	assert.NotContains(t, page, "<img")
	assert.Less(t, len(page), 60_000)
}

func TestAChartStaysLightAndItsStoryIsThereWithoutScripts(t *testing.T) {
	for _, preset := range fencing.Presets() {
		off := preset.Run()
		preset.Fencing = true
		page, err := element(figure{chart: draw.Timeline([]*fencing.Trace{off, preset.Run()})})
		require.NoError(t, err)
		assert.Less(t, len(page), 80_000, preset.Name)
		still, _, _ := strings.Cut(page, "<script")
		assert.Contains(t, still, "asks for the lock", preset.Name)
		t.Logf("%s: %d bytes, %d of them without scripts", preset.Name, len(page), len(still))
	}
}

func TestTheEnvironmentChoosesTheSize(t *testing.T) {
	assert.Empty(t, sized(nil))
	t.Setenv("FENCING_CHART_SIZE", "projector")
	assert.Len(t, sized(nil), 1)
}
