package interview

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"html"
	random "math/rand/v2"
	"strings"

	"fencingtokens/charts"
)

//go:embed mock.js
var mockScript string

// secondsEach is how long a follow-up's answer may take.
const secondsEach = 120

// Mock shows a timed mock interview: n follow-ups drawn by seed, from easy to
// pressed further. Answer aloud, open the points, tick what you said; at the end
// it says by topic what to look at again. It runs in the page, without the
// kernel; where scripts do not run it is a list of questions with their points.
//
// It refuses an n below 1; one above the number of follow-ups means all of them.
func Mock(seed uint64, n int) {
	if n < 1 {
		fmt.Printf("A mock interview of %d questions asks nothing: say how many, for example interview.Mock(%d, 5).\n", n, seed)
		return
	}
	drawn := draw(seed, n)
	charts.Page(mockPage(drawn), text(drawn))
}

// draw returns n follow-ups in the order of the ladder.
func draw(seed uint64, n int) []followUp {
	all := ladder()
	n = min(n, len(all))
	chosen := map[int]bool{}
	for _, i := range random.New(random.NewPCG(seed, 13)).Perm(len(all))[:n] {
		chosen[i] = true
	}
	var drawn []followUp
	for i, f := range all {
		if chosen[i] {
			drawn = append(drawn, f)
		}
	}
	return drawn
}

func mockPage(drawn []followUp) string {
	id := "fencing-interview-" + rand.Text()
	var b strings.Builder
	fmt.Fprintf(&b, "<section id=%q aria-label=\"Mock interview\">\n<ol>\n", id)
	for _, f := range drawn {
		fmt.Fprintf(&b, "<li data-topic=%q><p class=\"ask\">%s</p>\n", f.topic, html.EscapeString(f.ask))
		b.WriteString("<details><summary>The points of a good answer</summary>\n<fieldset><legend>Which did you say?</legend>\n")
		for _, p := range f.points {
			fmt.Fprintf(&b, "<p><label><input type=\"checkbox\"> %s</label></p>\n", html.EscapeString(p))
		}
		fmt.Fprintf(&b, "</fieldset>%s</details></li>\n", link(f.lesson))
	}
	fmt.Fprintf(&b, "</ol>\n</section>\n<script>\n(%s)(%q, %d);\n</script>", strings.TrimSpace(mockScript), id, secondsEach)
	return b.String()
}

// Ladder shows all follow-ups with model answers behind disclosures, those that
// press further last.
func Ladder() {
	all := ladder()
	var b strings.Builder
	for i, f := range all {
		if i > 0 && f.further && !all[i-1].further {
			b.WriteString("<p><strong>Pressed further</strong></p>\n")
		}
		fmt.Fprintf(&b, "<details><summary>%d. %s</summary><ul>\n", i+1, html.EscapeString(f.ask))
		for _, p := range f.points {
			fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(p))
		}
		fmt.Fprintf(&b, "</ul>%s</details>\n", link(f.lesson))
	}
	charts.Page(b.String(), text(all))
}

// Mistakes shows answers that interviewers hear often, and what is wrong with
// each, behind disclosures.
func Mistakes() {
	var page, plain strings.Builder
	for _, m := range mistakes() {
		fmt.Fprintf(&page, "<details><summary>“%s”</summary><p>%s %s</p></details>\n", html.EscapeString(m.answer), html.EscapeString(m.why), link(m.lesson))
		fmt.Fprintf(&plain, "“%s”\n%s\n", m.answer, wrap("  - ", m.why))
	}
	charts.Page(page.String(), plain.String())
}

func link(lesson string) string {
	return fmt.Sprintf("<a href=\"%s.ipynb\">Lesson %s</a>", lesson, lesson)
}

// text is what is shown outside a notebook.
func text(list []followUp) string {
	var b strings.Builder
	for i, f := range list {
		fmt.Fprintf(&b, "%d. %s\n", i+1, f.ask)
		for _, p := range f.points {
			b.WriteString(wrap("  - ", p) + "\n")
		}
		fmt.Fprintf(&b, "  Lesson %s\n", f.lesson)
	}
	return b.String()
}
