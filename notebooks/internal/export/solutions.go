package export

import (
	"fmt"
	"html"
	"os"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

// solutions are the texts of all, by the name of their exercise.
func solutions(c course.Course) (map[string]string, error) {
	texts := map[string]string{}
	for _, e := range exercises.All() {
		text, err := e.Solution(c.Root)
		if err != nil {
			return nil, err
		}
		texts[e.Name] = text
	}
	return texts, nil
}

// solve puts below each test of an answer the solution, and returns how many it
// has put into the notebook.
func (e Export) solve(file string) (solved int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for _, x := range exercises.All() {
		n, err := ipynb.Parse(data)
		if err != nil {
			return 0, err
		}
		at := answer.TestCell(n, x)
		if at < 0 {
			continue
		}
		if data, err = ipynb.InsertText(data, at+1, x.Name+"-solution", e.folded(x)); err != nil {
			return 0, err
		}
		solved++
	}
	return solved, ipynb.WriteFile(file, data)
}

// folded is a solution that is closed on a screen until the reader opens it, or
// the page is printed. Paper opens nothing, so there it is open.
func (e Export) folded(x exercises.Exercise) string {
	opened := map[bool]string{true: " open"}[e.Print]
	return fmt.Sprintf("<details class=\"fencing-solution\"%s><summary>Solution: %s</summary>\n\n```go\n%s\n```\n\n</details>",
		opened, html.EscapeString(x.Title), e.solutions[x.Name])
}
