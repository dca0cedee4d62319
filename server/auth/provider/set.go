package provider

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"plaza/server/lru"
	"plaza/server/secret"
)

// Options are the dependencies of a Set.
type Options struct {
	Callback   string            // URL to which providers redirect browsers
	Local      *Local            // replaces Google; nil: none
	AllowLocal bool              // custom providers may be on private networks and use http
	Network    http.RoundTripper // transport of requests to providers; nil: the network
	Now        func() time.Time
}

// Local is this server's own OpenID provider for development.
type Local struct {
	Issuer, ClientID string
	Secret           secret.Text
	Network          http.RoundTripper
}

// Set is the set of all providers.
type Set struct {
	settings map[string]Settings
	config   Config
	options  Options

	builtIn *directory // of built-in providers
	custom  *directory // of custom providers
	local   *directory
}

// New returns a Set.
func New(config Config, options Options) *Set {
	s := &Set{settings: config.byName(), config: config, options: options}
	newDirectory := func(next http.RoundTripper, allowPrivate bool) *directory {
		return &directory{client: newClient(next, allowPrivate), ttl: config.CacheTTL, now: options.Now, cache: lru.New[string, cachedIssuer](maxIssuers)}
	}
	s.builtIn, s.custom = newDirectory(options.Network, true), newDirectory(options.Network, options.AllowLocal)
	s.custom.allow = s.CheckAddress
	if s.replacesGoogle() {
		s.local = newDirectory(options.Local.Network, true)
		s.settings[google] = Settings{
			Enabled: true, ClientIDs: []string{options.Local.ClientID}, Secret: options.Local.Secret,
			EmailOptional: s.settings[google].EmailOptional, SkipNonceCheck: s.settings[google].SkipNonceCheck,
		}
	}
	return s
}

// replacesGoogle reports whether the local provider replaces Google, because no client of Google is
// configured.
func (s *Set) replacesGoogle() bool {
	return s.options.Local != nil && len(s.config.Google.ClientIDs) == 0
}

// Enabled reports whether a built-in provider is enabled.
func (s *Set) Enabled(name string) bool { return s.settings[name].Enabled }

// CheckAddress validates the URL of a custom provider. Private networks are only refused when a
// connection is made.
func (s *Set) CheckAddress(address string) error { return checkAddress(address, s.options.AllowLocal) }

// Open returns a built-in provider, ready to use. scopes, separated by commas or spaces, are added
// to its own.
//
// Errors: ErrUnknown, ErrDisabled, ErrIncomplete; errors of discovery.
func (s *Set) Open(ctx context.Context, name, scopes string) (*Provider, error) {
	kind, known := kinds[name]
	settings := s.settings[name]
	switch {
	case !known:
		return nil, fmt.Errorf("%w: %s", ErrUnknown, Shorten(name))
	case !settings.Enabled:
		return nil, ErrDisabled
	case len(settings.ClientIDs) == 0 || settings.ClientIDs[0] == "" || settings.Secret.Reveal() == "":
		return nil, ErrIncomplete
	case kind.requiredSetting == "URL" && settings.URL == "":
		return nil, fmt.Errorf("%w: its URL is not set", ErrIncomplete)
	}
	p := &Provider{
		Name: name, EmailOptional: settings.EmailOptional, kind: kind, settings: settings, client: s.builtIn.client,
		oauth: oauth2.Config{
			ClientID: settings.ClientIDs[0], ClientSecret: settings.Secret.Reveal(), RedirectURL: settings.RedirectURI,
			Scopes: append(slices.Clone(kind.scopes), splitScopes(scopes)...),
		},
	}
	if p.oauth.RedirectURL == "" {
		p.oauth.RedirectURL = s.options.Callback
	}
	if kind.read != nil {
		p.source = s.source(name, kind, settings)
		p.client = p.source.directory.client
	}
	if kind.endpoints != nil {
		p.endpoints = kind.endpoints(settings)
	} else {
		from, err := p.source.directory.find(ctx, p.source.issuer, "")
		if err != nil {
			return nil, err
		}
		p.endpoints = endpoints{from.AuthorizationEndpoint, from.TokenEndpoint, from.UserinfoEndpoint}
	}
	p.oauth.Endpoint = oauth2.Endpoint{AuthURL: p.endpoints.auth, TokenURL: p.endpoints.token, AuthStyle: kind.style}
	return p, nil
}

func splitScopes(scopes string) []string {
	return strings.FieldsFunc(scopes, func(char rune) bool { return char == ',' || char == ' ' })
}

func (s *Set) source(name string, kind kind, settings Settings) *Source {
	from := &Source{
		Provider: name, EmailOptional: settings.EmailOptional, audiences: settings.ClientIDs, skipNonce: settings.SkipNonceCheck,
		read: kind.read, directory: s.builtIn, now: s.options.Now,
	}
	if kind.issuer != nil {
		from.issuer = kind.issuer(settings)
	}
	if kind.issuers != nil {
		from.issuers = kind.issuers(settings)
	}
	switch {
	case name == google && s.replacesGoogle():
		from.issuer, from.directory = s.options.Local.Issuer, s.local
	case name == "apple" && s.config.IOSBundleID != "":
		from.audiences = append(slices.Clone(from.audiences), s.config.IOSBundleID)
	case name == "facebook":
		from.skipNonce = true // Facebook's limited login sets a nonce of its own
	}
	return from
}

// Source returns the Source for ID tokens from apps: by the provider's name, or, for older
// clients, by issuer and client id.
//
// Errors: ErrUnknown, ErrDisabled.
func (s *Set) Source(name, issuer, clientID string) (*Source, error) {
	if name == "" {
		name = s.providerOf(issuer)
	}
	kind, known := kinds[name]
	switch {
	case known && kind.acceptsAppTokens && !s.settings[name].Enabled:
		return nil, ErrDisabled
	case known && kind.acceptsAppTokens:
		from := s.source(name, kind, s.settings[name])
		if issuer != "" && issuer != from.issuer && (from.issuers == nil || !from.issuers(issuer)) {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, Shorten(issuer))
		}
		if issuer != "" && from.issuers != nil {
			from.issuers = func(claimed string) bool { return claimed == issuer }
		}
		return from, nil
	case issuer != "" && slices.Contains(s.config.AllowedIssuers, issuer):
		return &Source{
			Provider: issuer, issuer: issuer, audiences: []string{clientID}, read: readStandard, directory: s.builtIn, now: s.options.Now,
		}, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknown, Shorten(name+issuer))
}

// providerOf returns the name of the provider with an issuer, or "".
func (s *Set) providerOf(issuer string) string {
	for name, kind := range kinds {
		if !kind.acceptsAppTokens {
			continue
		}
		from := s.source(name, kind, s.settings[name])
		if issuer != "" && (issuer == from.issuer || from.issuers != nil && from.issuers(issuer)) {
			return name
		}
	}
	return ""
}
