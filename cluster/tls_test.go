package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"oxo/cluster/broker"
)

// authority signs certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	plan := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a := &authority{key: key, pool: x509.NewCertPool()}
	a.cert = a.sign(t, plan, plan, key)
	a.pool.AddCert(a.cert)
	return a
}

func (a *authority) sign(t *testing.T, plan, parent *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, plan, parent, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

// pair makes a certificate of somebody at an address.
func (a *authority) pair(t *testing.T, name, addr string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := a.sign(t, &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(time.Hour), IPAddresses: []net.IP{net.ParseIP(addr)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}, a.cert, key)
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

// config is what somebody shows, and whom it trusts.
func (a *authority) config(pairs ...tls.Certificate) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: pairs, RootCAs: a.pool, ClientCAs: a.pool}
}

// secure is the address of a server by TLS.
func secure(url string) string { return strings.Replace(url, "nats://", "tls://", 1) }

// fails sees that a cluster can't be opened and that the error has all words.
func fails(t *testing.T, what string, o Config, words ...string) {
	t.Helper()
	if o.Version == "" {
		o.Version = "test"
	}
	c, err := Open(t.Context(), o)
	if err == nil {
		c.Close()
		t.Errorf("%s: it works", what)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v; it does not say %q", what, err, word)
		}
	}
}

// TestTLS runs a job over TLS to the embedded server, and sees that those who
// trust another authority, or none, are told so.
func TestTLS(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t, "ours"), newAuthority(t, "others")
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0",
		TLS: ours.config(ours.pair(t, "server", "127.0.0.1"))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := open(t, Config{Server: s})
	before := names(t, c)
	url := secure(s.URL())
	fails(t, "another authority", Config{URL: url, TLS: others.config()}, "certificate", "--tls-ca")
	fails(t, "no authority", Config{URL: url}, "certificate", "--tls-ca")
	fails(t, "no authority and no TLS in the address", Config{URL: s.URL()}, "--tls-ca")
	if after := names(t, c); after != before {
		t.Errorf("left behind: %s, before %s", after, before)
	}
	work(t, open(t, Config{URL: url, TLS: ours.config()}), WorkOptions{Slots: 1})
	j := someJobs()["tournament"]
	sameResult(t, c, submit(t, open(t, Config{URL: url, TLS: ours.config()}), j, ""), alone(t, j))

	away, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0",
		TLS: ours.config(ours.pair(t, "server", "192.0.2.1"))})
	if err != nil {
		t.Fatal(err)
	}
	defer away.Close()
	fails(t, "a certificate of another machine", Config{URL: secure(away.URL()), TLS: ours.config()}, "192.0.2.1",
		"127.0.0.1")
	fails(t, "TLS where there is none", Config{URL: secure(serve(t).URL()), TLS: ours.config()}, "TLS", "nats://")
}

// TestCertificates has a server that asks for certificates of its clients.
func TestCertificates(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t, "ours"), newAuthority(t, "others")
	conf := ours.config(ours.pair(t, "server", "127.0.0.1"))
	conf.ClientAuth = tls.RequireAndVerifyClientCert
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", TLS: conf})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := secure(s.URL())
	// The server hangs up, and the words of why may get lost on the way.
	fails(t, "no certificate", Config{URL: url, TLS: ours.config()})
	stranger := ours.config(others.pair(t, "stranger", "127.0.0.1"))
	fails(t, "a stranger's certificate", Config{URL: url, TLS: stranger})
	if got := streams(t, jet(t, s)); got != "" {
		t.Errorf("left behind: %s", got)
	}
	known := Config{URL: url, TLS: ours.config(ours.pair(t, "worker", "127.0.0.1"))}
	work(t, open(t, known), WorkOptions{Slots: 1})
	j := someJobs()["tournament"]
	c := open(t, known)
	sameResult(t, c, submit(t, c, j, ""), alone(t, j))
}

// TestRoutes lets two servers find each other over TLS.
func TestRoutes(t *testing.T) {
	t.Parallel()
	ours := newAuthority(t, "ours")
	ports := freePorts(t, 2)
	var routes []string
	for _, port := range ports {
		routes = append(routes, (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}).String())
	}
	var first *broker.Server
	for i, name := range []string{"a", "b"} {
		conf := ours.config(ours.pair(t, name, "127.0.0.1"))
		conf.ClientAuth = tls.RequireAndVerifyClientCert
		s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", Token: "secret", TLS: conf,
			Name:        name,
			ClusterName: "oxo", RouteAddr: routes[i], Routes: routes})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if first == nil {
			first = s
		}
	}
	for limit := time.Now().Add(patience); first.Peers() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the servers do not find each other")
		}
	}
}

// TestCredentials opens clusters on servers of other people: with a user and a
// password, with a key, and with credentials.
func TestCredentials(t *testing.T) {
	t.Parallel()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := user.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	s := outside(t, &server.Options{Users: []*server.User{{Username: "ann", Password: "secret"}},
		Nkeys: []*server.NkeyUser{{Nkey: public}}})
	with := func(login string) string { return strings.Replace(s.ClientURL(), "nats://", "nats://"+login+"@", 1) }
	const refused = "refuses these credentials"
	fails(t, "nobody", Config{URL: s.ClientURL()}, refused)
	fails(t, "a wrong password", Config{URL: with("ann:guess")}, refused)
	open(t, Config{URL: with("ann:secret")})
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	strange, err := stranger.Seed()
	if err != nil {
		t.Fatal(err)
	}
	fails(t, "a stranger's key", Config{URL: s.ClientURL(), NKey: written(t, strange)}, refused)
	fails(t, "no key", Config{URL: s.ClientURL(), NKey: written(t, []byte("nothing"))}, "--nkey")
	open(t, Config{URL: s.ClientURL(), NKey: written(t, seed)})

	operator, system, account := newIssuer(t, nkeys.CreateOperator), newIssuer(t, nkeys.CreateAccount),
		newIssuer(t, nkeys.CreateAccount)
	claims := jwt.NewOperatorClaims(operator.public)
	claims.SystemAccount = system.public
	resolver := &server.MemAccResolver{}
	for _, a := range []*issuer{system, account} {
		about := jwt.NewAccountClaims(a.public)
		if a == account {
			about.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1}
		}
		text, err := about.Encode(operator.pair)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolver.Store(a.public, text); err != nil {
			t.Fatal(err)
		}
	}
	strict := outside(t, &server.Options{TrustedOperators: []*jwt.OperatorClaims{claims}, SystemAccount: system.public,
		AccountResolver: resolver})
	fails(t, "no credentials", Config{URL: strict.ClientURL()}, refused)
	fails(t, "no credentials in the file", Config{URL: strict.ClientURL(), Creds: written(t, []byte("nothing"))},
		"--creds")
	credentials := func(by *issuer) string {
		about := jwt.NewUserClaims(public)
		text, err := about.Encode(by.pair)
		if err != nil {
			t.Fatal(err)
		}
		file, err := jwt.FormatUserConfig(text, seed)
		if err != nil {
			t.Fatal(err)
		}
		return written(t, file)
	}
	fails(t, "a stranger's credentials",
		Config{URL: strict.ClientURL(), Creds: credentials(newIssuer(t, nkeys.CreateAccount))}, refused)
	good := Config{URL: strict.ClientURL(), Creds: credentials(account)}
	work(t, open(t, good), WorkOptions{Slots: 1})
	c := open(t, good)
	j := someJobs()["tournament"]
	sameResult(t, c, submit(t, c, j, ""), alone(t, j))
}

// issuer is somebody who vouches for others.
type issuer struct {
	pair   nkeys.KeyPair
	public string
}

func newIssuer(t *testing.T, create func() (nkeys.KeyPair, error)) *issuer {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return &issuer{pair, public}
}

// outside starts a server that is not the program's own.
func outside(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog, o.JetStream, o.StoreDir = "127.0.0.1", server.RANDOM_PORT, true, true, true,
		t.TempDir()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(patience) {
		t.Fatal("the server does not begin")
	}
	return s
}

// written is a file with that in it.
func written(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
