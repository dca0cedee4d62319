package pg_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/tests/testkit"
)

// cancelCode identifies a cancel request. Source: PostgreSQL's protocol, CancelRequest.
const cancelCode = 80877102

// busyServer is a proxy for PostgreSQL that delays cancel requests, as a server with too little
// CPU time does.
type busyServer struct {
	net.Listener
	target string
	delay  time.Duration // of a cancel request
	sent   chan struct{} // receives when a statement that contains awaited was sent
}

const awaited = "pg_sleep(0.1)"

func startBusyServer(t *testing.T, target string, delay time.Duration) *busyServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s := &busyServer{Listener: listener, target: target, delay: delay, sent: make(chan struct{}, 1)}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(t.Context(), client)
		}
	}()
	return s
}

func (s *busyServer) serve(ctx context.Context, client net.Conn) {
	defer func() { _ = client.Close() }()
	head := make([]byte, 8)
	if _, err := io.ReadFull(client, head); err != nil {
		return
	}
	if binary.BigEndian.Uint32(head[4:]) == cancelCode {
		select {
		case <-time.After(s.delay):
		case <-ctx.Done():
			return
		}
	}
	server, err := net.Dial("tcp", s.target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	if _, err := server.Write(head); err != nil {
		return
	}
	go func() {
		defer func() { _ = server.Close() }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := client.Read(buffer)
			if bytes.Contains(buffer[:n], []byte(awaited)) {
				s.sent <- struct{}{}
			}
			if _, failed := server.Write(buffer[:n]); errors.Join(err, failed) != nil {
				return
			}
		}
	}()
	_, _ = io.Copy(client, server)
}

// A request that is cancelled while its statement ends must not cancel the statement of the
// next request on the connection.
func TestLateCancelRequest(t *testing.T) {
	t.Parallel()
	for name, delay := range map[string]time.Duration{"within the grace period": 600 * time.Millisecond, "after the grace period": 3 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, err := url.Parse(testkit.PlatformURL(t))
			if err != nil {
				t.Fatal(err)
			}
			direct := address.String()
			server := startBusyServer(t, address.Host, delay)
			address.Host = server.Addr().String()
			db, err := pg.Open(t.Context(), pg.Config{CallerURL: address.String(), ServiceURL: direct, MaxCallers: 1, MaxService: 1, AcquireTimeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(db.Close)
			first, cancel := context.WithCancel(t.Context())
			go func() {
				<-server.sent
				cancel()
			}()
			who := claims.ForRole(claims.ServiceRole)
			_, _ = db.QueryAsCaller(first, who, pg.Settings{}, pg.Statement{SQL: "select " + awaited}, nil)
			if first.Err() == nil {
				t.Fatal("the first request was not cancelled")
			}
			// It runs while the cancel request arrives.
			next := pg.Statement{SQL: fmt.Sprintf("select pg_sleep(%f)", delay.Seconds()+0.5)}
			if _, err := db.QueryAsCaller(t.Context(), who, pg.Settings{}, next, nil); err != nil {
				t.Errorf("the second request: %v", err)
			}
		})
	}
}
