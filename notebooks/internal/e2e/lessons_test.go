package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
)

// lesson is a notebook as the tests read and change it.
type lesson struct {
	Cells    []*cell        `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

type cell struct {
	Type     string         `json:"cell_type"`
	ID       string         `json:"id"`
	Metadata map[string]any `json:"metadata"`
	Source   lines          `json:"source"`
	Count    *int           `json:"execution_count"`
	Outputs  []output       `json:"outputs"`
}

type output struct {
	Type string                     `json:"output_type"`
	Name string                     `json:"name"`
	Text lines                      `json:"text"`
	Data map[string]json.RawMessage `json:"data"`
}

// lines is text that the notebook format may keep as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// prints is what the cell printed.
func (c *cell) prints() string {
	var text strings.Builder
	for _, o := range c.Outputs {
		if o.Type == "stream" && o.Name == "stdout" {
			text.WriteString(string(o.Text))
		}
	}
	return text.String()
}

// lessons lists the notebooks that git holds, so that a learner's own changes
// and outputs are not tested; without git, those that are there.
func lessons(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", ready(t).Root, "ls-files", "notebooks/*.ipynb").Output()
	names := strings.Fields(string(out))
	if err != nil || len(names) == 0 {
		files, err := filepath.Glob(filepath.Join(ready(t).Root, "notebooks", "*.ipynb"))
		require.NoError(t, err)
		for _, f := range files {
			names = append(names, "notebooks/"+filepath.Base(f))
		}
	}
	require.GreaterOrEqual(t, len(names), 4)
	return names
}

// source is a lesson as git holds it.
func source(t *testing.T, name string) []byte {
	t.Helper()
	root := ready(t).Root
	data, err := exec.Command("git", "-C", root, "show", ":"+name).Output()
	if err != nil {
		data, err = os.ReadFile(filepath.Join(root, name))
	}
	require.NoError(t, err)
	return data
}

func parse(t *testing.T, data []byte) lesson {
	t.Helper()
	var l lesson
	require.NoError(t, json.Unmarshal(data, &l))
	return l
}

// execute runs notebook source under a name and returns it with its outputs.
func execute(t *testing.T, name string, data []byte) lesson {
	t.Helper()
	file := filepath.Join(t.TempDir(), filepath.Base(name))
	require.NoError(t, os.WriteFile(file, data, 0o644))
	result := runNotebook(t, file)
	require.True(t, result.OK(), result.Failure())
	executed, err := os.ReadFile(result.Executed)
	require.NoError(t, err)
	return parse(t, executed)
}

// untouched holds the lessons that were run as git holds them: it takes a while.
var untouched = map[string]lesson{}

func runUntouched(t *testing.T, name string) lesson {
	t.Helper()
	if _, done := untouched[name]; !done {
		untouched[name] = execute(t, name, source(t, name))
	}
	return untouched[name]
}

func TestEveryLessonRunsUntouched(t *testing.T) {
	for _, name := range lessons(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			for _, c := range runUntouched(t, name).Cells {
				for _, o := range c.Outputs {
					assert.NotEqual(t, "stderr", o.Name, "cell %s: %s", c.ID, o.Text)
				}
			}
		})
	}
}

func TestEveryLessonRunsWithItsExercisesSolved(t *testing.T) {
	byLesson := map[string][]exercises.Exercise{}
	for _, exercise := range exercises.All() {
		byLesson[exercise.Lesson] = append(byLesson[exercise.Lesson], exercise)
	}
	for lesson, its := range byLesson {
		t.Run(lesson, func(t *testing.T) {
			name := "notebooks/" + lesson + ".ipynb"
			root := ready(t).Root
			solved := source(t, name)
			for _, exercise := range its {
				stub, err := exercise.Stub(root)
				require.NoError(t, err)
				solution, err := exercise.Solution(root)
				require.NoError(t, err)
				solved = replaceCell(t, solved, stub, solution)
			}
			var all strings.Builder
			for _, c := range execute(t, name, solved).Cells {
				all.WriteString(c.prints())
			}
			for _, exercise := range its {
				assert.Contains(t, all.String(), exercise.Name+": passed")
			}
		})
	}
}

// replaceCell puts new source into the one cell that is the old, to the letter.
func replaceCell(t *testing.T, data []byte, old, new string) []byte {
	t.Helper()
	at := slices.IndexFunc(parse(t, data).Cells, func(c *cell) bool { return strings.TrimSpace(string(c.Source)) == old })
	require.GreaterOrEqual(t, at, 0, "a cell is the stub, to the letter:\n%s", old)
	var whole map[string]any
	require.NoError(t, json.Unmarshal(data, &whole))
	whole["cells"].([]any)[at].(map[string]any)["source"] = new
	data, err := json.Marshal(whole)
	require.NoError(t, err)
	return data
}

func TestAnUntouchedExerciseIsNotAttempted(t *testing.T) {
	for _, exercise := range exercises.All() {
		name := "notebooks/" + exercise.Lesson + ".ipynb"
		var all strings.Builder
		for _, c := range runUntouched(t, name).Cells {
			all.WriteString(c.prints())
		}
		assert.Contains(t, all.String(), exercise.Name+": not attempted")
	}
}

func TestLessonsAreKeptCleanAndWellFormed(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^(#+) `)
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	fence := regexp.MustCompile("(?s)```.*?```")
	for _, name := range lessons(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw := source(t, name)
			l := parse(t, raw)
			assert.Equal(t, []int{4, 5}, []int{l.Format, l.Minor})
			assert.Equal(t, map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}, l.Metadata["kernelspec"])
			ids := map[string]bool{}
			level := 0
			for _, c := range l.Cells {
				assert.NotEmpty(t, c.ID)
				assert.False(t, ids[c.ID], "two cells have the id %s", c.ID)
				ids[c.ID] = true
				if c.Type == "code" {
					assert.Empty(t, c.Outputs, "cell %s has outputs: choose Edit → Clear Outputs of All Cells and save", c.ID)
					assert.Nil(t, c.Count, "cell %s has a number: choose Edit → Clear Outputs of All Cells and save", c.ID)
					assert.NotContains(t, string(c.Source), "import ", "cell %s: cells import nothing", c.ID)
					continue
				}
				text := fence.ReplaceAllString(string(c.Source), "")
				for _, h := range heading.FindAllStringSubmatch(text, -1) {
					now := len(h[1])
					assert.LessOrEqual(t, now, level+1, "cell %s skips a heading level", c.ID)
					assert.False(t, now == 1 && level > 0, "cell %s has a second title", c.ID)
					level = now
				}
				for _, to := range link.FindAllStringSubmatch(text, -1) {
					if strings.Contains(to[1], "://") {
						continue
					}
					assert.FileExists(t, filepath.Join(ready(t).Root, "notebooks", to[1]), "cell %s links to it", c.ID)
				}
			}
			assert.True(t, strings.HasPrefix(string(l.Cells[0].Source), "# "), "the first cell is the title")
		})
	}
}

func TestTextKeepsItsPlaceAroundTwoHundredCharts(t *testing.T) {
	l := execute(t, "order.ipynb", mustRead(t, notebook(t, "order.ipynb", `%%
trace := fencing.GCPause().Run()
for i := range 200 {
	fmt.Println("before", i)
	charts.Timeline(trace)
	fmt.Println("after", i)
}`)))
	var got, want []string
	var text strings.Builder
	for _, o := range l.Cells[0].Outputs {
		text.WriteString(strings.ReplaceAll(string(o.Text), "\r", ""))
		if o.Type == "display_data" {
			text.WriteString("CHART\n")
		}
	}
	got = strings.Fields(strings.ReplaceAll(text.String(), " ", "-"))
	for i := range 200 {
		want = append(want, fmt.Sprintf("before-%d", i), "CHART", fmt.Sprintf("after-%d", i))
	}
	assert.Equal(t, want, got)
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}

func TestAClientThatNeverComesBackEndsItsCellWithItsNameAndTheKernelLives(t *testing.T) {
	const world = `%%%%
world := fencing.NewWorld(fencing.Config{})
world.Client("client 1", func(c *fencing.Client) { c.Sleep(time.Second); %s })
fmt.Println(world.Run().Err())`
	l := execute(t, "stubborn.ipynb", mustRead(t, notebook(t, "stubborn.ipynb",
		fmt.Sprintf(world, "for {}"),
		fmt.Sprintf(world, "<-make(chan int)"),
		fmt.Sprintf(world, `panic("no more")`),
		fmt.Sprintf(world, "runtime.Goexit()"),
		"%%\nfmt.Println(\"the kernel lives\")")))
	assert.Contains(t, l.Cells[0].prints(), "client 1 did not come back to the simulator")
	assert.Contains(t, l.Cells[1].prints(), "client 1 did not come back to the simulator")
	assert.Contains(t, l.Cells[2].prints(), "client 1 panicked: no more")
	assert.Contains(t, l.Cells[3].prints(), "client 1 ended its goroutine")
	assert.Contains(t, l.Cells[4].prints(), "the kernel lives")
}
