package main

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/svg"
)

// A picture is compared by its elements, what they look like and where they stand,
// and texts, with numbers to the pixel, so that the last digit of one does not
// break the test. No font matters: the pictures are drawn without one.
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

var (
	numbers = regexp.MustCompile(`-?\d+\.\d+`)
	ids     = regexp.MustCompile(`zr\d+-[\w-]+`) // of one drawing
)

// structure lists a document's elements, their attributes and texts in order.
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
				value := numbers.ReplaceAllStringFunc(ids.ReplaceAllString(a.Value, "id"), func(n string) string {
					exact, err := strconv.ParseFloat(n, 64)
					require.NoError(t, err)
					return strconv.Itoa(int(math.Round(exact)))
				})
				found = append(found, a.Name.Local+"="+value)
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				found = append(found, text)
			}
		}
	}
}
