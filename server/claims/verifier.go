package claims

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Errors of refused tokens. Each API maps them to its own error codes.
var (
	ErrMalformed = errors.New("token is malformed")
	ErrSignature = errors.New("token signature is invalid")
	ErrExpired   = errors.New("token has expired")
	ErrNotYet    = errors.New("token is not valid yet")
)

// ClockSkew is the tolerated difference between the clocks of issuer and server.
// Source: PostgREST accepts 30 seconds on exp, nbf and iat.
const ClockSkew = 30 * time.Second

// Verifier verifies tokens signed with the project's secret (HS256) or one of its signing keys. It
// caches verified tokens.
type Verifier struct {
	secret          []byte
	otherIssuers    *KeySet  // keys of other issuers; nil: none
	issuers         *Issuers // nil: none
	now             func() time.Time
	trust           atomic.Pointer[trustedKeys]
	refused         *RefusedTokens // nil: no token is refused
	clientsMayWrite bool           // OAuth clients may write without WriteScope
}

// trustedKeys has the current signing keys and the cache of tokens verified with them.
type trustedKeys struct {
	ring  *Ring
	cache *Cache
}

// NewVerifier returns a Verifier for an HS256 secret. now is the clock.
func NewVerifier(secret []byte, now func() time.Time) *Verifier {
	v := &Verifier{secret: secret, now: now}
	v.SetRing(&Ring{set: json.RawMessage(`{"keys":[]}`)})
	return v
}

// AddKeySet makes v accept tokens signed with a key of other issuers. It must be called before v
// verifies tokens.
func (v *Verifier) AddKeySet(set *KeySet) { v.otherIssuers = set }

// TrustIssuers makes v accept tokens of third-party issuers. It must be called before v verifies
// tokens.
func (v *Verifier) TrustIssuers(issuers *Issuers) {
	v.issuers = issuers
	issuers.changed = v.forget
}

// forget empties the cache of verified tokens, whose keys may have been withdrawn. It keeps the signing keys,
// even if Trust replaces them concurrently.
func (v *Verifier) forget() {
	for {
		trusted := v.trust.Load()
		if v.trust.CompareAndSwap(trusted, &trustedKeys{trusted.ring, NewCache(cachedTokens)}) {
			return
		}
	}
}

// Refuse makes v refuse tokens whose session or user is in a set. It must be called before v
// verifies tokens.
func (v *Verifier) Refuse(set *RefusedTokens) { v.refused = set }

// AllowClientWrites lets OAuth clients without WriteScope write. It must be called before v verifies
// tokens.
func (v *Verifier) AllowClientWrites() { v.clientsMayWrite = true }

// SetRing replaces the signing keys. Tokens signed with a replaced key are refused from now on.
func (v *Verifier) SetRing(ring *Ring) { v.trust.Store(&trustedKeys{ring, NewCache(cachedTokens)}) }

// Ring returns the current signing keys.
func (v *Verifier) Ring() *Ring { return v.trust.Load().ring }

// Verify verifies a token and returns its caller. A token without a role claim gets the role anon,
// like PostgREST's db-anon-role. With ErrSessionEnded and ErrUserBanned it also returns the caller.
//
// Errors: ErrMalformed, ErrSignature, ErrExpired, ErrNotYet, ErrSessionEnded,
// ErrUserBanned.
func (v *Verifier) Verify(token string) (Caller, error) {
	trusted := v.trust.Load()
	who, ok := trusted.cache.Get(token)
	if !ok {
		var err error
		if who, err = v.check(token, trusted.ring, hs256); err != nil {
			return Caller{}, err
		}
		trusted.cache.Put(token, who)
	}
	return v.current(who)
}

// VerifyAnyHMAC is Verify for a service that accepts tokens signed with the secret with HS384 and HS512,
// too.
func (v *Verifier) VerifyAnyHMAC(token string) (Caller, error) {
	who, err := v.Verify(token)
	if !errors.Is(err, ErrNoKeyFor) {
		return who, err
	}
	// Not cached, because Verify would then accept it.
	if who, err = v.check(token, v.Ring(), anyHMAC); err != nil {
		return Caller{}, err
	}
	return v.current(who)
}

// Algorithms of tokens signed with the secret.
var (
	hs256   = []string{jwt.SigningMethodHS256.Name}
	anyHMAC = []string{jwt.SigningMethodHS256.Name, jwt.SigningMethodHS384.Name, jwt.SigningMethodHS512.Name}
)

// current returns a caller whose token was verified, unless it has expired since or is refused.
func (v *Verifier) current(who Caller) (Caller, error) {
	if !who.Expires.IsZero() && v.now().After(who.Expires.Add(ClockSkew)) {
		return Caller{}, ErrExpired
	}
	return who, v.refused.Check(&who, v.now)
}

// CheckRefused reports why the token of a caller who was verified before is refused now, or nil.
//
// Errors: ErrSessionEnded, ErrUserBanned.
func (v *Verifier) CheckRefused(who *Caller) error { return v.refused.Check(who, v.now) }

// RefusedChanges returns a number that changes when more tokens are refused.
func (v *Verifier) RefusedChanges() uint64 { return v.refused.changes() }

// CacheStats returns the counters of the token cache.
func (v *Verifier) CacheStats() CacheStats { return v.trust.Load().cache.Stats() }

// check verifies a token. hmac are the algorithms of the secret.
func (v *Verifier) check(token string, ring *Ring, hmac []string) (Caller, error) {
	if _, _, err := splitToken(token); err != nil { // the parser passes over line breaks in the signature
		return Caller{}, err
	}
	parser := jwt.NewParser(jwt.WithLeeway(ClockSkew), jwt.WithTimeFunc(v.now), jwt.WithIssuedAt(), jwt.WithStrictDecoding())
	var issuer *issuer
	parsed, err := parser.Parse(token, func(t *jwt.Token) (any, error) {
		if issuer = v.issuers.of(t); issuer != nil {
			return issuer.verificationKeys(t)
		}
		// A key is only found for its own algorithm, so a public key is never used as an HMAC secret.
		id, _ := t.Header["kid"].(string)
		if key, ok := ring.find(id, t.Method.Alg(), v.now()); ok {
			return key, nil
		}
		keys := v.otherIssuers.find(t.Header["kid"], t.Method.Alg())
		if slices.Contains(hmac, t.Method.Alg()) {
			keys = append(keys, v.secret)
		}
		if len(keys) == 0 {
			return nil, ErrNoKeyFor
		}
		return jwt.VerificationKeySet{Keys: keys}, nil
	})
	switch {
	case err == nil && issuer == nil && isIDToken(parsed):
		return Caller{}, fmt.Errorf("%w: an ID token tells an app who somebody is, and opens nothing", ErrMalformed)
	case err == nil:
	case errors.Is(err, jwt.ErrTokenExpired):
		return Caller{}, ErrExpired
	case errors.Is(err, jwt.ErrTokenNotValidYet), errors.Is(err, jwt.ErrTokenUsedBeforeIssued):
		return Caller{}, ErrNotYet
	case errors.Is(err, ErrNoKeyFor):
		return Caller{}, fmt.Errorf("%w: %w", ErrSignature, ErrNoKeyFor)
	case errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		return Caller{}, ErrSignature
	default:
		return Caller{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	who, err := caller(parsed)
	if issuer != nil {
		who.Issuer, who.SessionID, who.ReadOnly = issuer.url, "", false
		if err == nil && who.Expires.IsZero() {
			return Caller{}, fmt.Errorf("%w: a third-party token needs an exp", ErrMalformed)
		}
	}
	who.ReadOnly = who.ReadOnly && !v.clientsMayWrite
	return who, err
}

// isIDToken reports whether a token is an ID token that the project has issued to an OAuth client. Of the
// project's tokens only ID tokens have the at_hash claim.
func isIDToken(token *jwt.Token) bool {
	set, ok := token.Claims.(jwt.MapClaims)
	return ok && set["at_hash"] != nil
}

// caller returns the caller of a verified token.
func caller(token *jwt.Token) (Caller, error) {
	_, rest, _ := strings.Cut(token.Raw, ".")
	payload, _, _ := strings.Cut(rest, ".")
	raw, err := decodePart(payload)
	if err != nil {
		return Caller{}, err
	}
	var known struct {
		Role      string   `json:"role"`
		Subject   string   `json:"sub"`
		SessionID string   `json:"session_id"`
		Expires   *float64 `json:"exp"`
		ClientID  any      `json:"client_id"`
		Scope     any      `json:"scope"`
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return Caller{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	who := Caller{Role: known.Role, Subject: known.Subject, SessionID: strings.ToLower(known.SessionID), JSON: string(raw)}
	if who.Role == "" {
		who.Role = Anon
	}
	// Tokens of other issuers may have a client_id, too. Those of our OAuth clients also have a session.
	if known.ClientID != nil && known.ClientID != "" && known.SessionID != "" {
		scope, _ := known.Scope.(string)
		who.ReadOnly = !slices.Contains(strings.Fields(scope), WriteScope)
	}
	if known.Expires != nil {
		who.Expires = time.Unix(int64(*known.Expires), 0)
	}
	return who, nil
}

// Mint signs a set of claims with the current signing key, or else with the secret.
func (v *Verifier) Mint(set map[string]any) (string, error) {
	if key, ok := v.Ring().CurrentSigner(v.now()); ok {
		return key.sign(set)
	}
	return v.mintShared(set)
}

// MintWithKeyPair signs a set of claims with a key pair only, as an ID token requires. Errors:
// ErrNoSigningKey.
func (v *Verifier) MintWithKeyPair(set map[string]any) (string, error) {
	key, ok := v.Ring().CurrentSigner(v.now())
	if !ok || key.Shared != nil {
		return "", ErrNoSigningKey
	}
	return key.sign(set)
}

// ErrNoSigningKey means that tokens are only signed with a shared secret.
var ErrNoSigningKey = errors.New("the project has no signing key")

func (k SigningKey) sign(set map[string]any) (string, error) {
	token := jwt.NewWithClaims(jwt.GetSigningMethod(k.Algorithm), jwt.MapClaims(set))
	token.Header["kid"] = k.ID
	var with any = k.Private
	if k.Shared != nil {
		with = k.Shared
	}
	signed, err := token.SignedString(with)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	return signed, nil
}

func (v *Verifier) mintShared(set map[string]any) (string, error) {
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims(set)).SignedString(v.secret)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	return token, nil
}
