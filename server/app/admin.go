package app

import (
	"fmt"
	"log/slog"
	"net/http"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/rest"
)

// serveAdmin serves the admin server on its own port until stop is called.
func serveAdmin(c rest.Config, admin ops.Admin, log *slog.Logger) (stop func(), err error) {
	listener, err := config.ListenOn(c.AdminHost, c.AdminPort)
	if err != nil {
		return nil, fmt.Errorf("the admin server cannot listen: %w; stop what uses the port or set PGRST_ADMIN_SERVER_PORT", err)
	}
	server := &http.Server{Handler: admin.Routes(), ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout}
	log.Info("admin server listens", "address", listener.Addr().String())
	go func() {
		_ = server.Serve(listener) // ends when it is closed
	}()
	return func() { _ = server.Close() }, nil
}

func metrics(api *rest.Server, db *pg.DB, tokens claims.CacheStats) ops.Metrics {
	pool, schema := db.Stats(), api.Stats()
	return ops.Metrics{
		PoolTimeouts: float64(pool.Timeouts), PoolMax: float64(pool.Max), PoolAvailable: float64(pool.Idle), PoolWaiting: float64(pool.Waiting),
		SchemaLoads: float64(schema.Loads), SchemaFailures: float64(schema.Failures), SchemaSeconds: schema.QueryTime.Seconds(),
		TokenLookups: float64(tokens.Lookups), TokenHits: float64(tokens.Hits), TokensForgotten: float64(tokens.Evictions),
	}
}
