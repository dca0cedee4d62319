package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"plaza/server/lru"
	"plaza/server/openid"

	"github.com/coreos/go-oidc/v3/oidc"
)

// issuer is an OpenID provider with its endpoints and keys.
type issuer struct {
	openid.Discovery
	keys *oidc.Provider
}

// maxIssuers bounds the number of cached issuers. At some providers every tenant is an issuer of
// its own, and the token's sender chooses the tenant.
const maxIssuers = 200

// directory discovers issuers and caches them.
type directory struct {
	client *http.Client
	ttl    time.Duration
	now    func() time.Time
	allow  func(address string) error // checks the endpoints; nil: all are allowed
	cache  *lru.Cache[string, cachedIssuer]
}

type cachedIssuer struct {
	issuer *issuer
	until  time.Time
}

// find returns the issuer with a name. address is the URL of its discovery document; an empty
// address means the standard location.
func (d *directory) find(ctx context.Context, name, address string) (*issuer, error) {
	if address == "" {
		address = openid.DiscoveryURL(name)
	}
	key := name + "\n" + address
	if entry, ok := d.cache.Get(key); ok && d.now().Before(entry.until) {
		return entry.issuer, nil
	}
	found, err := d.fetch(ctx, name, address)
	if err != nil {
		return nil, fmt.Errorf("discover %s: %w", name, err)
	}
	d.cache.Add(key, cachedIssuer{found, d.now().Add(d.ttl)})
	return found, nil
}

func (d *directory) fetch(ctx context.Context, name, address string) (*issuer, error) {
	var doc openid.Discovery
	if err := openid.Get(ctx, d.client, address, &doc); err != nil {
		return nil, err
	}
	if doc.Issuer != name {
		return nil, fmt.Errorf("the issuer there calls itself %q", Shorten(doc.Issuer))
	}
	if err := checkEndpoints(doc, d.allow); err != nil {
		return nil, err
	}
	config := oidc.ProviderConfig{
		IssuerURL: doc.Issuer, AuthURL: doc.AuthorizationEndpoint, TokenURL: doc.TokenEndpoint,
		UserInfoURL: doc.UserinfoEndpoint, JWKSURL: doc.JWKSURI, Algorithms: algorithms,
	}
	return &issuer{doc, config.NewProvider(oidc.ClientContext(context.Background(), d.client))}, nil
}

// algorithms are the accepted signature algorithms of ID tokens. Those with a shared secret are
// excluded.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// checkEndpoints checks the addresses of a discovery document.
func checkEndpoints(doc openid.Discovery, allow func(string) error) error {
	for name, address := range map[string]string{
		"authorization_endpoint": doc.AuthorizationEndpoint, "token_endpoint": doc.TokenEndpoint, "jwks_uri": doc.JWKSURI,
		"userinfo_endpoint": doc.UserinfoEndpoint,
	} {
		if address == "" && name != "userinfo_endpoint" {
			return fmt.Errorf("the discovery document is missing required fields: %s", name)
		}
		if address == "" || allow == nil {
			continue
		}
		if err := allow(address); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// maxAddress bounds a URL, in bytes. Source: supabase/auth's constraint on its table.
const maxAddress = 2048

// checkAddress validates the URL of a provider. It must use https; allowPrivate also allows http.
func checkAddress(address string, allowPrivate bool) error {
	parsed, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxAddress:
		return errors.New("Invalid URL format")
	case parsed.Scheme != "https" && !(allowPrivate && parsed.Scheme == "http"):
		return errors.New("URL must use HTTPS")
	case parsed.Hostname() == "":
		return errors.New("URL must have a valid hostname")
	case parsed.User != nil || parsed.Fragment != "":
		return errors.New("URL must not hold credentials or a fragment")
	}
	return nil
}
