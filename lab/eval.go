package lab

import (
	"fmt"

	"oxo/search"
)

// eval returns the evaluation of that name; none for an empty name.
func (b *bound[P]) eval(name string) (search.Eval[P], error) {
	if name == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("eval %q: no evaluation is called that", name)
}
