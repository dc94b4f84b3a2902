// Command notebooks speaks on Windows only to say where it runs: GoNB, the
// Go kernel, needs named pipes that Windows itself does not have.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "The course runs inside WSL on Windows: run `wsl --install` once, install Go and Python there, and type the same command in its window.")
	os.Exit(1)
}
