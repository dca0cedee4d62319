package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/ops"
	"plaza/server/site"
)

// routes is the whole API and the client on one origin.
func (a *App) routes(ctx context.Context, project Project, log *slog.Logger) (http.Handler, error) {
	auth := a.secrets.Authenticator()
	data, err := a.restServer(ctx, auth, log)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/rest/v1/", data.Routes("/rest/v1"))
	mux.Handle("GET /health", ops.Health())
	mux.Handle("GET /ready", ops.Ready(a.db))

	parts := Parts{DB: a.db, Auth: auth, Log: log, Now: time.Now}
	if project.Routes != nil {
		for pattern, handler := range project.Routes(parts) {
			mux.Handle(pattern, handler)
		}
	}
	if project.Client == nil {
		mux.Handle("/", ops.Landing(project.Name))
		return mux, nil
	}
	var head site.Head
	if project.Head != nil {
		head = project.Head(parts)
	}
	client, err := site.New(project.Client, a.secrets.Keys.Anon, head)
	if err != nil {
		return nil, err
	}
	mux.Handle("/", client)
	return mux, nil
}
