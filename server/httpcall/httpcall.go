// Package httpcall sends the requests of the stand-in for the extension http, and returns the
// responses to the statements that wait for them.
//
// PostgreSQL connects to this server with the functions of dblink, as if it were another PostgreSQL,
// and sends a request as a query. This needs no further connection to the database, and the transaction
// of the statement need not be committed.
package httpcall

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"plaza/server/pg"
	"plaza/server/pgnet/send"
	"plaza/server/wake"
)

// Limits of the server.
const (
	maxCalls         = 20          // that wait at the same time
	maxTimeout       = time.Minute // PostgreSQL cannot cancel a statement that waits in dblink
	maxRequest       = 64 << 20    // bytes
	handshakeTimeout = 5 * time.Second
	idleTimeout      = 10 * time.Second // until the next request of a connection
	registerInterval = 30 * time.Second
	registerTimeout  = 5 * time.Second
)

const (
	isStandIn = `select to_regclass('plaza.http_endpoint') is not null`
	// register stores this server's address. If $2 is true, at the start, it removes all others, as those of servers that
	// have ended.
	register = `with others as (delete from plaza.http_endpoint where conninfo <> $1 and $2)
		insert into plaza.http_endpoint (conninfo) values ($1) on conflict do nothing`
	unregister = `delete from plaza.http_endpoint where conninfo = $1`
)

// Server answers the calls of a database.
type Server struct {
	sender   *send.Sender
	db       *pg.DB
	log      *slog.Logger
	listener net.Listener
	password string
	calls    chan struct{} // a value for each authenticated connection

	wake.Signal // makes Run register the server
}

// Listen returns a Server that listens on a loopback port. Run answers calls.
func Listen(ctx context.Context, db *pg.DB, sender *send.Sender, log *slog.Logger) (*Server, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the requests of http(): %w", err)
	}
	return &Server{sender: sender, db: db, log: log, listener: listener, password: rand.Text(), calls: make(chan struct{}, maxCalls), Signal: wake.NewSignal()}, nil
}

// conninfo returns the connection string with which PostgreSQL reaches the server.
func (s *Server) conninfo() string {
	return fmt.Sprintf("host=127.0.0.1 port=%d dbname=http user=http password=%s sslmode=disable gssencmode=disable connect_timeout=5",
		s.listener.Addr().(*net.TCPAddr).Port, s.password)
}

// Run answers calls until ctx ends. It keeps the server's address registered in the database.
func (s *Server) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { s.accept(ctx, &running) })
	defer func() { _ = s.listener.Close() }()
	ticker := time.NewTicker(registerInterval)
	defer ticker.Stop()
	for first := true; ; first = false {
		if err := s.register(ctx, first); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "http() in SQL cannot send requests", "error", err)
		}
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), registerTimeout)
			defer cancel()
			if err := s.exec(ctx, unregister, s.conninfo()); err != nil {
				s.log.WarnContext(ctx, "the address of this server for http() in SQL could not be removed from the database", "error", err)
			}
			return
		case <-s.Signal:
		case <-ticker.C:
		}
	}
}

func (s *Server) register(ctx context.Context, first bool) error {
	return s.exec(ctx, register, s.conninfo(), first)
}

// exec runs a statement if the database has the stand-in.
func (s *Server) exec(ctx context.Context, statement string, args ...any) error {
	var standIn bool
	err := s.db.Owner().QueryRow(ctx, isStandIn).Scan(&standIn)
	if err == nil && standIn {
		_, err = s.db.Owner().Exec(ctx, statement, args...)
	}
	return err
}

func (s *Server) accept(ctx context.Context, running *sync.WaitGroup) {
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.log.WarnContext(ctx, "a request of http() was not accepted", "error", err)
			continue
		}
		running.Go(func() {
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
			defer stop()
			defer func() { _ = conn.Close() }()
			if err := s.serve(ctx, conn); err != nil {
				s.log.DebugContext(ctx, "a connection of http() has failed", "error", err)
			}
		})
	}
}

// serve speaks PostgreSQL's protocol on a connection: it checks the password and answers queries.
func (s *Server) serve(ctx context.Context, conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(handshakeTimeout)); err != nil {
		return err
	}
	backend := pgproto3.NewBackend(conn, conn)
	backend.SetMaxBodyLen(maxRequest)
	startup, err := backend.ReceiveStartupMessage()
	if err != nil {
		return err
	}
	if _, ok := startup.(*pgproto3.StartupMessage); !ok {
		return fmt.Errorf("unexpected message %T", startup)
	}
	backend.Send(&pgproto3.AuthenticationCleartextPassword{})
	if err := backend.SetAuthType(pgproto3.AuthTypeCleartextPassword); err != nil {
		return err
	}
	if err := backend.Flush(); err != nil {
		return err
	}
	message, err := backend.Receive()
	if err != nil {
		return err
	}
	password, ok := message.(*pgproto3.PasswordMessage)
	if !ok || subtle.ConstantTimeCompare([]byte(password.Password), []byte(s.password)) == 0 {
		return refuse(backend, "28P01", "password authentication failed")
	}
	select {
	case s.calls <- struct{}{}:
		defer func() { <-s.calls }()
	default:
		return refuse(backend, "53300", fmt.Sprintf("%d requests of http() are under way already", maxCalls))
	}
	backend.Send(&pgproto3.AuthenticationOk{})
	backend.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := errors.Join(backend.Flush(), conn.SetDeadline(time.Now().Add(idleTimeout))); err != nil {
		return err
	}
	return s.answer(ctx, conn, backend)
}

// answer answers queries until the client ends the session.
func (s *Server) answer(ctx context.Context, conn net.Conn, backend *pgproto3.Backend) error {
	for {
		message, err := backend.Receive()
		if err != nil {
			return err
		}
		switch message := message.(type) {
		case *pgproto3.Query:
			if err := conn.SetDeadline(time.Now().Add(maxTimeout + idleTimeout)); err != nil {
				return err
			}
			answer, err := s.call(ctx, message.String)
			if err != nil {
				return err
			}
			backend.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("answer"), DataTypeOID: textOID, DataTypeSize: -1, TypeModifier: -1}}})
			backend.Send(&pgproto3.DataRow{Values: [][]byte{answer}})
			backend.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
			backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			if err := errors.Join(backend.Flush(), conn.SetDeadline(time.Now().Add(idleTimeout))); err != nil {
				return err
			}
		case *pgproto3.Terminate:
			return nil
		default:
			return fmt.Errorf("unexpected message %T", message)
		}
	}
}

// textOID is the type text.
const textOID = 25

func refuse(backend *pgproto3.Backend, code, reason string) error {
	backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: code, Message: reason})
	return errors.Join(errors.New(reason), backend.Flush())
}

// request is a request as the database sends it.
type request struct {
	Method    string      `json:"method"`
	URL       string      `json:"url"`
	Headers   [][2]string `json:"headers"`
	Content   string      `json:"content"`
	TimeoutMS int64       `json:"timeout_ms"`
	ConnectMS int64       `json:"connect_ms"`
}

// response is what the database gets.
type response struct {
	Status      int         `json:"status"`
	ContentType *string     `json:"content_type"`
	Headers     [][2]string `json:"headers"`
	Content     string      `json:"content"`
	Error       string      `json:"error,omitempty"`
}

// call sends the request that a query contains as JSON, and returns the response as JSON.
func (s *Server) call(ctx context.Context, query string) ([]byte, error) {
	var r request
	if err := json.Unmarshal([]byte(query), &r); err != nil {
		return json.Marshal(response{Error: "the request is no JSON"})
	}
	asked := send.Request{
		Method: r.Method, URL: r.URL, Body: []byte(r.Content),
		Timeout: min(maxTimeout, time.Duration(r.TimeoutMS)*time.Millisecond), ConnectTimeout: time.Duration(r.ConnectMS) * time.Millisecond,
	}
	if r.TimeoutMS == 0 { // as in curl
		asked.Timeout = maxTimeout
	}
	for _, header := range r.Headers {
		asked.Headers = append(asked.Headers, send.Header{Name: header[0], Value: header[1]})
	}
	got := s.sender.Send(ctx, asked)
	made := response{Status: got.Status, ContentType: got.ContentType, Content: got.Content, Error: got.Error, Headers: [][2]string{}}
	for _, header := range got.Headers {
		made.Headers = append(made.Headers, [2]string{header.Name, header.Value})
	}
	return json.Marshal(made)
}
