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

// A picture is compared by its elements, colours and texts, so that neither a
// font nor the last digit of a number breaks the test.
func TestThePicturesInTheRepositoryAreThoseThatAreDrawnNow(t *testing.T) {
	const root = "../../../"
	echarts, err := os.ReadFile(root + source)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("ECharts is not at %s: go run ./notebooks setup brings it", source)
	}
	require.NoError(t, err)
	readme, err := os.ReadFile(root + "README.md")
	require.NoError(t, err)
	for theme, picture := range pictures {
		drawn, err := svg.Render(string(echarts), GCPause(), 0, theme)
		require.NoError(t, err)
		kept, err := os.ReadFile(root + picture)
		require.NoError(t, err)
		assert.Equal(t, structure(t, string(kept)), structure(t, drawn), "%s is stale: call go run ./charts/svg/picture", picture)
		assert.Contains(t, string(readme), `="`+picture+`"`)
	}
}

// structure lists a document's elements, fills and texts in order.
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
			for _, a := range token.Attr {
				if a.Name.Local == "fill" {
					found = append(found, a.Value)
				}
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				found = append(found, text)
			}
		}
	}
}
