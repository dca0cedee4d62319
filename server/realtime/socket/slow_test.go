package socket_test

import (
	"net"
	"plaza/server/realtime/socket"
	"plaza/tests/testkit/wsframe"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// RT-29: a client that does not read is disconnected, the others get everything, and the
// memory of its queue is free.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	conns := make(chan *socket.Conn)
	server, dial := serve(t, socket.Limits{Frames: 100}, func(c *socket.Conn) {
		conns <- c
		echo(c)
	})
	slow := dial()
	slowConn := <-conns
	_ = slow.(*net.TCPConn).SetReadBuffer(1)
	reader := dial()
	readerConn := <-conns
	frame := socket.Text(func(out []byte) []byte { return append(out, strings.Repeat("x", 100_000)...) })
	sent := 0
	for slowConn.Send(frame) {
		if !readerConn.Send(frame) {
			t.Fatal("the reading client was disconnected")
		}
		sent++
		if _, _, err := wsframe.Read(reader); err != nil {
			t.Fatal(err)
		}
		if sent > 10_000 {
			t.Fatal("the client that does not read was never disconnected")
		}
	}
	// The close frame is the last that leaves the queue, or is dropped with it.
	eventually(t, "the disconnection", func() bool { return server.Stats().Open == 1 && server.Stats().Queued == 0 })
	if slow := server.Stats().Slow; slow != 1 {
		t.Errorf("%d slow clients", slow)
	}
}

// All queues together are bounded; a frame in many queues counts once.
func TestQueuesAreBounded(t *testing.T) {
	t.Parallel()
	conns := make(chan *socket.Conn, 10)
	server, dial := serve(t, socket.Limits{Bytes: 100 << 20, Queued: 20 << 20}, func(c *socket.Conn) {
		conns <- c
		echo(c)
	})
	var all []*socket.Conn
	for range 4 {
		conn := dial()
		_ = conn.(*net.TCPConn).SetReadBuffer(1)
		all = append(all, <-conns)
	}
	shared := socket.Text(func(out []byte) []byte { return append(out, make([]byte, 8<<20)...) })
	for _, c := range all {
		c.Send(shared)
		c.Send(shared)
	}
	if stats := server.Stats(); stats.Slow != 0 || stats.Queued > 9<<20 {
		t.Fatalf("a shared frame was counted several times: %+v", stats)
	}
	for range 3 {
		all[0].Send(socket.Text(func(out []byte) []byte { return append(out, make([]byte, 8<<20)...) }))
	}
	eventually(t, "the disconnection of the slowest", func() bool { return server.Stats().Slow == 1 })
	if all[0].Send(shared) {
		t.Error("another than the slowest was disconnected")
	}
}

// A client that reads gets any number of messages that are sent within its pace; one that does
// not is disconnected, and the sender returns.
func TestSendWithin(t *testing.T) {
	t.Parallel()
	const messages = 5000
	var refused atomic.Int32
	send := func(c *socket.Conn) {
		go echo(c)
		frame := socket.Text(func(out []byte) []byte { return append(out, strings.Repeat("x", 10_000)...) })
		for range messages {
			if !c.SendWithin(frame) {
				refused.Add(1)
				return
			}
		}
	}
	_, dial := serve(t, socket.Limits{Frames: 10}, send)
	conn := dial()
	for range messages {
		if _, payload, err := wsframe.Read(conn); err != nil || len(payload) != 10_000 {
			t.Fatalf("%d bytes, %v", len(payload), err)
		}
	}
	_, dialSlow := serve(t, socket.Limits{Frames: 10, Write: time.Second}, send)
	dialSlow()
	eventually(t, "the disconnection of a client that does not read", func() bool { return refused.Load() == 1 })
}
