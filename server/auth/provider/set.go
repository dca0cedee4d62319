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

// Options are what a set of providers stands on.
type Options struct {
	Callback   string            // where providers send browsers back to
	Local      *Local            // stands in for Google; nil without
	AllowLocal bool              // providers added by an admin may be on networks of one's own and speak plain http
	Network    http.RoundTripper // carries requests to providers; nil: the network
	Now        func() time.Time
}

// Local is an OpenID provider of this server's own, for development.
type Local struct {
	Issuer, ClientID string
	Secret           secret.Text
	Network          http.RoundTripper
}

// Set are all providers that people can sign in at.
type Set struct {
	settings map[string]Settings
	config   Config
	options  Options

	operators *directory // of the operator's providers
	admins    *directory // of those that the project's admin added
	local     *directory
}

// New makes the set.
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

// standsIn reports whether the local provider takes Google's place: no client of
// Google's is set up.
func (s *Set) standsIn() bool {
	return s.options.Local != nil && len(s.config.Google.ClientIDs) == 0
}

// Enabled reports whether a provider built in can be used.
func (s *Set) Enabled(name string) bool { return s.settings[name].Enabled }

// CheckAddress reports whether an address may be one of a provider that an admin
// adds. That it is not on a network of one's own is seen when it is called.
func (s *Set) CheckAddress(address string) error { return checkAddress(address, s.options.AllowLocal) }

// Open returns a provider built in. scopes are added to its own, separated by
// commas or spaces.
//
// Errors: ErrUnknown, ErrDisabled, ErrIncomplete; that an OpenID provider could
// not be reached.
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
		from.skipNonce = true // Facebook's limited login has a nonce of its own making
	}
	return from
}

// Source returns what checks the ID tokens that apps bring: of a provider by its
// name, or as older clients say it, by issuer and client id.
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

// named finds the provider of an issuer.
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
