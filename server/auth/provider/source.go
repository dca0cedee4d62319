package provider

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"plaza/server/lazyregexp"
)

// maxIDToken bounds an ID token, in bytes.
const maxIDToken = 32 << 10

// Errors of refused ID tokens.
var (
	ErrBadToken   = errors.New("Bad ID token")
	ErrNoSubject  = errors.New("Missing sub claim in id_token")
	ErrAudience   = errors.New("Unacceptable audience in id_token")
	ErrNoncePair  = errors.New("Passed nonce and nonce in id_token should either both exist or not.")
	ErrNonceWrong = errors.New("Nonces mismatch")
)

// Source verifies the ID tokens of a provider. It pins their issuer and audience.
type Source struct {
	Provider      string // provider of the identity
	EmailOptional bool

	issuer    string            // the only accepted issuer …
	issuers   func(string) bool // … or, for a provider with several, reports whether one is accepted
	address   string            // of the discovery document; empty: the standard location
	audiences []string
	skipNonce bool
	read      func(issuer string, profile document) Profile
	directory *directory
	now       func() time.Time
}

// Proof is an ID token with the values to verify it against.
type Proof struct {
	Token       string
	AccessToken string // checked against the token's at_hash if both are present
	Nonce       string // the token's nonce must be its SHA-256
}

// Verify verifies an ID token from an app and returns its user.
//
// Errors: ErrBadToken, ErrNoSubject, ErrAudience, ErrNoncePair, ErrNonceWrong.
func (s *Source) Verify(ctx context.Context, proof Proof) (Profile, error) {
	token, found, err := s.verify(ctx, proof.Token, proof.AccessToken)
	if err != nil {
		return Profile{}, err
	}
	if s.skipNonce {
		return found, nil
	}
	if (token.Nonce == "") != (proof.Nonce == "") {
		return Profile{}, ErrNoncePair
	}
	sum := sha256.Sum256([]byte(proof.Nonce))
	if proof.Nonce != "" && subtle.ConstantTimeCompare([]byte(hex.EncodeToString(sum[:])), []byte(token.Nonce)) != 1 {
		return Profile{}, ErrNonceWrong
	}
	return found, nil
}

// verify verifies signature, issuer, audience and expiry of a token.
func (s *Source) verify(ctx context.Context, raw, access string) (*oidc.IDToken, Profile, error) {
	if len(raw) > maxIDToken {
		return nil, Profile{}, fmt.Errorf("%w: it has %d bytes", ErrBadToken, len(raw))
	}
	name := s.issuer
	claimed, err := claimedIssuer(raw) // refuse a malformed token before a request to the provider
	if err != nil {
		return nil, Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	if s.issuers != nil {
		if !s.issuers(claimed) {
			return nil, Profile{}, fmt.Errorf("%w: issuer %q is not one of %s", ErrBadToken, Shorten(claimed), s.Provider)
		}
		name = claimed
	}
	from, err := s.directory.find(ctx, name, s.address)
	if err != nil {
		return nil, Profile{}, err
	}
	verifier := from.keys.Verifier(&oidc.Config{SkipClientIDCheck: true, Now: s.now, SupportedSigningAlgs: algorithms})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	if token.Subject == "" {
		return nil, Profile{}, ErrNoSubject
	}
	if !slices.ContainsFunc(token.Audience, func(id string) bool { return id != "" && slices.Contains(s.audiences, id) }) {
		return nil, Profile{}, fmt.Errorf("%w: %s", ErrAudience, Shorten(fmt.Sprint(token.Audience)))
	}
	if access != "" && token.AccessTokenHash != "" {
		if err := token.VerifyAccessToken(access); err != nil {
			return nil, Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
		}
	}
	found, err := s.profile(token)
	return token, found, err
}

func (s *Source) profile(token *oidc.IDToken) (Profile, error) {
	var payload rawJSON
	if err := token.Claims(&payload); err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	profile, err := parseDocument(payload)
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	found := s.read(token.Issuer, profile)
	if found.Subject == "" {
		return Profile{}, ErrNoSubject
	}
	if err := found.check(); err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrBadToken, err)
	}
	return found, nil
}

// rawJSON keeps a JSON value undecoded.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(text []byte) error {
	*r = slices.Clone(text)
	return nil
}

// claimedIssuer returns the issuer of an unverified token.
func claimedIssuer(raw string) (string, error) {
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		return "", errors.New("the token does not have three parts")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	profile, err := parseDocument(payload)
	if err != nil {
		return "", err
	}
	return profile.text("iss"), nil
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

var azurePattern = lazyregexp.New(`^https://(?:login\.microsoftonline\.com|sts\.windows\.net)/[A-Za-z0-9.-]{1,100}(?:/v2\.0)?/?$`)

// azurePersonal is the issuer of personal Microsoft accounts, to which the URL /consumers refers.
const azurePersonal = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"

// azureIssuers returns a function that reports whether an issuer is accepted for a tenant's URL. The
// URL for all tenants accepts any issuer of Microsoft.
func azureIssuers(address string) func(string) bool {
	tenant := strings.TrimSuffix(address, "/") + "/v2.0"
	switch tenant {
	case "/v2.0", azureCommon, azureOrganizations:
		return azurePattern().MatchString
	case azureConsumers:
		tenant = azurePersonal
	}
	return func(name string) bool { return name == tenant }
}
