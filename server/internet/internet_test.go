package internet_test

import (
	"net/netip"
	"testing"

	"plaza/server/internet"
)

func TestAddressesThatAreNotPublic(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
		"198.18.0.1", "192.0.0.8", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "ff02::1",
	} {
		if internet.IsPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as public", text)
		}
	}
	for _, text := range []string{"1.1.1.1", "142.250.184.14", "2606:4700:4700::1111"} {
		if !internet.IsPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s does not count as public", text)
		}
	}
}
