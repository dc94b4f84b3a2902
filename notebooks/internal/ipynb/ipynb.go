// Package ipynb reads and changes notebooks. A change leaves every byte of
// every other cell's text as it was, and writes the file as Jupyter does.
package ipynb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Notebook is what the course reads of a notebook.
type Notebook struct {
	Cells    []*Cell        `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

// Cell is one cell, of code or of text.
type Cell struct {
	Type     string `json:"cell_type"`
	ID       string `json:"id"`
	Metadata struct {
		Tags []string `json:"tags"`
	} `json:"metadata"`
	Source  Text     `json:"source"`
	Count   *int     `json:"execution_count"`
	Outputs []Output `json:"outputs"`
}

// Output is one output of a code cell.
type Output struct {
	Type string                     `json:"output_type"`
	Name string                     `json:"name"` // of a stream: stdout or stderr
	Text Text                       `json:"text"`
	Data map[string]json.RawMessage `json:"data"`
}

// Text is text that the notebook format may keep as a list of lines.
type Text string

// UnmarshalJSON reads text, or a list of lines.
func (t *Text) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*t = Text(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// Code tells whether the cell holds code.
func (c *Cell) Code() bool { return c.Type == "code" }

// Tagged tells whether the cell has the tag.
func (c *Cell) Tagged(tag string) bool { return slices.Contains(c.Metadata.Tags, tag) }

// Prints is what the cell printed.
func (c *Cell) Prints() string {
	var text strings.Builder
	for _, o := range c.Outputs {
		if o.Type == "stream" && o.Name == "stdout" {
			text.WriteString(string(o.Text))
		}
	}
	return text.String()
}

// Parse reads a notebook.
func Parse(data []byte) (Notebook, error) {
	var n Notebook
	if err := json.Unmarshal(data, &n); err != nil {
		return n, fmt.Errorf("it is not the JSON of a notebook: %w", err)
	}
	if n.Cells == nil || slices.Contains(n.Cells, nil) {
		return n, errors.New("it is JSON, but no notebook: it has no list of cells")
	}
	return n, nil
}

// A cell as it stands in the file, so that what is not changed stays the same.
type rawCell = json.RawMessage

// edit changes the list of cells of a notebook.
func edit(data []byte, change func(n Notebook, cells []rawCell) ([]rawCell, error)) ([]byte, error) {
	n, err := Parse(data)
	if err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	var cells []rawCell
	if err := errors.Join(json.Unmarshal(data, &whole), json.Unmarshal(whole["cells"], &cells)); err != nil {
		return nil, err
	}
	if cells, err = change(n, cells); err != nil {
		return nil, err
	}
	if whole["cells"], err = write(cells); err != nil {
		return nil, err
	}
	return write(whole)
}

// write is Jupyter's way: keys sorted, one space a level, no escapes for HTML.
func write(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(v)
	return out.Bytes(), err
}

// SetSource gives the cell with this number new code and takes its outputs away.
func SetSource(data []byte, at int, source string) ([]byte, error) {
	return edit(data, func(_ Notebook, cells []rawCell) ([]rawCell, error) {
		var cell map[string]json.RawMessage
		if err := json.Unmarshal(cells[at], &cell); err != nil {
			return nil, err
		}
		return cells, fill(cells, at, cell, source)
	})
}

// Insert puts a new code cell before the cell with this number.
func Insert(data []byte, at int, id, source string) ([]byte, error) {
	return edit(data, func(_ Notebook, cells []rawCell) ([]rawCell, error) {
		name, err := write(id)
		if err != nil {
			return nil, err
		}
		cells = slices.Insert(cells, at, nil)
		return cells, fill(cells, at, map[string]json.RawMessage{
			"cell_type": rawCell(`"code"`), "id": name, "metadata": rawCell("{}"),
		}, source)
	})
}

// InsertText puts a new text cell before the cell with this number.
func InsertText(data []byte, at int, id, markdown string) ([]byte, error) {
	return edit(data, func(_ Notebook, cells []rawCell) ([]rawCell, error) {
		cell, err := write(map[string]any{"cell_type": "markdown", "id": id, "metadata": struct{}{}, "source": strings.SplitAfter(markdown, "\n")})
		return slices.Insert(cells, at, cell), err
	})
}

func fill(cells []rawCell, at int, cell map[string]json.RawMessage, source string) (err error) {
	if cell["source"], err = write(strings.SplitAfter(source, "\n")); err != nil {
		return err
	}
	cell["outputs"], cell["execution_count"] = rawCell("[]"), rawCell("null")
	cells[at], err = write(cell)
	return err
}

// Keep leaves out the cells that keep does not want.
func Keep(data []byte, keep func(number int, c *Cell) bool) ([]byte, error) {
	return edit(data, func(n Notebook, cells []rawCell) ([]rawCell, error) {
		var kept []rawCell
		for i, c := range n.Cells {
			if keep(i, c) {
				kept = append(kept, cells[i])
			}
		}
		return kept, nil
	})
}

// ClearOutputs takes all outputs and numbers of runs away.
func ClearOutputs(data []byte) ([]byte, error) {
	n, err := Parse(data)
	for i, c := range n.Cells {
		if err == nil && c.Code() && (len(c.Outputs) > 0 || c.Count != nil) {
			data, err = SetSource(data, i, string(c.Source))
		}
	}
	return data, err
}

// WriteFile writes a file so that it is there as a whole, or as it was before,
// and keeps who may read it.
func WriteFile(file string, data []byte) error {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	fresh, err := os.CreateTemp(filepath.Dir(file), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(fresh.Name()) // fails where all went well
	_, err = fresh.Write(data)
	err = errors.Join(err, fresh.Chmod(mode), fresh.Sync(), fresh.Close())
	if err != nil {
		return err
	}
	return os.Rename(fresh.Name(), file)
}
