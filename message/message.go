// Package message is what is said to people, apart from the language that it is
// said in: a [Message] is a key and its arguments, a [Table] the texts of one
// language by key. Each package that says something has its English in one table.
//
//	words := message.Table{"rows": "{n} in a row"}
//	words.Say(message.Message{Key: "rows", Args: message.Args{"n": 5}}) // 5 in a row
package message

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Message is something to say.
type Message struct {
	Key  string `json:"key" doc:"which message it is"`
	Args Args   `json:"args,omitempty" doc:"its arguments by name: texts, numbers, messages, lists of texts"`
}

// Args are the arguments of a message by name: texts, numbers, messages and lists.
type Args map[string]any

// UnmarshalJSON reads arguments as they are written: what has a key is a message, an array a list, and
// a number that is whole an int.
func (a *Args) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*a = Args{}
	for name, value := range raw {
		var m Message
		var l List
		var n int
		var other any
		switch {
		case value[0] == '{' && json.Unmarshal(value, &m) == nil:
			other = m
		case value[0] == '[' && json.Unmarshal(value, &l) == nil:
			other = l
		case json.Unmarshal(value, &n) == nil:
			other = n
		default:
			if err := json.Unmarshal(value, &other); err != nil {
				return err
			}
		}
		(*a)[name] = other
	}
	return nil
}

// Said are the messages of an object's texts, by the names of their fields: whoever reads the object can
// say them in another language.
type Said map[string][]Message

// Keyed are the messages of an object with one text, that of a list: its key alone says it.
func Keyed(field, key string) Said { return Said{field: {{Key: key}}} }

// List is an argument of several texts, said with the text of the key "list" between them.
type List []string

// Of returns the message of that key and those arguments.
func Of(key string, args Args) Message { return Message{key, args} }

// Table has the texts of a language by key. In a text {name} stands for the
// argument of that name; of whole numbers it has thousands apart by the text of the key "thousands".
type Table map[string]string

// With returns the table with the texts of others added; a later one replaces an
// earlier one.
func (t Table) With(others ...Table) Table {
	all := maps.Clone(t)
	if all == nil {
		all = Table{}
	}
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// Say returns the messages as text, joined with blanks. What the table has no
// text for is said by its key.
func (t Table) Say(list ...Message) string {
	texts := make([]string, len(list))
	for i, m := range list {
		text, ok := t[m.Key]
		if !ok {
			text = m.Key
		}
		var pairs []string
		for name, value := range m.Args {
			pairs = append(pairs, "{"+name+"}", t.formatArgument(value))
		}
		texts[i] = strings.NewReplacer(pairs...).Replace(text)
	}
	return strings.Join(texts, " ")
}

// formatArgument writes an argument as the language of the table does.
func (t Table) formatArgument(value any) string {
	switch v := value.(type) {
	case Message:
		return t.Say(v)
	case List:
		return strings.Join(v, t["list"])
	case int, uint64:
		text := fmt.Sprint(v)
		for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
			text = text[:at] + t["thousands"] + text[at:]
		}
		return text
	}
	return fmt.Sprint(value)
}

// Capitalize returns a text whose first letter, of whatever bytes it is, is a capital.
func Capitalize(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 || first == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(first)) + text[n:]
}
