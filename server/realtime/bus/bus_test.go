package bus

import (
	"fmt"
	"log/slog"
	"net"
	"testing"
	"time"
)

// testTimeout is the timeout of everything that a test waits for.
const testTimeout = 20 * time.Second

// startBus starts a bus on a free port.
func startBus(t *testing.T, secret string) (*Bus, <-chan string) {
	t.Helper()
	return startBusOn(t, "127.0.0.1", secret)
}

func startBusOn(t *testing.T, host, secret string) (*Bus, <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	got := make(chan string, 1000)
	b, err := Start(Config{ID: address, Address: address, Secret: []byte(secret), Log: slog.New(slog.DiscardHandler)}, func(subject string, data []byte) {
		got <- subject + " " + string(data)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, got
}

// await waits until a condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(testTimeout); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: never", what)
		}
	}
}

func TestMessagesReachSubscribers(t *testing.T) {
	t.Parallel()
	a, gotA := startBus(t, "one secret")
	b, gotB := startBus(t, "one secret")
	c, gotC := startBus(t, "one secret")
	for _, pair := range [][2]*Bus{{b, a}, {c, a}, {c, b}} {
		if err := pair[0].SetPeers([]string{a.cfg.Address, pair[1].cfg.Address}); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "three servers", func() bool { return a.Stats().Servers == 2 && b.Stats().Servers == 2 && c.Stats().Servers == 2 })
	b.Subscribe("x")
	stop := c.Subscribe("x")
	a.Subscribe("x")
	// The other servers learn of a subscription after a moment.
	await(t, "the first message", func() bool {
		a.Publish("x", []byte("first"))
		return len(gotB) > 0 && len(gotC) > 0
	})
	for n := range 100 {
		a.Publish("x", fmt.Append(nil, n))
	}
	next := 0
	for next < 100 {
		select {
		case text := <-gotB:
			if text == fmt.Sprintf("x %d", next) {
				next++
			} else if text != "x first" {
				t.Fatalf("got %q, want %d", text, next)
			}
		case <-time.After(testTimeout):
			t.Fatalf("%d messages arrived", next)
		}
	}
	stop()
	if len(gotA) > 0 {
		t.Errorf("the sender got %q", <-gotA)
	}
}

func TestOtherSecretsAreRefused(t *testing.T) {
	t.Parallel()
	a, _ := startBus(t, "one secret")
	b, _ := startBus(t, "another secret")
	c, _ := startBus(t, "one secret")
	for _, other := range []*Bus{b, c} {
		if err := other.SetPeers([]string{a.cfg.Address}); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "the third", func() bool { return a.Stats().Servers == 1 && c.Stats().Servers == 1 })
	if n := b.Stats().Servers; n != 0 {
		t.Errorf("%d servers", n)
	}
}

func TestIPv6(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6: ", err)
	}
	_ = listener.Close()
	a, got := startBusOn(t, "::1", "one secret")
	b, _ := startBusOn(t, "::1", "one secret")
	if err := b.SetPeers([]string{a.cfg.Address}); err != nil {
		t.Fatal(err)
	}
	a.Subscribe("x")
	await(t, "a message", func() bool {
		b.Publish("x", []byte("first"))
		return len(got) > 0
	})
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]struct{ listens, reaches bool }{
		"10.0.0.1:4248": {true, true}, "[fd00::1]:4248": {true, true}, "[::1]:4248": {true, true}, "db.internal:4248": {true, true}, "[fe80::1%eth0]:4248": {true, true},
		"0.0.0.0:4248": {true, false}, "[::]:4248": {true, false}, ":4248": {true, false},
		"fd00::1": {}, "fd00::1:4248": {}, "::1:4248": {}, "[fd00::1]": {}, "[::1]4248": {}, "[::1]:": {}, "[::1]:0": {}, "[::1]:65536": {}, "10.0.0.1": {}, "": {},
	} {
		if err := CheckListen(address); (err == nil) != want.listens {
			t.Errorf("listen on %q: %v", address, err)
		}
		if err := CheckAddress(address); (err == nil) != want.reaches {
			t.Errorf("reach %q: %v", address, err)
		}
	}
}
