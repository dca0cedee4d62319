package claims

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/openid"
)

// Issuers are third-party issuers whose tokens are accepted, such as Clerk, Firebase or Auth0. Their
// public keys are found by OpenID Connect Discovery.
//
// A token is verified with the keys of the issuer that its iss names, and with no other: some issuers
// share their keys among all customers. Source: Firebase signs the tokens of all its projects with the
// same keys.
type Issuers struct {
	list    []*issuer
	changed func() // called when keys were withdrawn; may be nil
	log     *slog.Logger
	now     func() time.Time
}

// issuer is an issuer with the keys that were fetched last.
type issuer struct {
	all *Issuers
	url string // without a slash at its end

	fetching sync.Mutex // held while the keys are fetched
	mu       sync.Mutex
	name     string    // iss of its tokens; empty before the first fetch
	keys     *KeySet   // nil before the first fetch
	fetched  time.Time // when the last fetch ended, even if it failed
	failure  error     // error of the last fetch; nil: it succeeded
}

const (
	keysLifetime  = 10 * time.Minute // keys are fetched again after this time
	keysRetry     = 30 * time.Second // shortest interval between fetches for tokens with unknown keys; interval of Run
	issuerTimeout = 5 * time.Second  // of a request to an issuer
	maxIssuerKeys = 100
	maxRedirects  = 3
)

// NewIssuers returns the issuers with the given URLs, which CheckIssuer accepts. Their keys are fetched by
// Run, or when a token needs them.
func NewIssuers(urls []string, log *slog.Logger, now func() time.Time) *Issuers {
	all := &Issuers{log: log, now: now}
	for _, one := range urls {
		all.list = append(all.list, &issuer{all: all, url: strings.TrimSuffix(one, "/")})
	}
	return all
}

// CheckIssuer checks the URL of an issuer. It must be https; allowHTTP also allows http.
func CheckIssuer(address string, allowHTTP bool) error {
	parsed, err := url.Parse(address)
	switch {
	case err != nil || parsed.Hostname() == "" || parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "":
		return fmt.Errorf("%q: use the issuer's URL, such as https://example.clerk.accounts.dev", address)
	case !isSecure(parsed, allowHTTP):
		return fmt.Errorf("%q: use an https URL", address)
	}
	return nil
}

func isSecure(address *url.URL, allowHTTP bool) bool {
	return address.Scheme == "https" || allowHTTP && address.Scheme == "http"
}

// Run keeps the keys current until the context ends.
func (all *Issuers) Run(ctx context.Context) {
	ticker := time.NewTicker(keysRetry)
	defer ticker.Stop()
	for {
		for _, one := range all.list {
			one.refresh(ctx, func() bool { return one.failure != nil || one.age() >= keysLifetime })
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// of returns the issuer that the iss claim of a token names, or nil. The token is not verified yet.
func (all *Issuers) of(t *jwt.Token) *issuer {
	if all == nil {
		return nil
	}
	name, err := t.Claims.GetIssuer()
	if err != nil || name == "" {
		return nil
	}
	// The iss claim of some issuers ends with a slash. Source: Auth0.
	at := slices.IndexFunc(all.list, func(one *issuer) bool { return one.url == strings.TrimSuffix(name, "/") })
	if at < 0 {
		return nil
	}
	return all.list[at]
}

// verificationKeys returns the keys that may have signed a token. If none is known, it fetches the issuer's keys.
func (one *issuer) verificationKeys(t *jwt.Token) (any, error) {
	keys, err := one.find(t)
	if err == nil && len(keys) == 0 {
		one.refresh(context.Background(), func() bool { return one.age() >= keysRetry })
		keys, err = one.find(t)
	}
	switch {
	case err != nil:
		return nil, err
	case len(keys) == 0:
		return nil, ErrNoKeyFor
	}
	return jwt.VerificationKeySet{Keys: keys}, nil
}

// age returns the time since the last fetch. The caller holds one.mu.
func (one *issuer) age() time.Duration { return one.all.now().Sub(one.fetched) }

func (one *issuer) find(t *jwt.Token) ([]jwt.VerificationKey, error) {
	one.mu.Lock()
	defer one.mu.Unlock()
	if name, _ := t.Claims.GetIssuer(); one.name != "" && name != one.name {
		return nil, ErrNoKeyFor
	}
	return one.keys.find(t.Header["kid"], t.Method.Alg()), nil
}

// refresh fetches the keys if isDue, which is called with one.mu held, returns true. A concurrent call
// waits for the fetch and then uses its result. If the fetch fails, the previous keys stay.
func (one *issuer) refresh(ctx context.Context, isDue func() bool) {
	one.fetching.Lock()
	defer one.fetching.Unlock()
	one.mu.Lock()
	due := isDue()
	one.mu.Unlock()
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, issuerTimeout)
	defer cancel()
	name, keys, err := one.fetch(ctx)
	one.mu.Lock()
	before, failedBefore := one.keys, one.failure != nil
	one.fetched, one.failure = one.all.now(), err
	if err == nil {
		one.name, one.keys = name, keys
	}
	one.mu.Unlock()
	switch {
	case err != nil && !failedBefore:
		one.all.log.WarnContext(ctx, "cannot fetch the keys of a trusted issuer; its tokens are refused unless their keys are known", "issuer", one.url, "error", err)
	case err == nil && one.all.changed != nil && !keys.hasAll(before):
		one.all.changed()
	}
}

// fetch returns the iss of the issuer's tokens, and its keys.
func (one *issuer) fetch(ctx context.Context) (name string, keys *KeySet, err error) {
	var found openid.Discovery
	if err := one.get(ctx, openid.DiscoveryURL(one.url), &found); err != nil {
		return "", nil, err
	}
	if strings.TrimSuffix(found.Issuer, "/") != one.url {
		return "", nil, fmt.Errorf("the discovery document names another issuer: %.200q", found.Issuer)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := one.get(ctx, found.JWKSURI, &set); err != nil {
		return "", nil, err
	}
	if keys = publicKeys(set.Keys); len(keys.keys) == 0 || len(set.Keys) > maxIssuerKeys {
		return "", nil, fmt.Errorf("%s has %d keys, of which %d are usable", found.JWKSURI, len(set.Keys), len(keys.keys))
	}
	return found.Issuer, keys, nil
}

// publicKeys returns the usable keys among published JSON Web Keys. Symmetric keys are not usable: once
// published, they are no longer secret.
func publicKeys(given []json.RawMessage) *KeySet {
	set := &KeySet{}
	for _, text := range given[:min(len(given), maxIssuerKeys)] {
		var one jwk
		if json.Unmarshal(text, &one) != nil || one.Kind == "oct" || one.Use == "enc" {
			continue
		}
		if value, err := one.public(); err == nil && value != nil {
			set.keys = append(set.keys, key{one.ID, one.Algorithm, value})
		}
	}
	return set
}

// get reads a document. Redirects are followed only to https, or if the issuer itself is http.
func (one *issuer) get(ctx context.Context, address string, value any) error {
	check := func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects || !isSecure(r.URL, strings.HasPrefix(one.url, "http:")) {
			return fmt.Errorf("refused to read %.200q: too many redirects, or not https", r.URL)
		}
		return nil
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	if err := check(&http.Request{URL: parsed}, nil); err != nil {
		return err
	}
	return openid.Get(ctx, &http.Client{CheckRedirect: check}, address, value)
}
