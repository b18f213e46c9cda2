package message

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestReadArgs: arguments are read from JSON as what they were.
func TestReadArgs(t *testing.T) {
	in := Of("a", Args{"text": "x", "n": 1234, "half": 0.5, "list": List{"b2", "c3"},
		"in": Of("b", Args{"m": Of("c", nil)})})
	data, err := json.Marshal(in)
	var out Message
	if err != nil || json.Unmarshal(data, &out) != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%#v was read from %s, want %#v", out, data, in)
	}
	if err := json.Unmarshal([]byte(`{"key":"a","args":[]}`), &out); err == nil {
		t.Errorf("a list of arguments is read as %#v", out)
	}
}

// TestReadArgument: each kind of argument is read as what it says, a list that is not all texts and a
// number that is not whole as JSON has them.
func TestReadArgument(t *testing.T) {
	for text, want := range map[string]any{
		`7`: 7, `-1`: -1, `0.25`: 0.25, `1e3`: 1000.0, `"b2"`: "b2", `true`: true, `[]`: List{},
		`["b2"]`: List{"b2"}, `[1]`: []any{1.0}, `{"key":"draw"}`: Of("draw", nil),
	} {
		var args Args
		err := json.Unmarshal([]byte(`{"n":`+text+`}`), &args)
		if err != nil || !reflect.DeepEqual(args, Args{"n": want}) {
			t.Errorf("%s is read as %#v, %v, want %#v", text, args["n"], err, want)
		}
	}
}

func TestSay(t *testing.T) {
	own := Table{"rows": "{n} in a row", "wins": "Whoever has {aim}, wins."}
	german := Table{"wins": "Wer {aim} hat, gewinnt.", "rows": "{n} in einer Reihe"}
	counts := Table{"thousands": ",", "list": " and ", "rows": "{n} in {where}"}
	five := Of("rows", Args{"n": 5})
	wins := Of("wins", Args{"aim": five})
	for _, c := range []struct {
		in   Table
		list []Message
		want string
	}{
		{own, nil, ""},
		{own, []Message{five}, "5 in a row"},
		{own, []Message{wins, wins}, "Whoever has 5 in a row, wins. Whoever has 5 in a row, wins."},
		{own.With(german), []Message{wins}, "Wer 5 in einer Reihe hat, gewinnt."},
		{own, []Message{Of("draw", nil)}, "draw"},
		{nil, []Message{wins}, "wins"},
		{own, []Message{Of("rows", Args{"n": "{n}"})}, "{n} in a row"}, // an argument is no text with arguments
		{Table(nil).With(own), []Message{five}, "5 in a row"},
		{own, []Message{Of("rows", Args{"n": 0.25})}, "0.25 in a row"},
		{own, []Message{Of("rows", Args{"n": 1234567})}, "1234567 in a row"},
		{counts, []Message{Of("rows", Args{"n": -1234567, "where": uint64(1000)})}, "-1,234,567 in 1,000"},
		{counts, []Message{Of("rows", Args{"n": -123, "where": List{"a", "b", "c"}})}, "-123 in a and b and c"},
		{counts, []Message{Of("rows", Args{"n": 999, "where": List{"a"}})}, "999 in a"},
	} {
		if got := c.in.Say(c.list...); got != c.want {
			t.Errorf("%v is said as %q, want %q", c.list, got, c.want)
		}
	}
	if len(own) != 2 || own["wins"] != "Whoever has {aim}, wins." {
		t.Errorf("another table was added to %v itself", own)
	}
}

// TestCapital: a first character of several bytes stays whole.
func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "a b": "A b", "− loses": "− loses", "éa": "Éa", "3×3": "3×3",
		"\xff": "\xff"} {
		if got := Capitalize(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
