package regress

import "fmt"

// ByName returns weights by their features' names; w[i] is the weight of names[i].
func ByName(names []string, w []float64) map[string]float64 {
	m := map[string]float64{}
	for i, name := range names {
		m[name] = w[i]
	}
	return m
}

// FromNames sets weights to those of a map by their features' names, which must be all of it. It returns an error
// if the map has another number of weights or lacks a name; w may be partly set then.
func FromNames(m map[string]float64, names []string, w []float64) error {
	if len(m) != len(names) {
		return fmt.Errorf("it has %d weights, not %d", len(m), len(names))
	}
	for i, name := range names {
		v, ok := m[name]
		if !ok {
			return fmt.Errorf("it has no weight of %q", name)
		}
		w[i] = v
	}
	return nil
}
