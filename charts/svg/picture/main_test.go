package main

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/svg"
)

// The picture is compared by its elements and texts, so that neither a font nor
// the last digit of a number breaks the test.
func TestThePictureInTheRepositoryIsTheOneThatIsDrawnNow(t *testing.T) {
	const root = "../../../"
	echarts, err := os.ReadFile(root + source)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("ECharts is not at %s: go run ./notebooks setup brings it", source)
	}
	require.NoError(t, err)
	drawn, err := svg.Render(string(echarts), GCPause(), 0, svg.Light)
	require.NoError(t, err)
	kept, err := os.ReadFile(root + picture)
	require.NoError(t, err)
	assert.Equal(t, structure(t, string(kept)), structure(t, drawn), "the picture is stale: call go run ./charts/svg/picture")
}

// structure lists a document's elements and texts in order.
func structure(t *testing.T, document string) []string {
	var found []string
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			found = append(found, token.Name.Local)
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				found = append(found, text)
			}
		}
	}
}
