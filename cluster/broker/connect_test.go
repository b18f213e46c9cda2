package broker

import (
	"errors"
	"strings"
	"testing"
)

// TestPlainly sees what is said to people about errors whose words come from
// elsewhere.
func TestPlainly(t *testing.T) {
	for text, word := range map[string]string{
		"remote error: tls: certificate required":          "--tls-cert",
		"remote error: tls: bad certificate":               "--tls-cert",
		"remote error: tls: unknown certificate authority": "--tls-cert",
		"error signing nonce: no key":                      "--creds",
	} {
		if got := ExplainError(errors.New(text)).Error(); !strings.Contains(got, word) || !strings.Contains(got, text) {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := ExplainError(errors.New("read tcp 127.0.0.1:1->127.0.0.1:80: i/o timeout")).Error(); !strings.Contains(
		got,
		"no NATS server") {
		t.Error(got)
	}
}
