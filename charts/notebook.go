package charts

import (
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

func inNotebook() bool { return gonbui.IsNotebook }

// display shows HTML in the cell's output, in order with the text printed before
// and after it. Text and HTML reach the kernel on different pipes, each with a
// reader of its own, so both have to be waited for.
func display(page string) {
	passOnText()
	gonbui.DisplayHTML(page)
	gonbui.Sync()
}

// passOnText returns when the kernel has passed on what was printed so far. The
// kernel reads the pipe again only after it has passed on what it read before:
// when it has taken a further, invisible byte out of the empty pipe, it is done
// with the text. Whether that byte is shown before or after the chart does not
// matter.
func passOnText() {
	if waitUntilRead() {
		_, _ = os.Stdout.WriteString("\r")
		waitUntilRead()
	}
}

// waitUntilRead returns true when the kernel has read all that was printed so
// far, or false if that cannot be known here.
func waitUntilRead() bool {
	for {
		n, err := unread(os.Stdout)
		if err != nil || n == 0 {
			return err == nil
		}
		time.Sleep(20 * time.Microsecond)
	}
}
