package cmd

import (
	"net"
	"net/netip"
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
