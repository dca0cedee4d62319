package app

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"plaza"
	"plaza/server/auth"
	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/docsite"
	"plaza/server/geo"
	"plaza/server/httpx"
	"plaza/server/invoke"
	"plaza/server/ops"
	"plaza/server/project"
	"plaza/server/site"
)

// restPrefix is the path prefix of the data API.
const restPrefix = "/rest/v1"

// routes creates all services and returns the handler of the API and the client.
func (a *App) routes(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	keys := a.secrets.Authenticator(a.database.now)
	if len(a.cfg.TrustedIssuers) > 0 {
		issuers := claims.NewIssuers(a.cfg.TrustedIssuers, log, a.database.now)
		keys.Verifier.TrustIssuers(issuers)
		a.running.Go(func() { issuers.Run(ctx) })
	}
	data, err := a.restServer(ctx, keys, log)
	if err != nil {
		return nil, err
	}
	senders, err := newSenders(a.cfg.Auth)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	local, err := localProvider(a.cfg, mux)
	if err != nil {
		return nil, err
	}
	accounts, err := auth.New(a.cfg.Auth, auth.Deps{
		DB: a.db, Auth: keys.OwnOnly(), Mail: senders.mail, SMS: senders.sms, Secret: []byte(a.secrets.sealSecret()), SiteURL: a.cfg.SiteURL, ExternalURL: a.cfg.PublicURL + "/auth/v1",
		Folder: a.project.Folder, LocalProvider: local, Development: a.cfg.Env == config.Development, TrustedProxies: a.cfg.TrustedProxies, LimitLocalAddresses: a.cfg.Env == config.Production, Version: ops.Version, Log: log, Now: a.database.now,
	})
	if err != nil {
		return nil, err
	}
	if err := accounts.LoadKeys(ctx); err != nil {
		return nil, err
	}
	if err := accounts.LoadEndedSessions(ctx); err != nil {
		return nil, err
	}
	accounts.LoadTemplates(ctx)
	a.running.Go(func() { accounts.ReloadTemplates(ctx) })
	a.running.Go(func() { accounts.ReloadKeys(ctx) })
	a.running.Go(func() { accounts.FollowEndedSessions(ctx) })
	a.jobs.Add(accounts.Jobs()...)
	instrument := a.meters.requests.Instrument
	tables := instrument("rest", data.Routes(restPrefix))
	mux.Handle(restPrefix, tables)
	signIn := instrument("auth", accounts.Routes("/auth/v1"))
	mux.Handle("/auth/v1/", signIn)
	mux.Handle(auth.MetadataPath+"/auth/v1", signIn)
	if a.cfg.Env != config.Production && (a.cfg.Auth.SMTP.Host == "" || a.cfg.Auth.SMS.Provider == "") {
		inbox := instrument("inbox", senders.inbox.Routes("/inbox"))
		mux.Handle("/inbox", inbox)
		mux.Handle("/inbox/", inbox)
	}
	if a.cfg.Env == config.Development {
		a.serveTypes(mux, keys, log)
	}
	objects, err := a.objects(ctx, keys, log)
	if err != nil {
		return nil, err
	}
	states := make(map[string]func() string)
	if a.cfg.Realtime.Enabled {
		channels, err := a.realtimeServer(ctx, keys, log)
		if err != nil {
			return nil, err
		}
		mux.Handle(realtimePrefix+"/", instrument("realtime", channels))
		states["realtime"] = a.realtime.State
	}
	if a.cfg.Docs {
		documentation := instrument("docs", docsite.New(plaza.Documents, ops.Version))
		mux.Handle(docsite.Prefix, documentation)
		mux.Handle(docsite.Prefix+"/", documentation)
	}
	mux.Handle("GET /health", instrument("ops", ops.Health()))
	mux.Handle("GET /ready", instrument("ops", ops.Ready(a.db, a.draining.Load, states)))

	edge, err := a.edgeFunctions(keys, log)
	if err != nil {
		return nil, err
	}
	places, err := geo.New(a.cfg.Geolocation, log)
	if err != nil {
		return nil, err
	}
	parts := project.Parts{
		DB: a.db, Auth: keys, SiteURL: a.cfg.SiteURL, Log: log, Now: a.database.now,
		Functions: edge.Find, Calls: new(invoke.Calls), Secret: a.secrets.derive, Places: places, TrustedProxies: a.cfg.TrustedProxies,
		Mail: senders.mail, Texts: projectSMS(senders, a.cfg), SignInToken: accounts.IssueSignInToken, Production: a.cfg.Env == config.Production, Payments: a.cfg.Payments,
		Maps: a.cfg.Maps, Operator: a.cfg.Operator, Examine: a.examine,
	}
	var extension project.Extension
	if a.project.Extend != nil {
		if extension, err = a.project.Extend(parts); err != nil {
			return nil, err
		}
	}
	if extension.Run != nil {
		a.running.Go(func() { extension.Run(ctx) })
	}
	a.jobs.Add(extension.Jobs...)
	for pattern, handler := range extension.Routes {
		service := "project"
		if pattern == functionsPrefix+"/" {
			service = "functions"
		}
		mux.Handle(pattern, instrument(service, handler))
	}
	if extension.Routes[functionsPrefix+"/"] == nil {
		mux.Handle(functionsPrefix+"/", instrument("functions", invoke.New(keys, log, a.database.now, edge.Find).Counted(parts.Calls).Routes(functionsPrefix)))
	}
	a.meters.add(jobMetrics(a.jobs), authMetrics(accounts), callMetrics(parts.Calls), processMetrics(edge), pageMetrics(extension.PageCache), extension.Measure)
	if err := a.serveAdmin(data, keys, log); err != nil {
		return nil, err
	}
	if a.project.Client == nil {
		mux.Handle("/", instrument("site", ops.Landing(a.project.Name, mux)))
		return withRawPaths(mux, part{restPrefix, tables}, part{storagePrefix, objects}), nil
	}
	client, err := site.New(a.project.Client, site.Options{
		AnonKey: a.secrets.Keys.Anon, Describe: extension.Describe, API: httpx.Observe(log, time.Now, tables), Timeout: a.cfg.PageTimeout,
		Extras: extension.Page, PageCache: extension.PageCache,
	})
	if err != nil {
		return nil, err
	}
	mux.Handle("/", instrument("site", client))
	return withRawPaths(mux, part{restPrefix, tables}, part{storagePrefix, objects}), nil
}

// part is a handler for the paths below a prefix.
type part struct {
	prefix  string
	handler http.Handler
}

// withRawPaths returns a handler that dispatches the paths of parts without cleaning
// them, and all other paths by mux. A mux would clean paths, but object keys may
// contain "//" and "..".
func withRawPaths(mux http.Handler, parts ...part) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.EscapedPath()
		for _, part := range parts {
			if rest, below := strings.CutPrefix(path, part.prefix); below && strings.HasPrefix(rest, "/") {
				part.handler.ServeHTTP(w, r)
				return
			}
		}
		mux.ServeHTTP(w, r)
	})
}
