package socket_test

import (
	"net"
	"plaza/server/realtime/socket"
	"plaza/tests/testkit/wsframe"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// RT-29: a client that does not read is disconnected, and its queue is freed. The others get all
// messages.
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
	// The close frame is the last frame of the queue: it is written, or dropped with the queue.
	eventually(t, "the disconnection", func() bool { return server.Stats().Open == 1 && server.Stats().Queued == 0 })
	if slow := server.Stats().Slow; slow != 1 {
		t.Errorf("%d slow clients", slow)
	}
}

// The size of all queues together is limited; a frame in many queues counts once.
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

// A client that reads gets any number of paced messages, however fast they come; one that does not is
// disconnected.
func TestSendPaced(t *testing.T) {
	t.Parallel()
	const messages = 5000
	var refused atomic.Int32
	conns := make(chan *socket.Conn, 1)
	server, dial := serve(t, socket.Limits{Frames: 10, Write: 4 * time.Second, Delayed: messages, DelayedBytes: 1 << 30}, func(c *socket.Conn) {
		conns <- c
		echo(c)
	})
	send := func(c *socket.Conn) {
		for n := range messages {
			if !c.SendPaced(numbered(n), t) {
				refused.Add(1)
			}
		}
	}
	conn := dial()
	var sending sync.WaitGroup
	sending.Go(func() { send(<-conns) })
	for n := range messages {
		if _, payload, err := wsframe.Read(conn); err != nil || !strings.HasPrefix(string(payload), strconv.Itoa(n)+" ") || len(payload) < 10_000 {
			t.Fatalf("%d: %d bytes, %v", n, len(payload), err)
		}
	}
	sending.Wait()
	dial()
	send(<-conns)
	eventually(t, "the disconnection of a client that does not read", func() bool { return server.Stats().Open == 1 && server.Stats().Queued == 0 })
	if refused.Load() != 0 {
		t.Errorf("%d messages were refused", refused.Load())
	}
}

// numbered returns a message that begins with a number.
func numbered(n int) *socket.Frame {
	return socket.Text(func(out []byte) []byte {
		return append(append(strconv.AppendInt(out, int64(n), 10), ' '), strings.Repeat("x", 10_000)...)
	})
}

// The number and size of delayed messages are limited; those of an owner can be dropped. Messages of Send
// overtake them.
func TestDelayedFrames(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]socket.Limits{"number": {Frames: 10, Delayed: 2000, DelayedBytes: 1 << 30}, "size": {Frames: 10, DelayedBytes: 20_000_000}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conns := make(chan *socket.Conn, 1)
			server, dial := serve(t, limits, func(c *socket.Conn) {
				conns <- c
				echo(c)
			})
			client := dial()
			c := <-conns
			sent := 0
			for ; c.SendPaced(numbered(sent), sent%2); sent++ {
				if sent > 10_000 {
					t.Fatal("any number of messages may wait")
				}
			}
			full := server.Stats().Queued
			c.DropDelayed(1)
			if left := server.Stats().Queued; left < full/3 || left > full*2/3 {
				t.Errorf("%d of %d bytes are left", left, full)
			}
			if !c.SendPaced(numbered(sent), 0) || !c.Send(numbered(1_000_000)) {
				t.Error("there is no room")
			}
			last, urgent, even := -1, -1, 0
			for last < sent {
				_, payload, err := wsframe.Read(client)
				if err != nil {
					t.Fatal(err)
				}
				n, _ := strconv.Atoi(strings.Fields(string(payload))[0])
				if n == 1_000_000 {
					urgent = even
					continue
				}
				if n <= last {
					t.Errorf("%d after %d", n, last)
				}
				if last, even = n, even+1; urgent >= 0 && n != sent && n%2 == 1 && even > urgent+20 {
					t.Errorf("%d was dropped", n)
				}
			}
			if urgent < 0 || urgent > even-50 {
				t.Errorf("the message that does not wait came after %d of %d", urgent, even)
			}
		})
	}
}
