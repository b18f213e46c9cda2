package certificate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Scratch is room on disk, or in memory: what is written to it can be read again until it is closed.
type Scratch = interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// Disk makes room. Where it is nil there is none but in memory.
type Disk func() (Scratch, error)

// Create makes room, which its user closes. An error is a DiskError.
func (d Disk) Create() (Scratch, error) {
	if d == nil {
		return &inMemory{}, nil
	}
	s, err := d()
	if err != nil {
		return nil, &DiskError{err}
	}
	return s, nil
}

// DiskError is an error of the disk that holds what the memory does not. It is told from a fault of
// the proof: the same strategy may be written where there is room.
type DiskError struct{ Err error }

func (e *DiskError) Error() string { return fmt.Sprintf("no room on disk for the strategy: %v", e.Err) }
func (e *DiskError) Unwrap() error { return e.Err }

// inMemory is room in memory. Reading does not use up what was written, so several may read at once.
type inMemory struct{ bytes.Buffer }

func (m *inMemory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.Bytes()).ReadAt(p, at)
}
func (m *inMemory) Close() error { return nil }

// Nodes are those of a strategy, packed as in a certificate; nil are none. When all have been added
// several may read them at once. There may be more of them than the memory holds, hence the disk:
// reading one takes two reads, of its ends and of its bytes.
type Nodes struct {
	data, ends Scratch // the nodes, and for each where it ends, in eight bytes
	toData     *bufio.Writer
	toEnds     *bufio.Writer
	count      int
	size       int64
	lastFirst  bool // the last one was added first, so that nodes are added after those that they lead to
	onDisk     bool
}

// NewNodes returns nodes, still none, that lie on a disk. With lastFirst they are added from the last to the first.
func NewNodes(d Disk, lastFirst bool) (*Nodes, error) {
	n := &Nodes{lastFirst: lastFirst, onDisk: d != nil}
	var err error
	if n.data, err = d.Create(); err != nil {
		return nil, err
	}
	if n.ends, err = d.Create(); err != nil {
		n.data.Close()
		return nil, err
	}
	n.toData, n.toEnds = bufio.NewWriter(n.data), bufio.NewWriter(n.ends)
	return n, nil
}

// NodesOf returns nodes in memory, from the first to the last.
func NodesOf(list ...Node) *Nodes {
	n, _ := NewNodes(nil, false)
	for _, x := range list {
		n.Add(x)
	}
	_ = n.Finish() // in memory there are no errors
	return n
}

// Add adds a node. The nodes that it leads to are numbered as they are added. [Nodes.Finish] returns the error, if
// there is one.
func (n *Nodes) Add(x Node) {
	c := &coder{w: n.toData}
	c.node(n.count, &x, most, most, most)
	n.count++
	n.size += c.n
	var end [8]byte
	binary.LittleEndian.PutUint64(end[:], uint64(n.size))
	n.toEnds.Write(end[:])
}

// Finish ends the adding.
func (n *Nodes) Finish() error {
	err := errors.Join(n.toData.Flush(), n.toEnds.Flush()) // which keep the first error
	n.toData, n.toEnds = nil, nil
	if err != nil {
		return &DiskError{err}
	}
	return nil
}

// Close gives back the room that they take. Nothing can be read afterwards.
func (n *Nodes) Close() error { return errors.Join(n.data.Close(), n.ends.Close()) }

// Len returns how many there are; of nil nodes 0.
func (n *Nodes) Len() int {
	if n == nil {
		return 0
	}
	return n.count
}

// MemoryBytes returns how many bytes of memory they take: none where they lie on a disk.
func (n *Nodes) MemoryBytes() int64 {
	if n == nil || n.onDisk {
		return 0
	}
	return n.size + 8*int64(n.count)
}

// At returns node k, from the first. It is unpacked at each call, and the caller's own.
func (n *Nodes) At(k int) (Node, error) {
	packed, err := n.encodedNode(k)
	if err != nil {
		return Node{}, err
	}
	c := &coder{r: bytes.NewReader(packed)}
	// It was checked when it was read from a file, or was made here, so numbers need no limits of their own.
	var x Node
	c.node(k, &x, most, most, most)
	return x, c.err
}

// most is above all that nodes hold.
const most = 1 << 40

// encodedNode returns node k, from the first, as it is packed. Where the last was added first it is found from the end.
func (n *Nodes) encodedNode(k int) ([]byte, error) {
	if n.lastFirst {
		k = n.count - 1 - k
	}
	// Where the node ends is in ends, and where it begins is where the one before it ends; the first begins at 0.
	var ends [16]byte
	at := ends[:]
	if k == 0 {
		at = at[8:]
	}
	if _, err := n.ends.ReadAt(at, int64(8*max(0, k-1))); err != nil {
		return nil, &DiskError{err}
	}
	from, to := binary.LittleEndian.Uint64(ends[:]), binary.LittleEndian.Uint64(ends[8:])
	packed := make([]byte, to-from)
	if _, err := n.data.ReadAt(packed, int64(from)); err != nil {
		return nil, &DiskError{err}
	}
	return packed, nil
}
