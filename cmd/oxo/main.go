// Command oxo is the laboratory's one binary.
package main

import "oxo/cmd"

func main() { cmd.Main() }
