package broker

import (
	"slices"
	"strings"
	"testing"
)

const secret = "0123456789abcdef"

// TestKeys reads the keys of a server, and refuses what is none with the word at fault.
func TestKeys(t *testing.T) {
	keys, err := ParseKeys("# of the lab\n\n work:lab-1:" + secret + "\r\nwatch:wall:" + secret + ":1\n")
	if err != nil || len(keys) != 2 || keys[0].Role != Work || keys[0].Name != "lab-1" || keys[1].text != secret+":1" {
		t.Errorf("%+v, %v", keys, err)
	}
	for text, words := range map[string]string{
		"":                          "no key",
		"# nothing":                 "no key",
		"lead:bob:" + secret:        `line 1: "lead" watch submit work administer`,
		"work:bob":                  `line 1: "work" ROLE:NAME:SECRET`,
		"work::" + secret:           `"" letters`,
		"work:Bob.1:" + secret:      `"Bob.1" letters`,
		"work:bob:short":            "bob 16 characters",
		"work:bob:" + secret + " x": "bob blanks",
		"work:bob:" + secret + "\nwatch:bob:" + secret: "line 2: second bob",
	} {
		_, err := ParseKeys(text)
		for word := range strings.FieldsSeq(words) {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%q: %v; it does not say %q", text, err, word)
			}
		}
	}
	for _, text := range []string{"", "secret", "a:b:c", secret + ":work:bob"} {
		if _, isKey, err := ParseKey(text); isKey || err != nil {
			t.Errorf("%q is a key, %v", text, err)
		}
	}
}

// FuzzKeys reads anything as keys: what is read has a role and a name that is one word of a
// subject, and is read again from its own text.
func FuzzKeys(f *testing.F) {
	f.Add("work:bob:" + secret)
	f.Add("#\nwatch:a:" + secret + "\nsubmit:b-1:" + secret)
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := ParseKeys(text)
		if err != nil {
			return
		}
		for _, k := range keys {
			again, isKey, err := ParseKey(string(k.Role) + ":" + k.Name + ":" + k.text)
			if !isKey || err != nil || again != k || strings.ContainsAny(k.Name, ".*> ") || k.Name == "" {
				t.Errorf("%+v is read as %+v, %v", k, again, err)
			}
		}
	})
}

// TestRights: the rights of each role are of the key's own name, and none lets anybody make
// or remove a consumer or a stream, nor write a record of the cluster's own.
func TestRights(t *testing.T) {
	for _, may := range []struct {
		role Role
		does []Role
	}{{Watch, []Role{Watch}}, {Submit, []Role{Watch, Submit}}, {Work, []Role{Watch, Work}}, {Administer, roles()},
		{"", nil}} {
		for _, do := range roles() {
			if got := may.role.May(do); got != slices.Contains(may.does, do) {
				t.Errorf("%q may %s: %v", may.role, do, got)
			}
		}
	}
	reads := len(Key{Role: Watch}.publishableSubjects())
	for _, role := range []Role{Watch, Submit, Work} {
		for i, subject := range (Key{Role: role, Name: "bob"}).publishableSubjects() {
			for _, never := range []string{"CREATE", "DELETE", "PURGE", "UPDATE", "cluster.version"} {
				if strings.Contains(subject, never) {
					t.Errorf("%s may publish to %s", role, subject)
				}
			}
			shared := strings.HasPrefix(subject, "$JS.")
			if role == Work && i >= reads && !shared && !slices.Contains(strings.Split(subject, "."), "bob") {
				t.Errorf("who works writes to %s, which is not its own", subject)
			}
		}
	}
}

// TestBeyond: what strangers can reach takes a token or keys.
func TestBeyond(t *testing.T) {
	if _, err := Serve(Config{Dir: t.TempDir(), Addr: "0.0.0.0:0"}); err == nil {
		t.Error("anybody can come in")
	}
	keys, err := ParseKeys("watch:wall:" + secret)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(Config{Dir: t.TempDir(), Addr: "0.0.0.0:0", Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	c, err := Connect(Client{Server: s})
	if err == nil {
		c.Close()
		t.Error("a server that is closed lets in")
	}
}
