package setup

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

func TestTheNumberIsOfTheStepsThatAreDone(t *testing.T) {
	c := emptyCourse(t)
	quickDone := make(chan struct{})
	slow, _ := counting("slow", 0)
	slow.do = func(context.Context, course.Course, *task) error { <-quickDone; return nil }
	quick, _ := counting("quick", 0)
	next, _ := counting("next", 0, quick)
	next.do = func(context.Context, course.Course, *task) error { close(quickDone); return nil }
	last, _ := counting("last", 0, slow, next)
	var said strings.Builder
	require.NoError(t, runSteps(t.Context(), c, []*step{slow, quick, next, last}, &said))
	var numbers []string
	for line := range strings.Lines(said.String()) {
		if number, _, ok := strings.Cut(line, " "); ok && number != "" {
			numbers = append(numbers, number)
		}
	}
	assert.Equal(t, []string{"[1/4]", "[2/4]", "[3/4]", "[4/4]"}, numbers, said.String())
}

func TestALineOfProgressIsCutBetweenWords(t *testing.T) {
	for said, want := range map[string]string{
		"":                                  "      A step, 0 s",
		"one two":                           "      A step, 0 s: one two",
		"one two three four five":           "      A step, 0 s: one two three ...",
		"one-word-that-is-longer-than-that": "      A step, 0 s",
	} {
		step := &task{show: &progress{}, name: "A step", began: time.Now()}
		step.line(said)
		step.line("")
		assert.Equal(t, want, step.alive(37), said)
	}
}

func TestStepsSideBySideShareTheTerminalsLine(t *testing.T) {
	p := &progress{}
	for _, name := range []string{"JupyterLab", "GoNB"} {
		p.running = append(p.running, &task{show: p, name: name, began: time.Now(), latest: "words"})
	}
	assert.Equal(t, "      JupyterLab, 0 s; GoNB, 0 s", p.together())
	p.running = p.running[:1]
	assert.Equal(t, "      JupyterLab, 0 s: words", p.together())
	p.running = nil
	assert.NotContains(t, p.together(), "s", "nothing runs")
}
