package kind

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Spec is a game's spec taken apart: kind:args+option+option.
// Args is what lies between the colon and the options, for the kind to read: numbers, a path, a shape.
type Spec struct {
	Name    string // of the kind
	Args    string
	Options []string

	// Accepted are the options that the kind takes, to name them where another one is given.
	Accepted []string

	// Read reads a file that the spec names.
	Read func(path string) ([]byte, error)
}

// KindNameIn returns the name of the kind in a spec.
func KindNameIn(spec string) string {
	if i := strings.IndexAny(spec, ":+"); i >= 0 {
		return spec[:i]
	}
	return spec
}

// Split takes a spec of the kind apart. Where the argument can be a path, which
// may hold a plus sign, only known options are taken off its end.
func (k *Kind) Split(spec string) Spec {
	s := Spec{Accepted: k.Options}
	if k.File == nil {
		words := strings.Split(spec, "+")
		s.Name, s.Args, _ = strings.Cut(words[0], ":")
		s.Options = words[1:]
		return s
	}
	rest := spec
	for {
		i := strings.LastIndexByte(rest, '+')
		if i < 0 || !k.knows(rest[i+1:]) {
			s.Name, s.Args, _ = strings.Cut(rest, ":")
			return s
		}
		s.Options = slices.Insert(s.Options, 0, rest[i+1:])
		rest = rest[:i]
	}
}

// knows reports whether a word is an option: the kind's own or one of positional
// games.
func (k *Kind) knows(word string) bool {
	return slices.Contains(k.Options, word) || slices.Contains(geometry, word) ||
		strings.HasPrefix(word, slip) || slices.Contains(RuleWords(), word)
}

// RefuseArgsAndOptions refuses arguments and options.
func (s Spec) RefuseArgsAndOptions() error {
	if s.Args != "" {
		return fmt.Errorf("%s takes no arguments", s.Name)
	}
	if len(s.Options) > 0 {
		return fmt.Errorf("option %q has no meaning in %s", s.Options[0], s.Name)
	}
	return nil
}

// Numbers reads the arguments as exactly n whole numbers.
func (s Spec) Numbers(n int) ([]int, error) { return ParseNumbers(s.Args, n) }

// ParseNumbers reads exactly n whole numbers joined with commas.
func ParseNumbers(args string, n int) ([]int, error) {
	words := strings.Split(args, ",")
	if args == "" || len(words) != n {
		if n == 1 {
			return nil, fmt.Errorf("%q: a whole number is needed", args)
		}
		return nil, fmt.Errorf("%q: %d whole numbers joined with commas are needed", args, n)
	}
	list := make([]int, n)
	for i, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil {
			return nil, fmt.Errorf("%q is no whole number", w)
		}
		list[i] = v
	}
	return list, nil
}

// ReadText reads the file that the arguments name, without the mark that some
// editors begin a text with, and returns the identity of what is in it.
// The identity goes by eight bytes of the digest, so that a file keeps it wherever it lies.
func (s Spec) ReadText() (text []byte, identity string, err error) {
	data, err := s.Read(s.Args)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	return bytes.TrimPrefix(data, []byte("\ufeff")), s.Name + ":" + hex.EncodeToString(sum[:8]), nil
}
