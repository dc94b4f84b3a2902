package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// A candidate goes through the mock interview of lesson 13 by the keyboard alone.
func TestTheMockInterviewIsAnsweredByKeyboard(t *testing.T) {
	script := axe(t)
	b := openBrowser(t, notebook(t, "mock.ipynb", "%%\ninterview.Mock(1, 2)"))
	const (
		mock = panel + `.querySelector('section[aria-label="Mock interview"]')`
		says = mock + `.querySelector('[role=status]').textContent`
		open = mock + `.querySelector('ol > li:not([hidden])')`
	)
	focus := func() string {
		return evaluate[string](b, `(e => (e.labels?.[0] ?? e).textContent.trim())(document.activeElement)`)
	}
	for _, look := range []struct {
		scheme        string
		width, height int64
	}{{"light", 1280, 720}, {"dark", 1280, 720}} {
		picture := func(part string) {
			b.run(mock + `.scrollIntoView()`)
			b.shoot(fmt.Sprintf("interview-%s-%s", part, look.scheme))
		}
		b.open("mock.ipynb", look.width, look.height, look.scheme)
		b.runAll()
		b.await("the mock interview", mock+`?.querySelector('button') != null`)
		assert.Equal(t, "2 questions, 2:00 minutes each. Answer aloud, then open the points and tick what you said.", evaluate[string](b, says))
		picture("begin")
		b.isAccessible(script, `section[aria-label="Mock interview"]`)
		cells := evaluate[int](b, panel+`.querySelectorAll('.jp-Cell').length`)

		b.run(mock + `.querySelector('button').focus()`)
		b.press(kb.Enter)
		assert.Equal(t, "Question 1 of 2", evaluate[string](b, says))
		assert.Equal(t, evaluate[string](b, open+`.querySelector('.ask').textContent`), focus(), "the question is read out")
		b.press(kb.Enter) // held a moment too long, it skips nothing
		assert.Equal(t, "Question 1 of 2", evaluate[string](b, says))
		b.await("the clock", mock+`.textContent.includes('Time: 1:5')`)
		b.press(kb.Tab)
		assert.Equal(t, "The points of a good answer", focus())
		b.press(kb.Enter) // opens them
		b.press(kb.Tab)
		b.press(" ") // ticks the first
		assert.Equal(t, 1, evaluate[int](b, open+`.querySelectorAll('input:checked').length`))
		picture("points")
		b.isAccessible(script, `section[aria-label="Mock interview"]`)
		b.run(open + `.querySelector('a').focus()`)
		b.press(kb.Tab)
		assert.Equal(t, "Stop the clock", focus(), "there is no way back from the first")
		b.press(kb.Enter)
		assert.Contains(t, evaluate[string](b, mock+`.textContent`), "(paused)")
		b.press(kb.Tab)
		assert.Equal(t, "Next question", focus())
		b.press(kb.Enter)
		assert.Equal(t, "Question 2 of 2", evaluate[string](b, says))
		assert.Equal(t, 2, evaluate[int](b, open+`.value`), "it has its own number")
		b.run(`[...` + mock + `.querySelectorAll('button')].find(e => e.textContent === 'Finish').focus()`)
		b.press(kb.Enter)
		assert.Equal(t, "The interview is over.", evaluate[string](b, says))
		assert.Contains(t, focus(), "What you said, of the points of a good answer:", "the summary is read out")
		assert.Regexp(t, `: 1 of \d`, focus(), "the tick is counted")
		picture("summary")
		b.isAccessible(script, `section[aria-label="Mock interview"]`)
		assert.Equal(t, cells, evaluate[int](b, panel+`.querySelectorAll('.jp-Cell').length`), "JupyterLab took no key")
	}
	assert.Empty(t, b.outside())
}
