package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/ops"
	"plaza/server/project"
	"plaza/server/site"
)

// routes is the whole API and the client on one origin.
func (a *App) routes(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	auth := a.secrets.Authenticator()
	data, err := a.restServer(ctx, auth, log)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/rest/v1/", data.Routes("/rest/v1"))
	mux.Handle("GET /health", ops.Health())
	mux.Handle("GET /ready", ops.Ready(a.db))

	parts := project.Parts{DB: a.db, Auth: auth, SiteURL: a.cfg.SiteURL, Log: log, Now: time.Now}
	if a.project.Routes != nil {
		added, err := a.project.Routes(parts)
		if err != nil {
			return nil, err
		}
		for pattern, handler := range added {
			mux.Handle(pattern, handler)
		}
	}
	if a.project.Client == nil {
		mux.Handle("/", ops.Landing(a.project.Name))
		return mux, nil
	}
	var head site.Head
	if a.project.Head != nil {
		head = a.project.Head(parts)
	}
	client, err := site.New(a.project.Client, a.secrets.Keys.Anon, head)
	if err != nil {
		return nil, err
	}
	mux.Handle("/", client)
	return mux, nil
}
