package broker

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Client says how to reach a server, and what to show there.
type Client struct {
	URL    string  // of a server, or several with commas between them
	Server *Server // an embedded one instead, which lets in whoever has it
	Token  string  // or a key
	Creds  string  // a file with credentials
	NKey   string  // a file with the seed of a key
	TLS    *tls.Config
}

// ServerDescription is the server in words.
func (o Client) ServerDescription() string {
	if o.Server != nil {
		return "the embedded server"
	}
	return o.URL
}

const connectLimit = 5 * time.Second

// Connect connects to a server. Where that is away later, the connection waits for it. It fails at
// once where no server answers, as an address that is wrong does, and afterwards waits for one for
// ever.
func Connect(o Client) (*nats.Conn, error) {
	opts := []nats.Option{nats.Name("oxo"), nats.Timeout(connectLimit), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.ReconnectBufSize(-1)}
	if o.Server != nil {
		opts = append(opts, o.Server.InProcess()...)
	} else if key, isKey, err := ParseKey(o.Token); err != nil {
		return nil, err
	} else if isKey {
		opts = append(opts, key.Login())
	} else if o.Token != "" {
		opts = append(opts, nats.Token(o.Token))
	}
	if o.Creds != "" {
		opts = append(opts, nats.UserCredentials(o.Creds))
	}
	if o.NKey != "" {
		key, err := nats.NkeyOptionFromSeed(o.NKey)
		if err != nil {
			return nil, fmt.Errorf("--nkey %s: %w", o.NKey, err)
		}
		opts = append(opts, key)
	}
	if o.TLS != nil && o.Server == nil { // within the process nobody listens
		opts = append(opts, nats.Secure(o.TLS))
	}
	conn, err := nats.Connect(o.URL, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.ServerDescription(), ExplainError(err))
	}
	return conn, nil
}

// ErrFull says that the server has no room for what is to be kept.
var ErrFull = errors.New("the server's store is full; cancel or remove jobs with oxo jobs, or start oxo serve with " +
	"a larger --cluster-store")

// ExplainFullStore is ErrFull where an error of the server says that, and else that error.
func ExplainFullStore(err error) error {
	if err != nil && (strings.Contains(err.Error(), "insufficient storage") ||
		strings.Contains(err.Error(), "maximum bytes") || strings.Contains(err.Error(), "insufficient resources")) {
		return ErrFull
	}
	return err
}

// ExplainError says in words what people can mend. Other errors are returned as they are. The flags
// that it names are those of the command line.
func ExplainError(err error) error {
	var name x509.HostnameError
	var trust *tls.CertificateVerificationError
	var host *net.DNSError
	switch text := err.Error(); {
	case errors.As(err, &name):
		return fmt.Errorf("the server's certificate is of another machine: %w", name)
	case errors.As(err, &trust):
		return fmt.Errorf("the server's certificate is not trusted: %w; give that of its authority with --tls-ca",
			trust.Err)
	case errors.As(err, &host) && host.IsNotFound:
		return errors.New("no machine of that name is known; give a server's address, HOST:PORT")
	case strings.Contains(text, "tls: certificate required"), strings.Contains(text, "tls: bad certificate"),
		strings.Contains(text, "tls: unknown certificate authority"):
		return fmt.Errorf("the server wants a certificate that it trusts (%w); give --tls-cert and --tls-key", err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return errors.New("the server has no TLS; give its address as nats://HOST:PORT, without --tls-ca and " +
			"--tls-cert")
	case strings.Contains(text, "error signing nonce"):
		return fmt.Errorf("--creds or --nkey: %w", err)
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the server does not answer in time; where there are several, one may be lost and the " +
			"others choosing a leader: try again")
	case strings.HasPrefix(text, "read tcp") && strings.Contains(text, "i/o timeout"):
		return errors.New("what answers there is no NATS server; oxo serve --cluster says the address of its own")
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("no NATS server answers there; start one with: oxo serve --cluster")
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return errors.New("the server refuses these credentials; give --nats-token, --creds or --nkey, or " +
			"nats://USER:PASSWORD@HOST:PORT")
	case errors.Is(err, nats.ErrSecureConnRequired):
		return errors.New("the server wants TLS; give --tls-ca")
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders):
		return errors.New("the server has no JetStream; start it with JetStream and a store")
	}
	return ExplainFullStore(err)
}
