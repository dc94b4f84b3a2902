package interview

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// letters returns the answers to all questions of which pick says the option.
func letters(seed uint64, pick func(question) int) Answers {
	var a Answers
	for i, q := range shuffled([]uint64{seed}) {
		reflect.ValueOf(&a).Elem().Field(i).SetString(string(rune('a' + pick(q))))
	}
	return a
}

func right(q question) int {
	for i, o := range q.options {
		if o.right {
			return i
		}
	}
	return -1
}

func said(answers Answers, seed ...uint64) string {
	var b bytes.Buffer
	checkTo(&b, answers, seed)
	return b.String()
}

func TestEveryQuestionHasItsFieldOneRightOptionAndALessonThatExists(t *testing.T) {
	fields := reflect.TypeFor[Answers]()
	list := questions()
	require.Len(t, list, fields.NumField())
	for i, q := range list {
		assert.Equal(t, fields.Field(i).Name, q.name)
		rights := 0
		for _, o := range q.options {
			assert.NotEmpty(t, o.says)
			assert.NotEmpty(t, o.why)
			if o.right {
				rights++
			}
		}
		assert.Equal(t, 1, rights, q.ask)
		assert.GreaterOrEqual(t, len(q.options), 4, q.ask)
		assertLesson(t, q.lesson)
	}
}

func assertLesson(t *testing.T, lesson string) {
	t.Helper()
	assert.FileExists(t, filepath.Join("..", "..", "notebooks", lesson+".ipynb"))
}

func TestRightAnswersAreRightInEveryOrder(t *testing.T) {
	for seed := range uint64(20) {
		assert.Contains(t, said(letters(seed, right), seed), "7 of 7 are right.")
	}
}

func TestTheSeedMovesTheLetters(t *testing.T) {
	seen := map[Answers]bool{}
	for seed := range uint64(20) {
		seen[letters(seed, right)] = true
	}
	assert.Greater(t, len(seen), 10)
}

func TestAWrongOptionIsToldWhyAndWhereToLook(t *testing.T) {
	for seed := range uint64(5) {
		for option := range 4 {
			text := said(letters(seed, func(q question) int { return (right(q) + 1 + option) % len(q.options) }), seed)
			for _, q := range shuffled([]uint64{seed}) {
				o := q.options[(right(q)+1+option)%len(q.options)]
				if !o.right {
					assert.Contains(t, strings.Join(strings.Fields(text), " "), "no: "+o.why+" Look at lesson "+q.lesson)
				}
			}
		}
	}
}

func TestWhatIsNoAnswerIsSaid(t *testing.T) {
	text := said(Answers{Token: "z", Lease: "ab", Fencing: "?"})
	assert.Equal(t, 4, strings.Count(text, "not answered yet"))
	assert.Contains(t, text, `"z" is none of its options: answer Token with one letter from a to d`)
	assert.Contains(t, text, `"ab" is none of its options`)
	assert.Contains(t, text, `"?" is none of its options`)
	assert.Contains(t, text, "0 of 7 are right.")
}

func TestEveryFollowUpAndMistakeHasPointsAndALessonThatExists(t *testing.T) {
	asks := map[string]bool{}
	basic := 0
	for _, f := range ladder() {
		assert.False(t, asks[f.ask], f.ask)
		asks[f.ask] = true
		assert.GreaterOrEqual(t, len(f.points), 3, f.ask)
		assertLesson(t, f.lesson)
		if !f.further {
			basic++
		}
	}
	assert.Equal(t, 20, basic)
	for _, m := range mistakes() {
		assert.NotEmpty(t, m.why)
		assertLesson(t, m.lesson)
	}
}

func TestASeedDrawsTheSameFollowUpsInTheOrderOfTheLadder(t *testing.T) {
	assert.Equal(t, text(draw(3, 5)), text(draw(3, 5)))
	assert.NotEqual(t, text(draw(3, 5)), text(draw(4, 5)))
	assert.Equal(t, text(ladder()), text(draw(3, 1000)))
}

func TestTheMockPageSaysEverythingWithoutItsScript(t *testing.T) {
	page := mockPage(draw(1, 5))
	static, _, _ := strings.Cut(page, "<script>")
	for _, f := range draw(1, 5) {
		assert.Contains(t, static, f.ask)
		for _, p := range f.points {
			assert.Contains(t, static, "<label><input type=\"checkbox\"> "+p)
		}
	}
	assert.NotContains(t, static, "hidden")
}

func ExampleMock() {
	Mock(1, 0)
	Mock(1, 1)
	// Output:
	// A mock interview of 0 questions asks nothing: say how many, for example interview.Mock(1, 5).
	// 1. How do you test it?
	//   - Simulate: pauses, delays, drops, crashes and clock jumps at every point.
	//   - Check that accepted tokens never go down for a key, and that no update is lost.
	//   - Replay the smallest failure; on the real thing, SIGSTOP the holder.
	//   Lesson 11-find-the-failure
}
