package pg

import (
	"net"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

func TestLastPrimaryIsTriedFirst(t *testing.T) {
	t.Parallel()
	config, err := pgconn.ParseConfig("postgres://a,b,c:5433/db?sslmode=prefer")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(serversOf(config)); got != 3 {
		t.Errorf("%d servers", got)
	}
	f := &failover{}
	for _, test := range []struct {
		last string
		want []string
	}{
		{"", []string{"a", "a", "b", "b", "c", "c"}},
		{"b:5432", []string{"b", "b", "a", "a", "c", "c"}},
		{"c:5433", []string{"c", "c", "a", "a", "b", "b"}},
		{"d:5432", []string{"a", "a", "b", "b", "c", "c"}},
	} {
		if f.address.Store(nil); test.last != "" {
			f.address.Store(&test.last)
		}
		ordered := config.Copy()
		f.prefer(ordered)
		var got []string
		for i, way := range hostsOf(ordered) {
			got = append(got, way.Host)
			if secure := i%2 == 0; secure != (way.TLSConfig != nil) {
				t.Errorf("after %q: the way %d has TLS: %t", test.last, i, !secure)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("after %q: %v, want %v", test.last, got, test.want)
		}
	}
}

// listen calls serve for each connection, with its number, until the test ends. It returns the address.
func listen(t *testing.T, serve func(conn net.Conn, number int)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for number := 1; ; number++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			serve(conn, number)
		}
	}()
	return listener.Addr().String()
}

// The primary is found as soon as it is one, also while an attempt at a server that does not answer is under way.
func TestPrimaryIsFoundBesideASilentServer(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int32
	silent := listen(t, func(net.Conn, int) { attempts.Add(1) })
	primary := listen(t, func(conn net.Conn, number int) {
		if number < 7 { // it is not one yet
			_ = conn.Close()
			return
		}
		server := pgproto3.NewBackend(conn, conn)
		if _, err := server.ReceiveStartupMessage(); err != nil {
			t.Error(err)
		}
		server.Send(&pgproto3.AuthenticationOk{})
		server.Send(&pgproto3.ParameterStatus{Name: "in_hot_standby", Value: "off"})
		server.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if err := server.Flush(); err != nil {
			t.Error(err)
		}
	})
	config, err := pgconn.ParseConfig("postgres://" + silent + "," + primary + "/db?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	if address, ok := (&failover{config: config}).find(t.Context()); !ok || address != primary || attempts.Load() > 1 {
		t.Errorf("found %q, %t, after %d attempts at the silent server", address, ok, attempts.Load())
	}
}
