package lab

import (
	"os"
	"os/exec"
	"runtime"
)

// Browse opens the address in the user's browser, where one can be found; it
// has been printed, so that nothing is lost where none can.
func Browse(address string) {
	for _, name := range openers() {
		cmd := exec.Command(name, address)
		if cmd.Start() == nil {
			go cmd.Wait()
			return
		}
	}
}

func openers() []string {
	if runtime.GOOS == "darwin" {
		return []string{"open"}
	}
	names := []string{"wslview"}
	// Without a screen xdg-open starts a browser in the terminal.
	if os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") != "" {
		names = append(names, "xdg-open")
	}
	return names
}
