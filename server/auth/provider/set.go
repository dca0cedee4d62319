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

	operators *directory // of built-in providers
	admins    *directory // of custom providers
	local     *directory
}

// New returns a Set.
func New(config Config, options Options) *Set {
	s := &Set{settings: config.byName(), config: config, options: options}
	find := func(next http.RoundTripper, open bool) *directory {
		return &directory{client: newClient(next, open), ttl: config.CacheTTL, now: options.Now, known: lru.New[string, remembered](maxIssuers)}
	}
	s.operators, s.admins = find(options.Network, true), find(options.Network, options.AllowLocal)
	s.admins.allow = s.CheckAddress
	if s.standsIn() {
		s.local = find(options.Local.Network, true)
		s.settings[google] = Settings{
			Enabled: true, ClientIDs: []string{options.Local.ClientID}, Secret: options.Local.Secret,
			EmailOptional: s.settings[google].EmailOptional, SkipNonceCheck: s.settings[google].SkipNonceCheck,
		}
	}
	return s
}

// standsIn reports whether the local provider replaces Google, because no client of Google is
// configured.
func (s *Set) standsIn() bool {
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
	case kind.needs == "URL" && settings.URL == "":
		return nil, fmt.Errorf("%w: its URL is not set", ErrIncomplete)
	}
	p := &Provider{
		Name: name, EmailOptional: settings.EmailOptional, kind: kind, settings: settings, client: s.operators.client,
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
	if kind.at != nil {
		p.at = kind.at(settings)
	} else {
		from, err := p.source.directory.find(ctx, p.source.issuer, "")
		if err != nil {
			return nil, err
		}
		p.at = endpoints{from.AuthorizationEndpoint, from.TokenEndpoint, from.UserinfoEndpoint}
	}
	p.oauth.Endpoint = oauth2.Endpoint{AuthURL: p.at.auth, TokenURL: p.at.token, AuthStyle: kind.style}
	return p, nil
}

func splitScopes(scopes string) []string {
	return strings.FieldsFunc(scopes, func(char rune) bool { return char == ',' || char == ' ' })
}

func (s *Set) source(name string, kind kind, settings Settings) *Source {
	from := &Source{
		Provider: name, EmailOptional: settings.EmailOptional, audiences: settings.ClientIDs, skipNonce: settings.SkipNonceCheck,
		read: kind.read, directory: s.operators, now: s.options.Now,
	}
	if kind.issuer != nil {
		from.issuer = kind.issuer(settings)
	}
	if kind.issuers != nil {
		from.issuers = kind.issuers(settings)
	}
	switch {
	case name == google && s.standsIn():
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
		name = s.named(issuer)
	}
	kind, known := kinds[name]
	switch {
	case known && kind.anyone && !s.settings[name].Enabled:
		return nil, ErrDisabled
	case known && kind.anyone:
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
			Provider: issuer, issuer: issuer, audiences: []string{clientID}, read: readStandard, directory: s.operators, now: s.options.Now,
		}, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknown, Shorten(name+issuer))
}

// named returns the name of the provider with an issuer, or "".
func (s *Set) named(issuer string) string {
	for name, kind := range kinds {
		if !kind.anyone {
			continue
		}
		from := s.source(name, kind, s.settings[name])
		if issuer != "" && (issuer == from.issuer || from.issuers != nil && from.issuers(issuer)) {
			return name
		}
	}
	return ""
}
