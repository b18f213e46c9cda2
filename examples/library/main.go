// Command library is oxo with one game more: all verbs, the server and the
// studio know it. See docs/library.md.
package main

import (
	"oxo/cmd"
	"oxo/lab"

	"example.org/library/roam"
)

func main() { cmd.Main(lab.KindOf(roam.Kind)) }
