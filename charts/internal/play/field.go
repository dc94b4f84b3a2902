package play

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// field is a field of Config or Policy that a scene may change.
type field struct {
	name   string
	policy bool
}

var fields = append(fieldsOf(fencing.Config{}, false), fieldsOf(fencing.Policy{}, true)...)

func fieldsOf(value any, policy bool) []field {
	var found []field
	for i := range reflect.TypeOf(value).NumField() {
		name := reflect.TypeOf(value).Field(i).Name
		// Fencing is part of how a scene is looked at.
		if !slices.Contains([]string{"Fencing", "Storage", "Chooser", "Untraced"}, name) {
			found = append(found, field{name, policy})
		}
	}
	return found
}

func findField(name string) (field, error) {
	for _, f := range fields {
		if f.name == name {
			return f, nil
		}
	}
	return field{}, fmt.Errorf("%q is nothing that the playground can change", name)
}

// compare notes the fields in which now differs from before.
func compare(changes map[string]string, before, now any) {
	for _, f := range fields {
		was, is := reflect.ValueOf(before).FieldByName(f.name), reflect.ValueOf(now).FieldByName(f.name)
		if is.IsValid() && toText(was) != toText(is) {
			changes[f.name] = toText(is)
		}
	}
}

// toText writes a field's value as links have it.
func toText(v reflect.Value) string {
	switch value := v.Interface().(type) {
	case time.Duration:
		return value.String()
	case []fencing.Fault:
		return fencing.ChoiceString(value)
	case []fencing.Clock:
		return clocksText(value)
	case fencing.Check:
		return strconv.Itoa(int(value))
	}
	return fmt.Sprint(v.Interface())
}

// set reads what toText wrote into the field of the struct that to points at.
func (f field) set(to any, text string) (err error) {
	v := reflect.ValueOf(to).Elem().FieldByName(f.name)
	switch p := v.Addr().Interface().(type) {
	case *time.Duration:
		*p, err = time.ParseDuration(text)
	case *[]fencing.Fault:
		*p, err = fencing.ParseFaults(text)
	case *[]fencing.Clock:
		*p, err = parseClocks(text)
	case *fencing.Check:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 8)
		*p = fencing.Check(n)
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *int:
		*p, err = strconv.Atoi(text)
	case *uint64:
		*p, err = strconv.ParseUint(text, 10, 64)
	case *string:
		*p = text
	}
	if err != nil {
		return fmt.Errorf("%s is %q in the link, and that makes no sense there: %w", f.name, text, err)
	}
	return nil
}

// literal writes a field's value in Go.
func literal(v reflect.Value) string {
	switch value := v.Interface().(type) {
	case time.Duration:
		return inGo(value)
	case []fencing.Clock:
		var clocks []string
		for _, c := range value {
			clocks = append(clocks, fmt.Sprintf("{Actor: %q, Offset: %s, PPM: %d}", c.Actor, inGo(c.Offset), c.PPM))
		}
		return "[]fencing.Clock{" + strings.Join(clocks, ", ") + "}"
	case fencing.Check:
		return fmt.Sprintf("fencing.Check(%d)", value)
	case uint64: // which %#v writes in hexadecimal
		return strconv.FormatUint(value, 10)
	}
	return fmt.Sprintf("%#v", v.Interface())
}

// inGo writes a length as a learner would.
func inGo(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		if d%unit.length == 0 {
			return fmt.Sprintf("%d * %s", d/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d * time.Nanosecond", d)
}

// clocksText writes clocks as in "client 1/1s ahead/20000 ppm fast", one a line.
func clocksText(clocks []fencing.Clock) string {
	var lines []string
	for _, c := range clocks {
		lines = append(lines, fmt.Sprintf("%s/%s ahead/%d ppm fast", c.Actor, c.Offset, c.PPM))
	}
	return strings.Join(lines, "\n")
}

var clockForm = errors.New("write clocks as in \"client 1/0s ahead/20000 ppm fast\"")

func parseClocks(text string) ([]fencing.Clock, error) {
	var clocks []fencing.Clock
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), "/")
		if len(parts) < 3 {
			return nil, clockForm
		}
		name, last := parts[:len(parts)-2], parts[len(parts)-2:] // a name may have a slash in it
		ahead, err := time.ParseDuration(strings.TrimSuffix(last[0], " ahead"))
		ppm, err2 := strconv.ParseInt(strings.TrimSuffix(last[1], " ppm fast"), 10, 64)
		if err != nil || err2 != nil {
			return nil, clockForm
		}
		clocks = append(clocks, fencing.Clock{Actor: strings.Join(name, "/"), Offset: ahead, PPM: ppm})
	}
	return clocks, nil
}
