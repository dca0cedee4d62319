// Package realtime serves Supabase Realtime's API: channels over WebSockets, on which clients
// broadcast messages and track presence, and broadcasts by HTTP.
//
// A client's connection joins topics. Each join is a channel, and the channels of a topic are
// the members of a room. A private room and a public one of the same name are distinct: policies
// on the table realtime.messages decide who may join private rooms and send to them.
package realtime

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
	"github.com/google/uuid"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/realtime/changes"
	"plaza/server/realtime/messages"
	"plaza/server/realtime/socket"
)

// Deps are the dependencies of the realtime server.
type Deps struct {
	DB   *pg.DB
	Auth *claims.Authenticator
	Log  *slog.Logger
	Now  func() time.Time

	Secret []byte // shared by all servers of the database; needed with Config.Bus
}

// Server serves the realtime API.
type Server struct {
	cfg     Config
	db      *pg.DB
	auth    *claims.Authenticator
	store   *messages.Store
	log     *slog.Logger
	now     func() time.Time
	sockets *socket.Server
	rooms   *rooms
	changes *changes.Engine
	sent    sentIDs
	cluster *cluster // nil: there is one server
	id      string   // of this server

	resubscribePause time.Duration

	mu         sync.Mutex
	clients    map[*client]struct{}
	otherUsers int // connections to other servers
	closing    bool

	events, joins, presences *rate
	refPrefix                string // of presence references, unique among servers
	refs                     atomic.Uint64
	counts                   counts
}

// New returns a Server. Run does its background work.
//
// Errors: the address of Config.Bus cannot be listened on.
func New(cfg Config, deps Deps) (*Server, error) {
	s := &Server{
		cfg: cfg, db: deps.DB, auth: deps.Auth, store: messages.New(deps.DB, cfg.Pool), log: deps.Log, now: deps.Now,
		sockets: socket.NewServer(cfg.Sockets), rooms: newRooms(), clients: make(map[*client]struct{}),
		events: newRate(cfg.MaxEvents, deps.Now), joins: newRate(cfg.MaxJoins, deps.Now), presences: newRate(cfg.MaxPresence, deps.Now),
		id: uuid.NewString(), resubscribePause: resubscribePause, sent: sentIDs{young: make(map[string]struct{})},
	}
	s.refPrefix = s.id[:8]
	s.changes = changes.New(changes.Deps{DB: deps.DB, Log: deps.Log, Now: deps.Now, Broadcast: s.deliverStored, Recover: s.recoverStored, Limits: cfg.Lag})
	return s, s.startCluster(deps.Secret)
}

// Routes returns the handler of the API below a prefix.
func (s *Server) Routes(prefix string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"/websocket", s.serveWebSocket)
	mux.HandleFunc("GET "+prefix+"/api/ping", ping)
	cors := func(handle http.HandlerFunc) http.Handler { return httpx.CORS(nil, handle) }
	for path, handle := range map[string]http.HandlerFunc{
		prefix + "/api/broadcast": s.broadcastBatch, prefix + "/api/broadcast/{topic}/events/{event}": s.broadcastOne,
	} {
		mux.Handle("POST "+path, cors(handle))
		mux.Handle("OPTIONS "+path, cors(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	}
	return mux
}

func ping(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "message", "Success") }

// Intervals of the background work.
const (
	sweepInterval     = time.Second
	expiryInterval    = 5 // ticks of sweepInterval between checks for expired tokens
	partitionInterval = time.Hour
)

// Jobs returns the background jobs: renewing the partitions of realtime.messages.
func (s *Server) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "realtime_partitions", Every: partitionInterval, Run: s.store.RenewPartitions}}
}

// Run reads table changes and closes channels whose tokens are no longer valid, until ctx ends.
func (s *Server) Run(ctx context.Context) {
	var background sync.WaitGroup
	defer background.Wait()
	background.Go(func() { s.changes.Run(ctx) })
	if s.cluster != nil {
		background.Go(func() { s.cluster.run(ctx) })
	}
	sweep := time.NewTicker(sweepInterval)
	defer sweep.Stop()
	revocations, ticks := uint64(0), 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-sweep.C:
			// A revoked session is closed on the next tick. Expired tokens can wait, since nothing is
			// delivered to their channels.
			changes := s.auth.Verifier.RefusedChanges()
			if ticks++; changes != revocations || ticks == expiryInterval {
				revocations, ticks = changes, 0
				s.sweep()
			}
		}
	}
}

// closeSpread is the maximum time over which the closing of connections is spread when the server
// stops, so that clients do not all reconnect at once.
const closeSpread = 2 * time.Second

// Close notifies all clients that the server stops, and closes their connections.
func (s *Server) Close(ctx context.Context) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	all := s.snapshot()
	pause := closeSpread / time.Duration(max(len(all), 1))
	for _, c := range all {
		c.announceClose("Server requested disconnect")
		c.conn.Close(ws.StatusCode(statusRestart), "")
		select {
		case <-time.After(min(pause, 10*time.Millisecond)):
		case <-ctx.Done():
		}
	}
}

// statusRestart is the code for a server that restarts.
//
// Source: IANA's WebSocket Close Code Number Registry.
const statusRestart = 1012

// nextRef returns a new reference of a presence.
func (s *Server) nextRef() string {
	return s.refPrefix + strconv.FormatUint(s.refs.Add(1), 36)
}

// snapshot returns the connected clients.
func (s *Server) snapshot() []*client {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*client, 0, len(s.clients))
	for c := range s.clients {
		all = append(all, c)
	}
	return all
}
