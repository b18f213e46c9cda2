package certificate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
)

// magic begins a certificate, and names the version of the format, which
// docs/certificate.md describes. Version 2 is for games of shared marks, version 3 for those of
// nine boards, version 4 for strategies of moves alone on columns of squares, version 5 for races.
const (
	magic        = "oxo proof 1\n"
	magicShared  = "oxo proof 2\n"
	magicNine    = "oxo proof 3\n"
	magicColumns = "oxo proof 4\n"
	magicRace    = "oxo proof 5\n"
)

// OfColumns reports whether a file that begins so is a certificate of moves alone on columns; head has at least its
// first line.
func OfColumns(head []byte) bool { return bytes.HasPrefix(head, []byte(magicColumns)) }

// version returns the line that begins the certificate of p.
func (p *Proof) version() string {
	switch {
	case p.Game.Nine != nil:
		return magicNine
	case p.Game.Race != nil:
		return magicRace
	case p.ByMoves():
		return magicColumns
	case p.Game.Shared():
		return magicShared
	}
	return magic
}

// WriteTo writes the certificate of p, and returns how many bytes it has written. The file is the magic line, then
// everything else deflated, then the SHA-256 of all before it in 32 bytes.
func (p *Proof) WriteTo(w io.Writer) (int64, error) {
	digest := sha256.New()
	counted := &countingWriter{w: io.MultiWriter(w, digest)}
	version := p.version()
	if _, err := io.WriteString(counted, version); err != nil {
		return counted.n, err
	}
	packer, err := flate.NewWriter(counted, flate.BestCompression)
	if err != nil {
		return counted.n, err
	}
	c := &coder{w: bufio.NewWriter(packer)}
	c.proof(p, version)
	if err := errors.Join(c.err, c.w.Flush()); err != nil {
		return counted.n, err
	}
	if err := packer.Close(); err != nil {
		return counted.n, err
	}
	n, err := w.Write(digest.Sum(nil))
	return counted.n + int64(n), err
}

// Digest returns the SHA-256 of the game as a certificate describes it. Two games that differ only in
// how people name them differ in it too, as the name is part of a certificate.
func (g *Setup) Digest() [sha256.Size]byte {
	var b bytes.Buffer
	c, p := &coder{w: bufio.NewWriter(&b)}, &Proof{Game: *g}
	c.proof(p, p.version())
	c.w.Flush()
	return sha256.Sum256(b.Bytes())
}

// countingWriter counts the bytes that are written, as far as the writer behind it takes them.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Read reads a certificate, a file of size bytes, whose nodes come to lie on a disk. It checks the
// checksum and the form, not the proof: see package verify. It reads the file twice, first for the
// checksum and then for what it says. Numbers out of range, a permutation that is none and a game
// that has no proof are errors.
func Read(file io.ReaderAt, size int64, nodesOn Disk) (*Proof, error) {
	head := make([]byte, len(magic))
	if n, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	} else if !slices.Contains([]string{magic, magicShared, magicNine, magicColumns, magicRace}, string(head[:n])) {
		return nil, fmt.Errorf("not a certificate: it must begin with %q", magic)
	}
	version, begin, end := string(head), int64(len(magic)), size-sha256.Size
	if end < begin {
		return nil, errors.New("the file is damaged: it is cut short")
	}
	sum, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, end)); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(want, end); err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return nil, errors.New("the checksum does not fit: the file is damaged")
	}
	// The unpacker ends by itself where the packed part does; what it has to read is all between magic and checksum.
	c, p := &coder{r: bufio.NewReader(flate.NewReader(bufio.NewReader(io.NewSectionReader(file, begin, end-begin)))),
		on: nodesOn}, &Proof{}
	c.proof(p, version)
	return p, c.err
}
