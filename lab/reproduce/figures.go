package reproduce

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// Figures are named results.
// They are in the order in which they are shown.
type Figures []Figure

// Figure is a named result: a number or words.
// Where Text is empty, Value is the result.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value" doc:"the result, where it is a number"`
	Error float64 `json:"error,omitempty" doc:"its standard error, where it is sampled"`
	Text  string  `json:"text,omitempty" doc:"the result in words"`
}

// String writes the result without its name.
// A number that was sampled has its standard error behind it: 0.5 ± 0.01.
func (f Figure) String() string {
	switch {
	case f.Text != "":
		return f.Text
	case f.Error > 0:
		return fmt.Sprintf("%s ± %s", formatNumber(f.Value), formatNumber(f.Error))
	}
	return formatNumber(f.Value)
}

// formatNumber writes whole numbers in full and others to six digits.
// Above 10¹⁵ whole numbers are written to six digits too, with an exponent.
func formatNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// numberFigure and textFigure make a figure of a number, without an error, or of words.
func numberFigure(name string, x float64) Figure { return Figure{Name: name, Value: x} }
func textFigure(name, text string) Figure        { return Figure{Name: name, Text: text} }

// readFigures reads figures off a result: each has a name and where it stands, a path of fields and
// indices. Numbers can be worked out of several by + - * / and ^, from left to right. What the result
// does not know is "?", and what is empty is left out.
// The list's pairs are a name and the formula of the figure, such as "100 * AsFirst.VsRandom.Win". The result can be
// any struct, or a pointer to one, whose exported fields are read; nil will do where formulas have numbers alone.
// An error names the figure whose formula has a field or an operation that there is not.
func readFigures(result any, list [][2]string) (Figures, error) {
	var figures Figures
	for _, of := range list {
		f, err := computeFigure(reflect.ValueOf(result), strings.Fields(of[1]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of[0], err)
		}
		if f.Name = of[0]; f.Text != "" || !f.empty {
			figures = append(figures, f.Figure)
		}
	}
	return figures, nil
}

// read is a figure as it is read: in words that may be none.
// empty is set of words, which are left out of the figures where there are none.
type read struct {
	Figure
	empty bool
}

// computeFigure works out a figure of a result: terms with an operation between each two, from the left.
// No operation binds more closely than another: "15 ^ 51 - 1 / 14" is (15⁵¹ − 1) / 14.
// Words and "?" are a figure by themselves: as a later term they count as 0.
func computeFigure(result reflect.Value, terms []string) (read, error) {
	total, err := readNumberOrPath(result, terms[0])
	for terms = terms[1:]; err == nil && len(terms) > 1; terms = terms[2:] {
		var x read
		if x, err = readNumberOrPath(result, terms[1]); err != nil {
			break
		}
		switch a, b := &total.Value, x.Value; terms[0] {
		case "+":
			*a += b
		case "-":
			*a -= b
		case "*":
			*a *= b
		case "/":
			*a /= b
		case "^":
			*a = math.Pow(*a, b)
		default:
			err = fmt.Errorf("%q is no operation", terms[0])
		}
	}
	return total, err
}

// readNumberOrPath reads a number, or the value at a path.
// Parts of a path, divided by dots, are a field, the index of an element from 0, or len, the length of a list.
// Pointers and interfaces on the way are followed.
func readNumberOrPath(v reflect.Value, term string) (f read, err error) {
	if f.Value, err = strconv.ParseFloat(term, 64); err == nil {
		return f, nil
	}
	for name := range strings.SplitSeq(term, ".") {
		v = reflect.Indirect(v)
		if v.Kind() == reflect.Interface {
			v = reflect.Indirect(v.Elem())
		}
		i, err := strconv.Atoi(name)
		switch {
		case err == nil && v.Kind() == reflect.Slice && i < v.Len():
			v = v.Index(i)
		case name == "len" && v.Kind() == reflect.Slice:
			v = reflect.ValueOf(v.Len())
		case v.Kind() == reflect.Struct && v.FieldByName(name).IsValid():
			v = v.FieldByName(name)
		default:
			return f, fmt.Errorf("there is no %s", term)
		}
	}
	// Exact counts are rounded to the nearest float64, and one that is not known, a nil pointer, is "?".
	if n, ok := v.Interface().(*big.Int); ok && n != nil {
		f.Value, _ = n.Float64()
		return f, nil
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			f.Text = "?"
			return f, nil
		}
		v = v.Elem()
	}
	return readValue(v)
}

// readValue reads a field of a result as a number or a text.
// A list is its elements with spaces between, or, of numbers, "none" where it is empty. Other types, structs among
// them, are an error.
func readValue(v reflect.Value) (f read, err error) {
	switch {
	case v.CanInt():
		f.Value = float64(v.Int())
	case v.CanUint():
		f.Value = float64(v.Uint())
	case v.CanFloat():
		f.Value = v.Float()
	case v.Kind() == reflect.String:
		f.Text, f.empty = v.String(), true
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Float64 && v.Len() == 0:
		f.Text = "none"
	case v.Kind() == reflect.Slice:
		f.Text, f.empty = strings.Trim(fmt.Sprint(v.Interface()), "[]"), true
	default:
		err = errors.New("it is no number and no words")
	}
	return f, err
}

// meanFigures is the mean of each figure over several runs, with its standard error.
// There is at least one run, and all have the same figures in the same order. Names and words are those of the first;
// of a single run there is no error.
func meanFigures(runs []Figures) Figures {
	n := float64(len(runs))
	sum := append(Figures{}, runs[0]...)
	for i := range sum {
		total, squares := 0.0, 0.0
		for _, r := range runs {
			total += r[i].Value
		}
		sum[i].Value = total / n
		for _, r := range runs {
			squares += (r[i].Value - sum[i].Value) * (r[i].Value - sum[i].Value)
		}
		// The sample variance over n is that of the mean.
		if e := math.Sqrt(squares / max(1, n-1) / n); e > 1e-9 { // not rounding alone
			sum[i].Error = e
		}
	}
	return sum
}
