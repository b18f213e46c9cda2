package proof

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"oxo"
)

// number is a position that is nothing but a number.
type number uint32

func (number) Turn() oxo.Seat                  { return oxo.First }
func (number) Outcome() oxo.Outcome            { return oxo.Ongoing }
func (number) Moves(buf []oxo.Move) []oxo.Move { return buf }
func (n number) Play(oxo.Move) number          { return n }

// lookThrough returns the entry of p, looked for in the whole table.
func (t *proofTable[P]) lookThrough(p P, attacker oxo.Seat) *proofEntry[P] {
	for i := range t.buckets {
		for k := range t.buckets[i] {
			if e := &t.buckets[i][k]; e.work != 0 && e.attacker == attacker && e.p == p {
				return e
			}
		}
	}
	return nil
}

// TestTableFinds stores numbers of positions in tables that grow and that are
// full, and compares what is found with a look through the whole table and with
// what was stored last.
func TestTableFinds(t *testing.T) {
	type key struct {
		p        number
		attacker oxo.Seat
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 4 << 10, 1 << 20} {
		table := newProofTable[number](size)
		stored := map[key][2]uint32{}
		found, missed := 0, 0
		for i := range 4000 {
			k := key{number(r.IntN(3000)), oxo.Seat(r.IntN(2))}
			numbers := [2]uint32{r.Uint32N(100), r.Uint32N(100)}
			table.store(k.p, table.hash.Of(&k.p), k.attacker, numbers[0], numbers[1], uint64(1+r.IntN(50)))
			stored[k] = numbers
			if i%1000 == 999 {
				table.age++
			}
			k = key{number(r.IntN(3000)), oxo.Seat(r.IntN(2))}
			e := table.find(&k.p, table.hash.Of(&k.p), k.attacker)
			if e != table.lookThrough(k.p, k.attacker) {
				t.Fatalf("%d bytes: %v is found where the whole table does not have it, or the other way round", size,
					k)
			}
			if e == nil {
				missed++
			} else if found++; [2]uint32{e.pn, e.dn} != stored[k] {
				t.Fatalf("%d bytes: %v has numbers %d and %d, not %v", size, k, e.pn, e.dn, stored[k])
			}
		}
		if bytes := len(table.buckets) * int(unsafe.Sizeof(table.buckets[0])+8); bytes > max(size, 1<<8) ||
			found == 0 || missed == 0 {
			t.Errorf("%d bytes: the table takes %d; %d found, %d not", size, bytes, found, missed)
		}
		held := 0
		for k := range stored {
			if table.lookThrough(k.p, k.attacker) != nil {
				held++
			}
		}
		if held != table.stored {
			t.Errorf("%d bytes: the table says that it holds %d positions, and holds %d", size, table.stored, held)
		}
	}
}
