package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"oxo": main}) }

// TestScripts runs the command line as people do: see testdata/*.txtar.
func TestScripts(t *testing.T) { testscript.Run(t, testscript.Params{Dir: "testdata"}) }
