package freeport

import (
	"net"
	"strconv"
	"testing"
)

func TestPicksAreFreeAndDifferent(t *testing.T) {
	seen := map[string]bool{}
	for range 50 {
		port := Pick()
		if number, err := strconv.Atoi(port); err != nil || number < first || number > last || seen[port] {
			t.Fatalf("picked %s, after %v", port, seen)
		}
		seen[port] = true
	}
}

func TestUsedPortIsNotPicked(t *testing.T) {
	next := first + int((picked.Load()+1)%(last-first+1))
	used, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(next))
	if err != nil {
		t.Skip("another process uses it: ", err)
	}
	defer func() { _ = used.Close() }()
	if port := Pick(); port == strconv.Itoa(next) {
		t.Errorf("picked %s, at which a server listens", port)
	}
}
