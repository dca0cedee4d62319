package provider

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// maxIDToken bounds an ID token, in bytes.
const maxIDToken = 32 << 10

// Reasons an ID token is refused.
var (
	ErrBadToken   = errors.New("Bad ID token")
	ErrNoSubject  = errors.New("Missing sub claim in id_token")
	ErrAudience   = errors.New("Unacceptable audience in id_token")
	ErrNoncePair  = errors.New("Passed nonce and nonce in id_token should either both exist or not.")
	ErrNonceWrong = errors.New("Nonces mismatch")
)

// Source is one whose ID tokens are taken: its issuer is pinned, and so is for
// whom the tokens are made.
type Source struct {
	Provider      string // the identity's provider
	EmailOptional bool

	issuer    string            // the one issuer …
	issuers   func(string) bool // … or, of a provider that has many, which may be
	address   string            // of the discovery document; empty: the standard's
	audiences []string
	skipNonce bool
	read      func(issuer string, told document) Person
	directory *directory
	now       func() time.Time
}

// Proof is an ID token with what is known beside it.
type Proof struct {
	Token       string
	AccessToken string // checked against the token's at_hash, where both are there
	Nonce       string // what the token's nonce is the SHA-256 of
}

// Verify says who a token of a client is about.
//
// Errors: ErrBadToken, ErrNoSubject, ErrAudience, ErrNoncePair, ErrNonceWrong.
func (s *Source) Verify(ctx context.Context, given Proof) (Person, error) {
	token, found, err := s.open(ctx, given.Token, given.AccessToken)
	if err != nil {
		return Person{}, err
	}
	if s.skipNonce {
		return found, nil
	}
	if (token.Nonce == "") != (given.Nonce == "") {
		return Person{}, ErrNoncePair
	}
	sum := sha256.Sum256([]byte(given.Nonce))
	if given.Nonce != "" && subtle.ConstantTimeCompare([]byte(hex.EncodeToString(sum[:])), []byte(token.Nonce)) != 1 {
		return Person{}, ErrNonceWrong
	}
	return found, nil
}

// open checks signature, issuer, audience and times of a token.
func (s *Source) open(ctx context.Context, raw, access string) (*oidc.IDToken, Person, error) {
	if len(raw) > maxIDToken {
		return nil, Person{}, fmt.Errorf("%w: it has %d bytes", ErrBadToken, len(raw))
	}
	name := s.issuer
	claimed, err := claimedIssuer(raw) // what is no token needs no look at the provider
	if err != nil {
		return nil, Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	if s.issuers != nil {
		if !s.issuers(claimed) {
			return nil, Person{}, fmt.Errorf("%w: issuer %q is not one of %s", ErrBadToken, Shorten(claimed), s.Provider)
		}
		name = claimed
	}
	from, err := s.directory.find(ctx, name, s.address)
	if err != nil {
		return nil, Person{}, err
	}
	verifier := from.keys.Verifier(&oidc.Config{SkipClientIDCheck: true, Now: s.now, SupportedSigningAlgs: algorithms})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	if token.Subject == "" {
		return nil, Person{}, ErrNoSubject
	}
	if !slices.ContainsFunc(token.Audience, func(id string) bool { return id != "" && slices.Contains(s.audiences, id) }) {
		return nil, Person{}, fmt.Errorf("%w: %s", ErrAudience, Shorten(fmt.Sprint(token.Audience)))
	}
	if access != "" && token.AccessTokenHash != "" {
		if err := token.VerifyAccessToken(access); err != nil {
			return nil, Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
		}
	}
	found, err := s.person(token)
	return token, found, err
}

func (s *Source) person(token *oidc.IDToken) (Person, error) {
	var payload rawJSON
	if err := token.Claims(&payload); err != nil {
		return Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	told, err := parseDocument(payload)
	if err != nil {
		return Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	found := s.read(token.Issuer, told)
	if found.Subject == "" {
		return Person{}, ErrNoSubject
	}
	if err := found.check(); err != nil {
		return Person{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	return found, nil
}

// rawJSON keeps a value as it came.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(text []byte) error {
	*r = slices.Clone(text)
	return nil
}

// claimedIssuer reads whom a token names as its issuer, before that is checked.
func claimedIssuer(raw string) (string, error) {
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		return "", errors.New("no three parts")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	told, err := parseDocument(payload)
	if err != nil {
		return "", err
	}
	return told.text("iss"), nil
}

// Issuers of providers. Source: supabase/auth.
const (
	issuerGoogle   = "https://accounts.google.com"
	issuerFacebook = "https://www.facebook.com"
	issuerKakao    = "https://kauth.kakao.com"
	issuerLinkedIn = "https://www.linkedin.com/oauth"
	issuerApple    = "https://appleid.apple.com"
	issuerAppleNew = "https://account.apple.com"

	azureCommon        = "https://login.microsoftonline.com/common/v2.0"
	azureOrganizations = "https://login.microsoftonline.com/organizations/v2.0"
	azureConsumers     = "https://login.microsoftonline.com/consumers/v2.0"
)

func isApple(name string) bool { return name == issuerApple || name == issuerAppleNew }

var azurePattern = regexp.MustCompile(`^https://(?:login\.microsoftonline\.com|sts\.windows\.net)/[A-Za-z0-9.-]{1,100}(?:/v2\.0)?/?$`)

// azurePersonal is the tenant of Microsoft's own accounts, which the address
// /consumers stands for.
const azurePersonal = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"

// azureIssuers says which issuers a tenant's address stands for: itself, or
// where it is the one for all tenants, any of Microsoft's.
func azureIssuers(address string) func(string) bool {
	tenant := strings.TrimSuffix(address, "/") + "/v2.0"
	switch tenant {
	case "/v2.0", azureCommon, azureOrganizations:
		return azurePattern.MatchString
	case azureConsumers:
		tenant = azurePersonal
	}
	return func(name string) bool { return name == tenant }
}
