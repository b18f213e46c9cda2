package space

import (
	"fmt"
	"slices"
	"strings"

	"oxo"
)

// mostFeatures is the most features that a text may make.
const mostFeatures = 500

// compose returns the measure that a text makes of those of a list: terms joined
// with +, each a product of factors joined with *. A factor is a measure, which
// stands for all its features, or one feature, its words joined with -; ^2 behind
// it stands for the products of each two, and the features themselves. Where a
// product has several factors, each feature of one is multiplied with each of the
// others. A measure alone is as it is; else there is a constant, and each feature
// once.
func compose[P oxo.Position[P]](list []featureSet[P], text string) (featureSet[P], error) {
	for _, m := range list {
		if m.name == text {
			return m, nil
		}
	}
	c := composer[P]{list: list, used: make([]bool, len(list))}
	c.add(product{name: constant})
	for term := range strings.SplitSeq(text, "+") {
		products := []product{{name: constant}}
		for factor := range strings.SplitSeq(term, "*") {
			name, squared := strings.CutSuffix(factor, "^2")
			own, err := c.factorFeatures(name)
			if err != nil {
				return featureSet[P]{}, err
			}
			if squared {
				own = append(own, multiplyFeatures(own, own)...)
			}
			if products = multiplyFeatures(products, own); len(products) > mostFeatures {
				return featureSet[P]{}, tooManyError(len(products))
			}
		}
		for _, p := range products {
			c.add(p)
		}
		if len(c.products) > mostFeatures {
			return featureSet[P]{}, tooManyError(len(c.products))
		}
	}
	return c.build(text), nil
}

func tooManyError(n int) error {
	return fmt.Errorf("they are %d features, and at most %d can be learned", n, mostFeatures)
}

const constant = "constant"

// product is a feature: the product of features of measures.
type product struct {
	name string
	of   []column
}

// column is a feature of a measure, by their places in their lists.
type column struct{ measure, at int }

// multiplyFeatures returns the products of each of a with each of b, each once.
func multiplyFeatures(a, b []product) []product {
	var list []product
	seen := map[string]bool{}
	for _, p := range a {
		for _, q := range b {
			r := product{of: slices.Concat(p.of, q.of)}
			names := []string{}
			for _, name := range slices.Concat(strings.Split(p.name, " × "), strings.Split(q.name, " × ")) {
				if name != constant {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			if r.name = strings.Join(names, " × "); r.name == "" {
				r.name = constant
			}
			if !seen[r.name] {
				seen[r.name] = true
				list = append(list, r)
			}
		}
	}
	return list
}

// composer puts a set of features together from parts and products of them.
type composer[P oxo.Position[P]] struct {
	list     []featureSet[P]
	used     []bool
	products []product
}

// add adds a product, unless it is there.
func (c *composer[P]) add(p product) {
	if !slices.ContainsFunc(c.products, func(q product) bool { return q.name == p.name }) {
		c.products = append(c.products, p)
		for _, of := range p.of {
			c.used[of.measure] = true
		}
	}
}

// factorFeatures returns the features that a factor stands for.
func (c *composer[P]) factorFeatures(name string) ([]product, error) {
	var words []string
	for i, m := range c.list {
		var all []product
		for at, feature := range m.names {
			p := product{feature, []column{{i, at}}}
			if feature == constant {
				p.of = nil
			}
			word := strings.ReplaceAll(feature, " ", "-")
			if word == name && feature != constant {
				return []product{p}, nil
			}
			all = append(all, p)
		}
		if m.name == name {
			return all, nil
		}
		words = append(words, m.name)
	}
	return nil, fmt.Errorf("%q is no feature; there are %s, or one of theirs as in %s; join them with + and *, and "+
		"^2 is for products of two",
		name, strings.Join(words, ", "), strings.ReplaceAll(c.list[0].names[len(c.list[0].names)-1], " ", "-"))
}

// build puts the products together. It belongs to one goroutine.
func (c *composer[P]) build(text string) featureSet[P] {
	m := featureSet[P]{name: text}
	for _, p := range c.products {
		m.names = append(m.names, p.name)
	}
	parts := make([][]float64, len(c.list))
	for i, used := range c.used {
		if used {
			parts[i] = make([]float64, len(c.list[i].names))
		}
	}
	m.measure = func(p P, seat oxo.Seat, x []float64) {
		for i, part := range parts {
			if part != nil {
				c.list[i].measure(p, seat, part)
			}
		}
		for i, product := range c.products {
			x[i] = 1
			for _, of := range product.of {
				x[i] *= parts[of.measure][of.at]
			}
		}
	}
	return m
}
