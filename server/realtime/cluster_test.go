package realtime_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/realtime"
	"plaza/tests/testkit"
)

// link is a TCP proxy through which other servers reach a server. It can be cut.
type link struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	isCut bool
	conns map[net.Conn]struct{}
}

func newLink(t *testing.T, target string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, target: target, conns: make(map[net.Conn]struct{})}
	t.Cleanup(func() { _ = listener.Close(); l.set(true) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(conn)
		}
	}()
	return l
}

func (l *link) carry(conn net.Conn) {
	defer conn.Close()
	onward, err := net.Dial("tcp", l.target)
	if err != nil || !l.add(conn) {
		return
	}
	defer onward.Close()
	go func() { _, _ = io.Copy(onward, conn); _ = onward.Close() }()
	_, _ = io.Copy(conn, onward)
}

func (l *link) add(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[conn] = struct{}{}
	return !l.isCut
}

// set cuts the link, or restores it.
func (l *link) set(isCut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isCut = isCut
	if isCut {
		for conn := range l.conns {
			_ = conn.Close()
		}
		clear(l.conns)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startCluster starts servers on one database, and waits until they are connected to one another.
func startCluster(t *testing.T, count int, schema string, changes ...func(*realtime.Config)) (servers []*api, links []*link) {
	t.Helper()
	address := testkit.PlatformURL(t)
	for i := range count {
		a := &api{db: testkit.Open(t, address), clock: testkit.NewClock(startTime)}
		if i == 0 {
			a.exec(t, schema)
		}
		listen := freeAddress(t)
		l := newLink(t, listen)
		a.serve(t, address, address, func(c *realtime.Config) {
			c.Bus, c.BusListen, c.Pool = l.listener.Addr().String(), listen, 2
			for _, change := range changes {
				change(c)
			}
		})
		a.run(t)
		servers, links = append(servers, a), append(links, l)
	}
	for _, a := range servers {
		a.await(t, count-1)
	}
	return servers, links
}

// Servers reach one another by the IPv6 addresses in the table of servers.
func TestServersByIPv6(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	var conns []*conn
	var servers []*api
	for range 2 {
		listener, err := net.Listen("tcp", "[::1]:0")
		if err != nil {
			t.Skip("this machine has no IPv6: ", err)
		}
		_ = listener.Close()
		a := &api{db: testkit.Open(t, address), clock: testkit.NewClock(startTime)}
		a.serve(t, address, address, func(c *realtime.Config) { c.Bus = listener.Addr().String() })
		a.run(t)
		c := a.dial(t, "2.0.0", a.auth.Keys.Anon)
		c.join("realtime:room", plain)
		servers, conns = append(servers, a), append(conns, c)
	}
	for _, a := range servers {
		a.await(t, 1)
	}
	servers[0].eventually(t, `select count(*) = 2 from realtime.servers where address like '[::1]:%'`)
	conns[0].waitUntilReached("realtime:room", conns[1])
	conns[1].waitUntilReached("realtime:room", conns[0])
}

// await waits until a server is connected to a number of others.
func (a *api) await(t *testing.T, others int) {
	t.Helper()
	for end := time.Now().Add(testTimeout); a.server.Stats().Bus.Servers != others; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("connected to %d of %d servers", a.server.Stats().Bus.Servers, others)
		}
	}
}

// waitUntilReached sends broadcasts until one arrives: other servers learn of a subscription after a moment.
func (c *conn) waitUntilReached(topic string, others ...*conn) {
	c.t.Helper()
	for _, other := range others {
		for end := time.Now().Add(testTimeout); ; {
			c.send(topic, "broadcast", `{"type":"broadcast","event":"probe","payload":{}}`)
			select {
			case m := <-other.in:
				if m.event != "broadcast" {
					c.t.Fatalf("got %+v", m)
				}
			case <-time.After(20 * time.Millisecond):
				if time.Now().After(end) {
					c.t.Fatal("nothing arrives at another server")
				}
				continue
			}
			break
		}
	}
	// Skip the probes that were also sent.
	c.send(topic, "broadcast", `{"type":"broadcast","event":"last","payload":{}}`)
	for _, other := range others {
		for {
			if m := other.next(); strings.Contains(m.payload, `"last"`) {
				break
			}
		}
	}
}

// RT-30: broadcasts of clients and of the HTTP API, and changes of tables, between three servers.
func TestServersShareBroadcasts(t *testing.T) {
	t.Parallel()
	servers, _ := startCluster(t, 3, marks+everybody)
	const topic, quiet = "realtime:room", `{"presence":{"enabled":false}}`
	var conns [3]*conn
	for i, a := range servers {
		conns[i] = a.dial(t, "2.0.0", a.auth.Keys.Anon)
		conns[i].join(topic, quiet)
	}
	conns[0].waitUntilReached(topic, conns[1], conns[2])
	conns[1].waitUntilReached(topic, conns[0], conns[2])
	for n := range 100 {
		conns[0].send(topic, "broadcast", fmt.Sprintf(`{"type":"broadcast","event":"e","payload":{"n":%d}}`, n))
	}
	for n := range 100 {
		for _, c := range conns[1:] {
			c.expect(message{"", "", topic, "broadcast", fmt.Sprintf(`{"event":"e","payload":{"n":%d},"type":"broadcast"}`, n), false})
		}
	}
	if status, text := servers[2].post(t, "/api/broadcast", "", "application/json", `{"messages":[{"topic":"room","event":"e","payload":{"from":"http"}}]}`); status != 202 {
		t.Fatal(status, text)
	}
	if status, text := servers[2].post(t, "/api/broadcast/room/events/raw", "", "application/octet-stream", "\x00\x01"); status != 202 {
		t.Fatal(status, text)
	}
	for _, c := range conns {
		if m := c.next(); !strings.Contains(m.payload, `"from":"http"`) {
			t.Errorf("got %+v", m)
		}
		if m := c.next(); !m.binary || m.payload != "\x00\x01" {
			t.Errorf("got %+v", m)
		}
	}
	// A private channel of the same name is distinct.
	conns[1].join("realtime:other", quiet)
	conns[2].joinAs("realtime:other", `{"private":true,"presence":{"enabled":false}}`, servers[2].auth.Keys.Anon)
	servers[0].post(t, "/api/broadcast/other/events/e?private=true", "", "application/json", `{"n":1}`)
	if m := conns[2].next(); !strings.Contains(m.payload, `"n":1`) {
		t.Errorf("got %+v", m)
	}
	conns[1].expectNothing()
	for _, c := range conns {
		c.subscribe("realtime:marks", servers[0].auth.Keys.Anon, markEntry)
	}
	servers[0].settle(t, conns[:]...)
}

// follow reads presence messages until a condition holds.
func (c *conn) follow(topic string, p map[string]bool, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(2 * testTimeout); !holds(); {
		select {
		case m := <-c.in:
			if m.topic != topic || m.event != "presence_diff" && m.event != "presence_state" {
				continue
			}
			joins, leaves := m.payload, ""
			if m.event == "presence_diff" {
				var diff struct{ Joins, Leaves any }
				if err := decode([]byte(m.payload), &diff); err != nil {
					c.t.Fatal(err)
				}
				joins, leaves = fmt.Sprint(diff.Joins), fmt.Sprint(diff.Leaves)
			}
			for _, name := range []string{"ana", "ben", "eve"} {
				if strings.Contains(leaves, name) && !strings.Contains(joins, name) {
					delete(p, name)
				}
				if strings.Contains(joins, name) {
					p[name] = true
				}
			}
		case <-time.After(time.Until(end)):
			c.t.Fatalf("present: %v", p)
		}
	}
}

func key(name string) string { return `{"presence":{"key":"` + name + `","enabled":true}}` }

// RT-30: servers share presences: when clients track, change them and disconnect, and for clients that join
// later. After a partition no stale presence is left. A server without heartbeats has left.
func TestServersSharePresences(t *testing.T) {
	t.Parallel()
	servers, links := startCluster(t, 2, everybody)
	const topic = "realtime:room"
	a := servers[0].dial(t, "2.0.0", servers[0].auth.Keys.Anon)
	b := servers[1].dial(t, "2.0.0", servers[1].auth.Keys.Anon)
	track := func(c *conn, payload string) {
		c.send(topic, "presence", `{"type":"presence","event":"track","payload":`+payload+`}`)
	}
	a.join(topic, key("ana"))
	track(a, `{"n":1}`)
	seen := make(map[string]bool)
	b.join(topic, key("ben"))
	b.follow(topic, seen, func() bool { return seen["ana"] })
	track(b, `{"n":1}`)
	atA := make(map[string]bool)
	a.follow(topic, atA, func() bool { return atA["ana"] && atA["ben"] })
	track(b, `{"n":2}`)
	for {
		if m := a.next(); strings.Contains(m.payload, `"n":2`) {
			break
		}
	}
	// A client that disconnects leaves on both servers.
	e := servers[1].dial(t, "2.0.0", servers[1].auth.Keys.Anon)
	e.join(topic, key("eve"))
	track(e, `{}`)
	a.follow(topic, atA, func() bool { return atA["eve"] })
	_ = e.net.Close()
	a.follow(topic, atA, func() bool { return !atA["eve"] })

	// A short partition, during which one client joins and one leaves.
	for _, l := range links {
		l.set(true)
	}
	servers[0].await(t, 0)
	e = servers[1].dial(t, "2.0.0", servers[1].auth.Keys.Anon)
	e.join(topic, key("eve"))
	track(e, `{}`)
	b.send(topic, "presence", `{"type":"presence","event":"untrack"}`)
	b.follow(topic, seen, func() bool { return seen["eve"] && !seen["ben"] })
	for _, l := range links {
		l.set(false)
	}
	a.follow(topic, atA, func() bool { return atA["eve"] && !atA["ben"] })

	// A long one: the presences of the other server are removed, and are back afterwards.
	for _, l := range links {
		l.set(true)
	}
	a.follow(topic, atA, func() bool { return !atA["eve"] && atA["ana"] })
	b.follow(topic, seen, func() bool { return !seen["ana"] && seen["eve"] })
	for _, l := range links {
		l.set(false)
	}
	a.follow(topic, atA, func() bool { return atA["eve"] && !atA["ben"] })
	b.follow(topic, seen, func() bool { return seen["ana"] })
}

// RT-30: connections to all servers count against the limit, but not those to a server without heartbeats.
func TestServersShareLimits(t *testing.T) {
	t.Parallel()
	servers, links := startCluster(t, 2, everybody, func(c *realtime.Config) { c.MaxUsers = 2 })
	for _, a := range servers {
		a.dial(t, "2.0.0", a.auth.Keys.Anon)
	}
	await := func(isFull bool) {
		t.Helper()
		for end := time.Now().Add(testTimeout); ; time.Sleep(10 * time.Millisecond) {
			status, body := servers[0].handshake(t, url.Values{"apikey": {servers[0].auth.Keys.Anon}}, "")
			if isFull == (status == http.StatusTooManyRequests) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d %s", status, body)
			}
		}
	}
	await(true)
	for _, l := range links {
		l.set(true)
	}
	await(false)
}
