package interview

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

// Answers are a learner's answers to the seven questions: a letter each, or
// nothing.
type Answers struct {
	Token      string // What is a fencing token?
	Lease      string // Why is a lease not safe on its own?
	Fencing    string // How do you implement fencing?
	Renewing   string // Does renewing prevent two holders?
	Redlock    string // Is Redlock safe?
	Needed     string // When do you need a distributed lock?
	Efficiency string // Efficiency or correctness: what is the difference?
}

// Questions prints the seven questions with their options. A seed shuffles the
// options, so that nobody learns letters; pass the same one to [Check].
func Questions(seed ...uint64) {
	for i, q := range shuffled(seed) {
		fmt.Printf("%d. %s (%s)\n", i+1, q.ask, q.name)
		for j, o := range q.options {
			fmt.Println(wrap(fmt.Sprintf("   %c  ", 'a'+j), o.says))
		}
		fmt.Println()
	}
}

// Check prints, for every question, whether the answer is right and why. A wrong
// option is a misconception that people have: its line says which fact speaks
// against it, and which lesson shows it.
func Check(answers Answers, seed ...uint64) { checkTo(os.Stdout, answers, seed) }

func checkTo(out io.Writer, answers Answers, seed []uint64) {
	given := []string{answers.Token, answers.Lease, answers.Fencing, answers.Renewing, answers.Redlock, answers.Needed, answers.Efficiency}
	right := 0
	for i, q := range shuffled(seed) {
		verdict, ok := q.judge(given[i])
		if ok {
			right++
		}
		fmt.Fprintf(out, "%d. %s\n%s\n\n", i+1, q.ask, wrap("   ", verdict))
	}
	fmt.Fprintf(out, "%d of %d are right.\n", right, len(given))
}

// question is one of the seven. One option is right.
type question struct {
	name    string // the field of Answers
	ask     string
	lesson  string // the notebook that shows it
	options []option
}

type option struct {
	says  string
	why   string // why it is right, or what speaks against it
	right bool
}

func (q question) judge(given string) (verdict string, right bool) {
	letter := strings.ToLower(strings.TrimSpace(given))
	if letter == "" {
		return "not answered yet", false
	}
	if len(letter) != 1 || letter[0] < 'a' || int(letter[0]-'a') >= len(q.options) {
		return fmt.Sprintf("%q is none of its options: answer %s with one letter from a to %c", given, q.name, 'a'+len(q.options)-1), false
	}
	o := q.options[letter[0]-'a']
	if o.right {
		return "right: " + o.why, true
	}
	return fmt.Sprintf("no: %s Look at lesson %s.", o.why, q.lesson), false
}

// shuffled returns the questions with their options in the seed's order.
func shuffled(seed []uint64) []question {
	var s uint64
	if len(seed) > 0 {
		s = seed[0]
	}
	random := rand.New(rand.NewPCG(s, 7))
	list := questions()
	for _, q := range list {
		random.Shuffle(len(q.options), func(i, j int) { q.options[i], q.options[j] = q.options[j], q.options[i] })
	}
	return list
}

// width is how many columns fit into a notebook's output.
const width = 95

// wrap breaks a text at spaces and indents all its lines as far as the first.
func wrap(first, text string) string {
	indent := strings.Repeat(" ", len(first))
	line := first
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		if i > 0 && len([]rune(line))+1+len([]rune(word)) > width {
			b.WriteString(line + "\n")
			line = indent + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line
}
