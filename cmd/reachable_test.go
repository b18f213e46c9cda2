package cmd

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestReachable: an address that is all of this machine's is told as one that can be opened, any other as it is.
func TestReachable(t *testing.T) {
	for _, own := range []string{"127.0.0.1:8210", "[::1]:8210", "192.0.2.7:80"} {
		if got := reachableAddress(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(own))); got != own {
			t.Errorf("%s is told as %s", own, got)
		}
	}
	for _, all := range []string{"0.0.0.0:8210", "[::]:8210"} {
		at, err := netip.ParseAddrPort(reachableAddress(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(all))))
		if err != nil || at.Addr().IsUnspecified() || at.Port() != 8210 {
			t.Errorf("%s is told as %v: %v", all, at, err)
		}
	}
}

// TestJoinCommand sees that serve tells workers an address that they reach and what to show there.
func TestJoinCommand(t *testing.T) {
	t.Parallel()
	if got := reachableURL("nats://0.0.0.0:4260"); strings.Contains(got, "0.0.0.0") ||
		!strings.HasSuffix(got, ":4260") || !strings.HasPrefix(got, "nats://") {
		t.Errorf("everywhere is %s", got)
	}
	if got := reachableURL("tls://queue.example:4222"); got != "tls://queue.example:4222" {
		t.Errorf("a name is %s", got)
	}
	for want, h := range map[string]hosting{
		"":                      {},
		" --nats-token t":       {nats: natsFlags{token: "t"}, keys: "k"},
		" --nats-token KEY   #": {keys: "k"},
		" --tls-ca CA":          {nats: natsFlags{cert: "c", key: "k"}},
		" --tls-ca a --tls-cert CERTIFICATE --tls-key CERTIFICATE-KEY": {nats: natsFlags{ca: "a", cert: "c", key: "k"}},
	} {
		if got := h.joinCommand("URL"); !strings.HasPrefix(got, "oxo worker --nats URL"+want) {
			t.Errorf("%+v: %q, want %q", h, got, want)
		}
	}
	n := natsFlags{url: "URL", token: "t", nkey: "s", ca: "a", cert: "c", key: "k"}
	if got, want := n.workerCommand(), "oxo worker --nats URL --nats-token KEY --nkey SEED --tls-ca a "+
		"--tls-cert CERTIFICATE --tls-key CERTIFICATE-KEY"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
