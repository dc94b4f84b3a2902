package fencing

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the fault as a choice string, for example
// "client 1/after acquire/1=pause 14s". [ParseFaults] reads it back.
func (f Fault) String() string {
	var where string
	if f.Point == 0 {
		where = "at " + f.At.String()
	} else {
		where = f.Point.String() + "/" + strconv.Itoa(f.nth())
	}
	what := f.Action.String()
	if f.Action.lasts() || f.Action == JumpIt {
		what += " " + f.For.String()
	}
	if f.Action == CutIt || f.Action == CleanUpIt {
		what += " " + quoteName(f.Target)
	}
	if f.Only {
		what += ", thread only"
	}
	if f.Keep {
		what += ", keeping"
	}
	switch f.Back {
	case 0:
	case FromStart:
		what += ", counting from start"
	default:
		what += fmt.Sprintf(", counting back %d", f.Back)
	}
	return quoteName(f.Actor) + "/" + where + "=" + what
}

// quoteName quotes a name only if the choice string would not be clear without.
func quoteName(name string) string {
	if name == "" || strings.ContainsAny(name, "/=,;\"\\\n") || strings.TrimSpace(name) != name {
		return strconv.Quote(name)
	}
	return name
}

// ChoiceString returns the faults as one text that can be pasted into a cell:
// their choice strings, separated by semicolons.
func ChoiceString(faults []Fault) string {
	parts := make([]string, len(faults))
	for i, f := range faults {
		parts[i] = f.String()
	}
	return strings.Join(parts, "; ")
}

// ParseFaults reads what [ChoiceString] wrote. Names that the run does not have
// are reported by the run.
func ParseFaults(text string) ([]Fault, error) {
	var faults []Fault
	for rest := strings.TrimSpace(text); rest != ""; {
		f, after, err := parseFault(rest)
		if err != nil {
			return nil, fmt.Errorf("the choice string stops making sense at %q: %w; write it as in \"client 1/after acquire/1=pause 14s; client 1/at 3s=crash\"", rest, err)
		}
		faults = append(faults, f)
		rest = strings.TrimSpace(after)
	}
	return faults, nil
}

func parseFault(text string) (f Fault, rest string, err error) {
	if f.Actor, text, err = cutName(text, "/"); err != nil {
		return f, "", err
	}
	where, text, found := strings.Cut(text, "=")
	if !found {
		return f, "", fmt.Errorf("an \"=\" is missing after %q", where)
	}
	if err = f.parseWhere(where); err != nil {
		return f, "", err
	}
	return f.parseWhat(text)
}

// cutName reads a name up to the separator, quoted or not.
func cutName(text, separator string) (name, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", fmt.Errorf("a quoted name has no end")
		}
		name, err = strconv.Unquote(quoted)
		return name, strings.TrimPrefix(text[len(quoted):], separator), err
	}
	end := strings.IndexAny(text, separator)
	if end < 0 {
		end = len(text)
	}
	return strings.TrimSpace(text[:end]), text[min(len(text), end+1):], nil
}

func (f *Fault) parseWhere(where string) error {
	if at, isTime := strings.CutPrefix(where, "at "); isTime {
		d, err := time.ParseDuration(at)
		f.At = d
		return wrapLength(at, err)
	}
	point, nth, _ := strings.Cut(where, "/")
	for p, name := range pointNames {
		if p > 0 && name == point {
			f.Point = Point(p)
		}
	}
	if f.Point == 0 {
		return fmt.Errorf("there is no point %q", point)
	}
	n, err := strconv.Atoi(nth)
	if err != nil || n < 1 {
		return fmt.Errorf("%q does not say which passing of %q, counted from 1", nth, point)
	}
	if n > 1 {
		f.Nth = n // the first passing is the default, as in Pause and the like
	}
	return nil
}

func (f Fault) parseWhat(text string) (Fault, string, error) {
	for a := Nothing + 1; a <= lastAction; a++ {
		after, found := strings.CutPrefix(text, a.String())
		if found && (after == "" || strings.ContainsAny(after[:1], " ,;")) {
			f.Action = a
			return f.parseDetails(after)
		}
	}
	return f, "", fmt.Errorf("there is no action in %q", text)
}

func (f Fault) parseDetails(text string) (Fault, string, error) {
	var err error
	if f.Action.lasts() || f.Action == JumpIt {
		text = strings.TrimLeft(text, " ")
		end := strings.IndexAny(text, " ,;")
		if end < 0 {
			end = len(text)
		}
		if f.For, err = time.ParseDuration(text[:end]); err != nil {
			return f, "", wrapLength(text[:end], err)
		}
		text = text[end:]
	}
	if f.Action == CutIt || f.Action == CleanUpIt {
		text = strings.TrimLeft(text, " ")
		quoted := strings.HasPrefix(text, `"`)
		end := strings.IndexAny(text, ",;")
		if end < 0 {
			end = len(text)
		}
		if quoted {
			prefix, err := strconv.QuotedPrefix(text)
			if err != nil {
				return f, "", fmt.Errorf("a quoted name has no end")
			}
			end = len(prefix)
		}
		if f.Target, _, err = cutName(text[:end], ",;"); err != nil {
			return f, "", err
		}
		text = text[end:]
	}
	return f.parseOptions(text)
}

func (f Fault) parseOptions(text string) (Fault, string, error) {
	options, rest, _ := strings.Cut(text, ";")
	for _, option := range strings.Split(options, ",") {
		option = strings.TrimSpace(option)
		back, isBack := strings.CutPrefix(option, "counting back ")
		switch {
		case option == "":
		case option == "thread only":
			f.Only = true
		case option == "keeping":
			f.Keep = true
		case option == "counting from start":
			f.Back = FromStart
		case isBack:
			n, err := strconv.ParseUint(back, 10, 64)
			if err != nil {
				return f, "", fmt.Errorf("%q is not a number of grants", back)
			}
			f.Back = n
		default:
			return f, "", fmt.Errorf("there is no option %q", option)
		}
	}
	return f, rest, nil
}

func wrapLength(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q is not a length such as 14s or 250ms", text)
}

// sentence says the fault in words, for a chart's parameters and the story.
func (f Fault) sentence() string {
	where := "at " + Seconds(f.At)
	if f.Point != 0 {
		where = f.Point.String()
		if f.nth() > 1 {
			where += fmt.Sprintf(" no. %d", f.nth())
		}
	}
	switch f.Action {
	case PauseIt:
		if f.Only {
			return fmt.Sprintf("one thread of %s paused %s %s", f.Actor, Seconds(f.For), where)
		}
		return fmt.Sprintf("%s paused %s %s", f.Actor, Seconds(f.For), where)
	case SuspendIt:
		return fmt.Sprintf("%s’s machine sleeps %s %s", f.Actor, Seconds(f.For), where)
	case CrashIt:
		return fmt.Sprintf("%s crashes %s", f.Actor, where)
	case RestartIt:
		return fmt.Sprintf("%s restarts %s%s", f.Actor, where, map[bool]string{true: " and remembers its lease"}[f.Keep])
	case DelayIt:
		return fmt.Sprintf("%s’s %s delayed %s", f.Actor, where, Seconds(f.For))
	case DropIt:
		return fmt.Sprintf("%s’s %s dropped", f.Actor, where)
	case DuplicateIt:
		return fmt.Sprintf("%s’s %s arrives again after %s", f.Actor, where, Seconds(f.For))
	case CutIt:
		return fmt.Sprintf("%s cut off from %s for %s %s", theActor(f.Actor), theActor(f.Target), Seconds(f.For), where)
	case JumpIt:
		return fmt.Sprintf("the clock of %s jumps by %s %s", theActor(f.Actor), Seconds(f.For), where)
	case StopIt:
		return fmt.Sprintf("the clock of %s stands still for %s %s", theActor(f.Actor), Seconds(f.For), where)
	case RebootIt:
		return fmt.Sprintf("%s restarts %s", theActor(f.Actor), where)
	case CleanUpIt:
		return fmt.Sprintf("%q is deleted by a clean-up %s", f.Target, where)
	default:
		return "the lock service fails over " + where + f.failOverDetails()
	}
}

func (f Fault) failOverDetails() string {
	details := " and forgets its locks"
	if f.Keep {
		details = " and keeps its locks"
	}
	switch f.Back {
	case 0:
		return details
	case FromStart:
		return details + ", counting from the start again"
	}
	return fmt.Sprintf("%s, its counter %d behind", details, f.Back)
}
