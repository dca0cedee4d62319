// Package bus carries messages between the servers of one database: at most once, and in order
// from one server to another. It is an embedded NATS server without persistence; the servers are
// connected to one another, and a message reaches those that have subscribed to its subject.
package bus

import (
	"crypto/rand"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Config configures a Bus.
type Config struct {
	ID      string // of this server
	Address string // host and port at which the other servers reach this one
	Listen  string // host and port to listen on; empty: Address
	Secret  []byte // shared by all servers
	Log     *slog.Logger
}

// Limits.
const (
	maxMessage   = 8 << 20 // bytes
	maxPending   = 64 << 20
	shards       = 8    // goroutines that handle messages
	shardQueue   = 8192 // messages that wait for one of them; when it is full, messages are dropped
	startTimeout = 10 * time.Second
)

// Bus is a running bus. It handles the messages of one subject one after the other.
type Bus struct {
	cfg     Config
	options *server.Options
	server  *server.Server
	conn    *nats.Conn
	seed    maphash.Seed
	queues  [shards]chan *nats.Msg
	ended   chan struct{}
	handle  func(subject string, data []byte)

	sent, received, lost atomic.Uint64
}

// Stats are the counters of a Bus since its start.
type Stats struct {
	Servers              int    // connected to this one now
	Sent, Received, Lost uint64 // messages
}

// Start starts a bus. handle is called with the messages of other servers; messages of different
// subjects may be handled at the same time.
//
// Errors: the address cannot be listened on.
func Start(cfg Config, handle func(subject string, data []byte)) (*Bus, error) {
	if cfg.Listen == "" {
		cfg.Listen = cfg.Address
	}
	b := &Bus{cfg: cfg, seed: maphash.MakeSeed(), ended: make(chan struct{}), handle: handle}
	if err := b.startServer(); err != nil {
		return nil, err
	}
	if err := b.connect(); err != nil {
		b.server.Shutdown()
		return nil, err
	}
	for i := range b.queues {
		b.queues[i] = make(chan *nats.Msg, shardQueue)
		go b.work(b.queues[i])
	}
	return b, nil
}

func (b *Bus) startServer() error {
	host, port, err := splitAddress(b.cfg.Listen)
	if err != nil {
		return err
	}
	shared, err := newIdentity(b.cfg.Secret)
	if err != nil {
		return err
	}
	b.options = &server.Options{
		// A random token: only this process can connect as a client.
		ServerName: b.cfg.ID, Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: rand.Text(),
		NoLog: true, NoSigs: true, MaxPayload: maxMessage, MaxPending: maxPending, MaxControlLine: 4096, WriteDeadline: 10 * time.Second,
		Cluster: server.ClusterOpts{
			Name: "plaza", Host: host, Port: port, Username: "plaza", Password: shared.password, NoAdvertise: true,
			TLSConfig: shared.tls, TLSTimeout: 5, AuthTimeout: 5, PoolSize: -1, // one connection, to keep messages in order
			PingInterval: 2 * time.Second, MaxPingsOut: 2,
		},
	}
	if b.server, err = server.NewServer(b.options); err != nil {
		return fmt.Errorf("start the bus: %w", err)
	}
	b.server.Start()
	if !b.server.ReadyForConnections(startTimeout) {
		b.server.Shutdown()
		return fmt.Errorf("start the bus: cannot listen on %s", b.cfg.Listen)
	}
	return nil
}

func (b *Bus) connect() (err error) {
	b.conn, err = nats.Connect("", nats.InProcessServer(b.server), nats.Token(b.options.Authorization), nats.NoEcho(), nats.MaxReconnects(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrSlowConsumer) {
				b.lost.Add(1)
			}
			b.cfg.Log.Warn("messages between servers were lost", "error", err)
		}))
	if err != nil {
		return fmt.Errorf("connect to the bus: %w", err)
	}
	return nil
}

// work handles the messages of a queue.
func (b *Bus) work(queue <-chan *nats.Msg) {
	for {
		select {
		case m := <-queue:
			b.received.Add(1)
			b.handle(m.Subject, m.Data)
		case <-b.ended:
			return
		}
	}
}

// Subscribe receives the messages of a subject until stop is called.
func (b *Bus) Subscribe(subject string) (stop func()) {
	queue := b.queues[maphash.String(b.seed, subject)%shards]
	subscribed, err := b.conn.ChanSubscribe(subject, queue)
	if err != nil { // the bus is closed
		return func() {}
	}
	return func() { _ = subscribed.Unsubscribe() }
}

// Publish sends a message to the servers that have subscribed to a subject. It does not wait.
func (b *Bus) Publish(subject string, data []byte) {
	if err := b.conn.Publish(subject, data); err != nil {
		b.lost.Add(1)
		return
	}
	b.sent.Add(1)
}

// SetPeers connects to the servers at addresses, in place of those before, and reconnects when a connection
// is lost.
func (b *Bus) SetPeers(addresses []string) error {
	changed := b.options.Clone()
	changed.Routes = nil
	for _, address := range addresses {
		changed.Routes = append(changed.Routes, &url.URL{Scheme: "nats-route", Host: address, User: url.UserPassword("plaza", b.options.Cluster.Password)})
	}
	if err := b.server.ReloadOptions(changed); err != nil {
		return fmt.Errorf("connect to the other servers: %w", err)
	}
	b.options = changed
	return nil
}

// Stats returns the current counters.
func (b *Bus) Stats() Stats {
	return Stats{b.server.NumRoutes(), b.sent.Load(), b.received.Load(), b.lost.Load()}
}

// Close sends the messages that were published, and stops the bus.
func (b *Bus) Close() {
	_ = b.conn.FlushTimeout(time.Second)
	b.conn.Close()
	b.server.Shutdown()
	close(b.ended)
}

func splitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not a host and a port (an IPv6 address is in brackets)", address)
	}
	return host, port, nil
}

// CheckAddress returns an error if other servers cannot reach this one at an address.
func CheckAddress(address string) error {
	host, _, err := splitAddress(address)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return fmt.Errorf("%q has no host at which other servers can connect", address)
	}
	return nil
}

// CheckListen returns an error if an address is not a host and a port to listen on.
func CheckListen(address string) error {
	_, _, err := splitAddress(address)
	return err
}
