package e2e

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	b.crowdsNoField(inPage)
	b.keepsItsButtons(inPage)
	b.showsCauses(inPage)
	b.saysWhatPartIsSeen(inPage)
	b.showsBothOnAFullScreen(inPage)
	b.leavesNothingBehind(inPage)
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

// cutsNoName chooses the longest name and compares the list's width with it.
func (b *browser) cutsNoName(playground string) {
	b.t.Helper()
	room := evaluate[struct{ List, Longest float64 }](b, `(list => {
		const style = getComputedStyle(list), pen = document.createElement('canvas').getContext('2d');
		pen.font = style.font;
		const width = o => pen.measureText(o.text).width;
		const named = [...list.options].reduce((a, b) => width(a) > width(b) ? a : b), longest = width(named);
		list.value = named.value;
		list.dispatchEvent(new Event('change'));
		return { list: list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), longest };
	})(`+playground+`.querySelector('select'))`)
	assert.Greater(b.t, room.Longest, 200.0)
	assert.Greater(b.t, room.List, room.Longest)
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// crowdsNoField looks at the fields where there is as much room as beside
// JupyterLab's list of files.
func (b *browser) crowdsNoField(playground string) {
	b.t.Helper()
	b.run(playground + `.style.width = '836px'`)
	assert.LessOrEqual(b.t, evaluate[float64](b, `Math.max(...[...`+playground+`.querySelectorAll('.fp-number')].map(e =>
		e.getBoundingClientRect().right - e.parentNode.getBoundingClientRect().right))`), 10.0, "no unit lies on the next name")
	b.shoot("class-narrow")
	b.run(playground + `.style.width = ''`)
}

// keepsItsButtons clicks at one place of the screen, and so goes from the first
// event to the last. The time axis stays as well, and the height of the picture.
func (b *browser) keepsItsButtons(playground string) {
	b.t.Helper()
	for _, fencing := range []string{"off", "both"} {
		b.run(playground + `.querySelector('[value=` + fencing + `]').click()`)
		b.run(playground + `.querySelector('button[title="to the beginning"]').click()`)
		next := playground + `.querySelector('button[aria-label="next event (N)"]')`
		b.run(next + `.scrollIntoView({ block: 'center' })`)
		at := evaluate[struct{ X, Y float64 }](b, next+`.getBoundingClientRect().toJSON()`)
		height := evaluate[float64](b, playground+`.querySelector('.fp-frame').clientHeight`)
		assert.Contains(b.t, b.pictured(playground), "0 2 4 6 8 10 12 14 16 18 20 22 24 26 ")
		clicks := evaluate[int](b, playground+`.querySelector('.fp-steps input[type=range]').max * 1`)
		require.Greater(b.t, clicks, 5)
		for range clicks {
			b.do(chromedp.MouseClickXY(at.X+5, at.Y+5))
		}
		assert.Equal(b.t, "the whole run", evaluate[string](b, playground+`.querySelector('.fp-now').textContent`))
		assert.Equal(b.t, height, evaluate[float64](b, playground+`.querySelector('.fp-frame').clientHeight`))
	}
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// showsBothOnAFullScreen sees the buttons that step all the time, both storages
// when the sliders are hidden, and with a third client what to do to see more.
func (b *browser) showsBothOnAFullScreen(playground string) {
	b.t.Helper()
	more, hide := playground+`.querySelector('.fp-more').textContent`, playground+`.querySelector('.fp-hide')`
	steps := playground + `.querySelector('.fp-steps').getBoundingClientRect()`
	b.click(playground + `.querySelector('button[title="for a projector"]')`)
	b.await("the full screen", `document.fullscreenElement === `+playground)
	b.shoot("class-full")
	b.press("p")
	b.shoot("class-full-step")
	assert.LessOrEqual(b.t, evaluate[float64](b, playground+`.querySelector('.fp-told').getBoundingClientRect().bottom`), 720.0, "one run, and what is said of a moment")
	b.press("n")
	b.click(playground + `.querySelector('[value=both]')`)
	b.shoot("class-full-both")
	assert.Equal(b.t, "More below: scroll, or hide the sliders.", evaluate[string](b, more))
	b.click(hide)
	b.shoot("class-full-both-bare")
	assert.Less(b.t, b.storages(playground), 720.0, "both storages")
	b.run(playground + `.querySelector('[type=checkbox]').click()`)
	assert.Equal(b.t, "More below: scroll.", evaluate[string](b, more))
	b.shoot("class-full-three")
	b.run(playground + `.scrollTop = 1e6`)
	assert.InDelta(b.t, 0, evaluate[float64](b, steps+`.top`), 1, "the buttons stay")
	b.shoot("class-full-three-scrolled")
	b.run(playground + `.scrollTop = 0`)
	b.click(hide)
	b.click(playground + `.querySelector('button[title="for a projector"]')`)
	b.await("the end of the full screen", `!document.fullscreenElement`)
	assert.Empty(b.t, evaluate[string](b, more))
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// showsCauses has the mouse on the stale write, and then on a write of another
// picture.
func (b *browser) showsCauses(playground string) {
	b.t.Helper()
	b.run(playground + `.querySelector('.fp-frame').scrollIntoView({ block: 'center' })`)
	over := func(text string) string {
		b.t.Helper()
		at := evaluate[struct{ X, Y float64 }](b, `(picture => {
			const label = foundECharts.getInstanceByDom(picture).getZr().storage.getDisplayList().find(e => e.style.text === '`+text+`').getBoundingRect();
			const { left, top } = picture.getBoundingClientRect();
			return { x: left + label.x + label.width / 2, y: top + label.y + label.height / 2 };
		})(`+playground+`.querySelector('.fp-picture'))`)
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X-3, at.Y), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
		return evaluate[string](b, playground+`.querySelector('.fp-picture').dataset.cause ?? ''`)
	}
	b.await("ECharts", library)
	causes := over("33 accepted, stale")
	assert.NotEmpty(b.t, causes, "what led to the stale write")
	b.shoot("class-cause")
	b.run(playground + `.querySelector('[value=on]').click()`)
	assert.Empty(b.t, evaluate[string](b, playground+`.querySelector('.fp-picture').dataset.cause ?? ''`), "another picture has no causes of this one")
	assert.NotEmpty(b.t, over("33 rejected: 33 < 34"))
	b.run(playground + `.querySelector('button').click()`) // Reset
}

// saysWhatPartIsSeen makes a run too long to be seen at once, and shows all of it.
func (b *browser) saysWhatPartIsSeen(playground string) {
	b.t.Helper()
	field, part := playground+`.querySelector('.fp-link')`, playground+`.querySelector('.fencing-zoom')`
	assert.True(b.t, evaluate[bool](b, part+`.hidden`))
	b.run(field + `.value = 'scenario=renewing+more+often&RenewEvery=20ms', ` + field + `.dispatchEvent(new Event('change'))`)
	says := evaluate[string](b, part+`.innerText`)
	assert.Regexp(b.t, `The part that you see: .*The whole run.*[1-9][0-9.]* s to [0-9.]+ s of [0-9.]+ s`, says)
	assert.Less(b.t, evaluate[float64](b, part+`.getBoundingClientRect().bottom`), evaluate[float64](b, playground+`.querySelector('canvas').getBoundingClientRect().top + 1`), "above the picture")
	b.shoot("class-long")
	b.click(`[...` + part + `.querySelectorAll('button')].find(e => e.textContent === 'The whole run')`)
	assert.Contains(b.t, evaluate[string](b, part+`.innerText`), "The whole run0 s to ")
	b.shoot("class-long-whole")
	b.run(playground + `.querySelector('button').click()`) // Reset
	assert.True(b.t, evaluate[bool](b, part+`.hidden`))
}

// leavesNothingBehind takes the playground out of the page and puts it back, as
// JupyterLab does when one scrolls, and takes it out for good, as when its cell is
// run again.
func (b *browser) leavesNothingBehind(playground string) {
	b.t.Helper()
	b.await("ECharts", library)
	drawn := `foundECharts.getInstanceByDom(window.__left.querySelector('.fp-picture')) != null`
	assert.Equal(b.t, 1, b.listeners())
	b.run(`window.__left = ` + playground + `, window.__place = __left.parentNode, __left.remove()`)
	b.await("no picture", `!(`+drawn+`)`)
	b.do(prefers("prefers-color-scheme", "dark"))
	b.run(`window.__place.append(window.__left)`)
	b.await("the picture", drawn)
	assert.Equal(b.t, "true", evaluate[string](b, playground+`.dataset.dark`), "it looks at the page when it comes back")
	b.do(prefers("prefers-color-scheme", "light"))
	b.await("the light", playground+`.dataset.dark === 'false'`)
	b.run(playground + `.querySelector('[value=on]').click()`)
	assert.Contains(b.t, b.pictured(playground), "33 rejected")
	b.run(`__left.remove()`)
	b.await("no picture", `!(`+drawn+`)`)
	assert.Equal(b.t, 0, b.listeners())
}

// listeners counts those that wait for the page to become, or leave, a full screen.
func (b *browser) listeners() (n int) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		yes := true
		found, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: `getEventListeners(document).fullscreenchange?.length ?? 0`, IncludeCommandLineAPI: &yes})
		if err != nil {
			return chromedp.Void{}, err
		}
		return chromedp.Void{}, json.Unmarshal(found.Result.Value, &n)
	})
	return n
}

// storages is where the name of the last storage ends on the screen, in pixels.
func (b *browser) storages(playground string) float64 {
	b.t.Helper()
	b.await("ECharts", library)
	return evaluate[float64](b, `(picture => {
		const texts = foundECharts.getInstanceByDom(picture).getZr().storage.getDisplayList().filter(e => e.style.text === 'storage').map(e => e.getBoundingRect());
		return picture.getBoundingClientRect().top + Math.max(...texts.map(r => r.y + r.height)) * new DOMMatrix(getComputedStyle(picture).transform).a;
	})(`+playground+`.querySelector('.fp-picture'))`)
}
