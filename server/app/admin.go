package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"plaza/server/ops"
)

// serveAdmin serves the admin server until stop is called.
func serveAdmin(listener net.Listener, admin ops.Admin, log *slog.Logger) (stop func()) {
	server := &http.Server{Handler: admin.Routes(), ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout}
	log.Info("admin server listening", "address", listener.Addr().String())
	go func() {
		_ = server.Serve(listener) // returns when the server is closed
	}()
	return func() { _ = server.Close() }
}

// listenAdmin listens on address, which is that of PLAZA_ADMIN_ADDR. It returns nil if address is empty.
func listenAdmin(address string) (net.Listener, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the admin server cannot listen: %w; stop what uses the port or change PLAZA_ADMIN_ADDR", err)
	}
	return listener, nil
}

// pingReady returns a readiness check that pings the database.
func pingReady(db ops.Pinger) func(context.Context) bool {
	return func(ctx context.Context) bool { return db.Ping(ctx) == nil }
}
