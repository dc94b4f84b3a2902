package exercises

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// Predict prints one line that compares what a learner said before a run with
// what the run showed. What was said is text, so that it can be left empty: then
// the line says only what happened, and a notebook that nobody touched runs to
// its end.
//
// The outcome is a time.Duration (said as "12s", "12 s" or "12"), a bool ("yes"
// or "no"), a whole number, or text, in which case and outer spaces do not count.
func Predict(question, said string, outcome any) {
	fmt.Println(question + ": " + compare(strings.TrimSpace(said), outcome))
}

func compare(said string, outcome any) string {
	was := show(outcome)
	if said == "" {
		return was + " (you predicted nothing)"
	}
	right, understood := matches(said, outcome)
	switch {
	case !understood:
		return fmt.Sprintf("you said %q, and it was %s (say it as in %q, and run both cells again)", said, was, was)
	case right:
		return "you said " + was + ", and so it was"
	}
	return fmt.Sprintf("you said %s, and it was %s: what did you not expect?", said, was)
}

func show(outcome any) string {
	switch o := outcome.(type) {
	case time.Duration:
		return fencing.Seconds(o)
	case bool:
		if o {
			return "yes"
		}
		return "no"
	}
	return fmt.Sprint(outcome)
}

// matches compares, and reports whether it understood what was said at all.
func matches(said string, outcome any) (right, understood bool) {
	said = strings.ToLower(said)
	switch o := outcome.(type) {
	case time.Duration:
		d, err := duration(said)
		return d == o, err == nil
	case bool:
		switch said {
		case "yes", "y", "true":
			return o, true
		case "no", "n", "false":
			return !o, true
		}
		return false, false
	case int:
		n, err := strconv.Atoi(said)
		return n == o, err == nil
	case uint64:
		n, err := strconv.ParseUint(said, 10, 64)
		return n == o, err == nil
	}
	return said == strings.ToLower(strings.TrimSpace(fmt.Sprint(outcome))), true
}

func duration(said string) (time.Duration, error) {
	said = strings.ReplaceAll(said, " ", "")
	if _, err := strconv.ParseFloat(said, 64); err == nil {
		said += "s"
	}
	return time.ParseDuration(said)
}
