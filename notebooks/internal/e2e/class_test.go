package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An instructor shows a playground to a class, on a screen of 1280 by 720.
func TestAPlaygroundInClass(t *testing.T) {
	page := exportedCells(t, []string{"%%\ncharts.Playground(fencing.GCPause())"})
	b := newBrowser(t)
	b.openFile(page, 1280, 720, "prefers-color-scheme", "light")
	b.await("the playground", inPage+`?.dataset.ready === 'true'`)
	b.types(inPage)
	assert.Empty(t, b.outside())
}

// types numbers that no slider has, and meets them in the cell.
func (b *browser) types(playground string) {
	b.t.Helper()
	number, range_ := playground+`.querySelector('input[type=number][data-control=pause]')`, playground+`.querySelector('input[type=range][data-control=pause]')`
	for typed, code := range map[string]string{"40": "40 * time.Second", "10.75": "10750 * time.Millisecond"} {
		b.run(number + `.select()`)
		b.press(typed)
		b.await("the cell", playground+`.querySelector('pre').textContent.includes('preset.Faults[0].For = `+code+`')`)
		assert.Equal(b.t, typed, evaluate[string](b, number+`.value`))
		assert.True(b.t, evaluate[bool](b, number+`.validity.valid`), typed)
		assert.Equal(b.t, typed+" s", evaluate[string](b, range_+`.getAttribute('aria-valuetext')`))
	}
	assert.Equal(b.t, "30", evaluate[string](b, range_+`.max`))
	b.run(playground + `.querySelector('button').click()`) // Reset
	assert.Equal(b.t, "14", evaluate[string](b, number+`.value`))
}
