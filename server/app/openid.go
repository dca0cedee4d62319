package app

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"plaza/server/auth/provider"
	"plaza/server/config"
	"plaza/server/devopenid"
	"plaza/server/secret"
)

// localProvider creates the OpenID provider that replaces Google in development and
// serves it at /openid. It returns nil in production, and if Google is configured.
func localProvider(cfg config.Config, mux *http.ServeMux) (*provider.Local, error) {
	if cfg.Env != config.Development || len(cfg.Auth.External.Google.ClientIDs) > 0 {
		return nil, nil
	}
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("API_EXTERNAL_URL %q is no address: %w", cfg.PublicURL, err)
	}
	issuer := cfg.PublicURL + "/openid"
	made, err := devopenid.New(devopenid.Options{Issuer: issuer, Callback: cfg.PublicURL + "/auth/v1/callback", Now: time.Now})
	if err != nil {
		return nil, err
	}
	handler := made.Routes("/openid")
	mux.Handle("/openid/", handler)
	return &provider.Local{
		Issuer: issuer, ClientID: devopenid.ClientID, Secret: secret.Text(made.Secret()),
		Network: devopenid.NewTransport(http.StripPrefix(public.Path, handler)),
	}, nil
}
