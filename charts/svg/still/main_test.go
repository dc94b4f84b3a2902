package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/svg"
)

func TestAPageOfAnotherVersionIsSaid(t *testing.T) {
	_, err := picture(&svg.Engine{}, `<div class="fencing-figure"></div><script>old()</script>`)
	assert.ErrorContains(t, err, "made by another version of the course")
}

func TestAPageWithoutFiguresStaysAsItIs(t *testing.T) {
	echarts := t.TempDir() + "/echarts.min.js"
	require.NoError(t, os.WriteFile(echarts, []byte("exports.init = 1"), 0o644))
	var out strings.Builder
	require.NoError(t, command([]string{echarts}, strings.NewReader("<p>Hello.</p>"), &out))
	assert.Equal(t, "<p>Hello.</p>", out.String())
}
