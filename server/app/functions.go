package app

import (
	"encoding/json"
	"log/slog"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/edge"
)

// functionsPrefix is the path prefix of functions.
const functionsPrefix = "/functions/v1"

// edgeFunctions creates the runtime of the functions in the project's folder.
func (a *App) edgeFunctions(keys *claims.Authenticator, log *slog.Logger) (*edge.Runtime, error) {
	running, err := edge.New(a.cfg.Functions, a.project.Functions, edge.Deps{
		Env: func() map[string]string { return a.functionsEnvironment(keys) }, DataDir: a.cfg.DataDir, Prefix: functionsPrefix,
		TrustedProxies: a.cfg.TrustedProxies, Development: a.cfg.Env == config.Development, Log: log, Now: time.Now,
	})
	if err == nil {
		a.stopFunctions = running.Close
	}
	return running, err
}

// functionsEnvironment returns the environment variables that Supabase provides to edge functions.
func (a *App) functionsEnvironment(keys *claims.Authenticator) map[string]string {
	encoded := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			return "{}" // unreachable: strings and public keys can always be encoded
		}
		return string(text)
	}
	database := a.database.url
	if a.database.embedded != nil {
		database = a.database.embedded.URL() // by TCP, which every client supports
	}
	return map[string]string{
		"SUPABASE_URL": a.cfg.PublicURL, "SUPABASE_DB_URL": database,
		"SUPABASE_ANON_KEY": a.secrets.Keys.Anon, "SUPABASE_SERVICE_ROLE_KEY": a.secrets.Keys.Service,
		"SUPABASE_PUBLISHABLE_KEYS": encoded(map[string]string{"default": a.secrets.Keys.Publishable}),
		"SUPABASE_SECRET_KEYS":      encoded(map[string]string{"default": a.secrets.Keys.Secret}),
		"SUPABASE_JWKS":             encoded(keys.Verifier.Ring().JWKS()),
	}
}
