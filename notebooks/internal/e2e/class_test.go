package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// An instructor shows a playground to a class, on a screen of 1280 by 720.
func TestAPlaygroundInClass(t *testing.T) {
	page := exportedCells(t, []string{"%%\ncharts.Playground(fencing.GCPause())"})
	b := newBrowser(t)
	b.openFile(page, 1280, 720, "prefers-color-scheme", "light")
	b.await("the playground", inPage+`?.dataset.ready === 'true'`)
	b.types(inPage)
	b.keysFollowAChoice(inPage)
	b.cutsNoName(inPage)
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

// keysFollowAChoice chooses a scenario by the mouse, after which a letter is a key
// of the playground, and by a key, after which it searches the list.
func (b *browser) keysFollowAChoice(playground string) {
	b.t.Helper()
	list, moment := playground+`.querySelector('select')`, playground+`.querySelector('.fp-now').textContent`
	b.run(list + `.focus()`)
	b.run(list + `.dispatchEvent(new Event('pointerdown')), ` + list + `.value = 'crash', ` + list + `.dispatchEvent(new Event('change'))`)
	b.press("p")
	assert.NotEqual(b.t, "the whole run", evaluate[string](b, moment), "P steps back after a choice by the mouse")
	assert.Equal(b.t, "crash", evaluate[string](b, list+`.value`))
	b.run(list + `.focus()`)
	b.press(kb.ArrowUp)
	assert.NotEqual(b.t, "crash", evaluate[string](b, list+`.value`), "an arrow chooses the scenario above")
	b.press("d")
	assert.Equal(b.t, "delayed write", evaluate[string](b, list+`.value`), "a letter searches the list after a choice by a key")
	b.run(playground + `.querySelector('[data-control=pause]').focus()`)
	b.press(kb.Tab)
	b.press("f")
	assert.True(b.t, evaluate[bool](b, playground+`.querySelector('[value=on]').checked`), "F works in a field for a number")
	assert.Contains(b.t, evaluate[string](b, playground+`.querySelector('.fp-keys').textContent`), "In the list of scenarios, letters search the list")
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// cutsNoName compares the list's width with that of the longest name in it.
func (b *browser) cutsNoName(playground string) {
	b.t.Helper()
	room := evaluate[struct{ List, Longest float64 }](b, `(list => {
		const style = getComputedStyle(list), pen = document.createElement('canvas').getContext('2d');
		pen.font = style.font;
		const longest = Math.max(...[...list.options].map(o => pen.measureText(o.text).width));
		return { list: list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), longest };
	})(`+playground+`.querySelector('select'))`)
	assert.Greater(b.t, room.Longest, 200.0)
	assert.Greater(b.t, room.List, room.Longest)
}
