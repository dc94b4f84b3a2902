package charts

import "github.com/janpfeifer/gonb/gonbui"

func inNotebook() bool { return gonbui.IsNotebook }

// display shows HTML in the cell's output, in order with the text printed before
// and after it.
func display(page string) {
	gonbui.Sync()
	gonbui.DisplayHTML(page)
	gonbui.Sync()
}
