//go:build !windows

package grade

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fencingtokens/notebooks/internal/answer"
)

// table is the rows as CSV.
func (g *class) table(rows []row) []byte {
	var out bytes.Buffer
	table := csv.NewWriter(&out)
	head := []string{"student", "points", "possible", "note"}
	possible := 0
	for _, e := range g.exercises {
		head = append(head, e.Name+" state", e.Name+" first failed check", e.Name+" misconception", e.Name+" seconds")
		possible += e.Points
	}
	_ = table.Write(head) // a buffer takes all
	for _, r := range rows {
		line := []string{r.student, strconv.Itoa(g.points(r)), strconv.Itoa(possible), strings.Join(r.notes, "; ")}
		for _, res := range r.results {
			line = append(line, res.State, res.Check, res.Mistake, fmt.Sprintf("%.1f", res.Seconds))
		}
		for i := range line {
			line[i] = safe(line[i])
		}
		_ = table.Write(line)
	}
	table.Flush()
	return out.Bytes()
}

// formulas are what a spreadsheet takes for the beginning of one.
const formulas = "=+-@＝＋－＠"

// safe is text that a spreadsheet takes for text.
func safe(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if first := strings.TrimLeftFunc(text, unicode.IsSpace); first != "" && strings.ContainsRune(formulas, []rune(first)[0]) {
		return "'" + text
	}
	return text
}

// summary prints, for each exercise, how many passed and what kept the others.
func (g *class) summary(out io.Writer, rows []row) {
	fmt.Fprintln(out)
	for i, e := range g.exercises {
		count := map[string]int{}
		for _, r := range rows {
			count[why(r.results[i])]++
		}
		fmt.Fprintf(out, "%s: %d of %d passed (%.0f %%)\n", e.Name, count[passed], len(rows), 100*float64(count[passed])/float64(len(rows)))
		delete(count, passed)
		for _, reason := range slices.SortedFunc(maps.Keys(count), func(a, b string) int {
			return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
		}) {
			fmt.Fprintf(out, "    %3d  %s\n", count[reason], reason)
		}
	}
}

// why is a state with the misconception, if a check found one. What the compiler
// says is different for each.
func why(r result) string {
	if r.Check == "" || r.State == string(answer.Broken) {
		return r.State
	}
	return fmt.Sprintf("%s at “%s”: %s", r.State, r.Check, r.Mistake)
}
