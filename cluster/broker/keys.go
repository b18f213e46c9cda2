package broker

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Role is what somebody may do on a server.
type Role string

// The roles. Who may submit, or work, may watch too; who administers may do everything:
// lead jobs, remove them, begin a cluster, take it over with another version.
const (
	Watch      Role = "watch"      // read: jobs, results, workers, the queue
	Submit     Role = "submit"     // submit, cancel, retry and reorder jobs, whoever's they are
	Work       Role = "work"       // carry out parts, and say what they came to under the key's own name
	Administer Role = "administer" // all
)

// roles lists the roles.
func roles() []Role { return []Role{Watch, Submit, Work, Administer} }

// May reports whether the rights of a role hold those of another one.
// A role that there is not may do nothing.
func (r Role) May(do Role) bool {
	return r == Administer || r == do || do == Watch && slices.Contains(roles(), r)
}

// Key is what somebody shows: ROLE:NAME:SECRET as text. Names are of small letters, digits
// and -; no two keys of a server share one.
type Key struct {
	Role   Role
	Name   string
	secret [sha256.Size]byte
	text   string
}

// leastSecret is how many characters a secret has at least.
const leastSecret = 16

// ParseKey reads a key. A text that does not begin with a role is none.
// An error is of a text that is meant for a key, and names what is wrong with it, but never its
// secret.
func ParseKey(text string) (k Key, isKey bool, err error) {
	words := strings.SplitN(text, ":", 3)
	if len(words) < 3 || !slices.Contains(roles(), Role(words[0])) {
		return Key{}, false, nil
	}
	name := strings.ContainsFunc(words[1], func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
	})
	switch {
	case name || words[1] == "" || len(words[1]) > 64:
		return Key{}, true, fmt.Errorf("key of %q: its name is of small letters, digits and -, at most 64", words[1])
	case len(words[2]) < leastSecret || strings.ContainsAny(words[2], " \t\r\n"):
		return Key{}, true, fmt.Errorf("key of %s: its secret has at least %d characters and no blanks", words[1],
			leastSecret)
	}
	return Key{Role(words[0]), words[1], sha256.Sum256([]byte(words[2])), words[2]}, true, nil
}

// ParseKeys reads the keys of a server, one a line; empty lines and those that begin with # say
// nothing. Two keys can't share a name, as outputs are kept under it.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		k, isKey, err := ParseKey(line)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		case !isKey:
			role, _, _ := strings.Cut(line, ":")
			return nil, fmt.Errorf("line %d: %q: give ROLE:NAME:SECRET; the roles are %v", n+1, role, roles())
		case slices.ContainsFunc(keys, func(o Key) bool { return o.Name == k.Name }):
			return nil, fmt.Errorf("line %d: a second key of %s", n+1, k.Name)
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no key in it; give ROLE:NAME:SECRET, one a line")
	}
	return keys, nil
}

// Login has a client show a key.
func (k Key) Login() nats.Option { return nats.UserInfo(string(k.Role)+":"+k.Name, k.text) }

// What lies on a server.
const (
	WorkStream = "OXO_WORK"
	DoneStream = "OXO_DONE"
	JobsBucket = "oxo-jobs"
	LiveBucket = "oxo-live"
	FileBucket = "oxo-files"
)

// Given is who stores the files that jobs are given: all who submit together.
const Given = "given"

// exported are the subjects that an account of a key may import; only those that are
// answered by more than one message are streamed.
var exported = map[string]server.ServiceRespType{
	"oxo.>": server.Singleton, "$KV.>": server.Singleton, "$O.>": server.Singleton, "$JS.ACK.>": server.Singleton,
	"$JS.API.INFO": server.Singleton, "$JS.API.STREAM.>": server.Singleton, "$JS.API.DIRECT.>": server.Singleton,
	"$JS.API.CONSUMER.INFO.>": server.Singleton, "$JS.API.CONSUMER.MSG.NEXT.>": server.Streamed,
}

// publishableSubjects are what who holds the key may publish to. None of them makes a consumer: that would
// copy messages to any subject. Patterns are NATS's: * stands for one word and > for all that follow.
func (k Key) publishableSubjects() []string {
	list := []string{"$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>",
		"$JS.API.CONSUMER.INFO." + WorkStream + ".*"}
	switch k.Role {
	case Submit:
		list = append(list, "oxo.lead.*", "$KV."+JobsBucket+".job.*", "$O."+FileBucket+".*."+Given+".*")
	case Work:
		list = append(list, "oxo.done.*.*.*.*."+k.Name, "oxo.mark.*.*.*."+k.Name, "oxo.fail.*.*.*."+k.Name,
			"oxo.progress.*.*.*."+k.Name, "oxo.back.*.*.*."+k.Name, "oxo.forget."+k.Name,
			"$KV."+LiveBucket+".worker."+k.Name+".*", "$O.*.*."+k.Name+".*")
		for _, priority := range Priorities() {
			list = append(list, "$JS.API.CONSUMER.MSG.NEXT."+WorkStream+"."+priority,
				"$JS.ACK."+WorkStream+"."+priority+".>")
		}
	}
	return list
}

// Priorities of jobs: parts of a higher one do not wait for those of a lower.
const (
	High   = "high"
	Normal = "normal"
	Low    = "low"
)

// Priorities lists them from the highest.
func Priorities() []string { return []string{High, Normal, Low} }

// createAccounts gives each key an account of its own, which imports what the key may do and has
// nothing else in it. So an answer that is asked for under somebody else's subject stays there, which
// permissions of users would not see to: servers don't look at where answers go. Keys of
// administrators use the global account, in which everything lies.
func createAccounts(s *server.Server, keys []Key) error {
	if len(keys) == 0 {
		return nil
	}
	all := s.GlobalAccount()
	for subject, answers := range exported {
		if err := all.AddServiceExportWithResponse(subject, answers, nil); err != nil {
			return fmt.Errorf("export %s: %w", subject, err)
		}
	}
	for _, k := range keys {
		if k.Role == Administer {
			continue
		}
		own, err := s.RegisterAccount(accountOf(k.Name))
		if err != nil {
			return err
		}
		for _, subject := range k.publishableSubjects() {
			if err := own.AddServiceImport(all, subject, subject); err != nil {
				return fmt.Errorf("key of %s: import %s: %w", k.Name, subject, err)
			}
		}
	}
	return nil
}

// accountOf is the name of a key's account.
func accountOf(name string) string { return "oxo-" + name }

// authenticator lets in those who show the token, or a key.
type authenticator struct {
	s     *Server
	token string
	keys  map[string]Key // by role and name
}

// newAuthenticator returns what lets in those who know the server's token or have a key.
func newAuthenticator(s *Server, o Config) *authenticator {
	d := &authenticator{s, o.Token, map[string]Key{}}
	for _, k := range o.Keys {
		d.keys[string(k.Role)+":"+k.Name] = k
	}
	return d
}

// Check is how a server asks whether to let a client in. It waits until all accounts are there.
// Without a user name a token is shown: the server's, or the one that this process made for itself.
func (d *authenticator) Check(c server.ClientAuthentication) bool {
	<-d.s.ready
	o := c.GetOpts()
	if o.Username == "" {
		if equalSecrets(o.Token, d.s.own) || d.token != "" && equalSecrets(o.Token, d.token) {
			c.RegisterUser(&server.User{Account: d.s.server.GlobalAccount()})
			return true
		}
		return false
	}
	k, ok := d.keys[o.Username]
	sum := sha256.Sum256([]byte(o.Password))
	if subtle.ConstantTimeCompare(sum[:], k.secret[:]) != 1 || !ok {
		return false
	}
	account := d.s.server.GlobalAccount()
	if k.Role != Administer {
		var err error
		if account, err = d.s.server.LookupAccount(accountOf(k.Name)); err != nil {
			return false
		}
	}
	c.RegisterUser(&server.User{Username: o.Username, Account: account})
	return true
}

// equalSecrets compares secrets in constant time.
func equalSecrets(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
