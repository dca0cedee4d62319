package app

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"plaza/server/auth/provider"
	"plaza/server/config"
	"plaza/server/openid"
	"plaza/server/secret"
)

// localProvider makes the OpenID provider that stands in for Google, with its
// handler at /openid: in development only, and where no client of Google's is
// set up. Elsewhere both are nil.
func localProvider(cfg config.Config) (*provider.Local, http.Handler, error) {
	if cfg.Env != config.Development || len(cfg.Auth.External.Google.ClientIDs) > 0 {
		return nil, nil, nil
	}
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, nil, fmt.Errorf("API_EXTERNAL_URL %q is no address: %w", cfg.PublicURL, err)
	}
	issuer := cfg.PublicURL + "/openid"
	made, err := openid.New(openid.Options{Issuer: issuer, Callback: cfg.PublicURL + "/auth/v1/callback", Now: time.Now})
	if err != nil {
		return nil, nil, err
	}
	handler := made.Routes("/openid")
	return &provider.Local{
		Issuer: issuer, ClientID: openid.ClientID, Secret: secret.Text(made.Secret()),
		Network: openid.Network(http.StripPrefix(public.Path, handler)),
	}, handler, nil
}
