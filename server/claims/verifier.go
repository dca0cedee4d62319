package claims

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Reasons a token is refused. Surfaces map them to their own codes.
var (
	ErrMalformed = errors.New("token is malformed")
	ErrSignature = errors.New("token signature is invalid")
	ErrExpired   = errors.New("token has expired")
	ErrNotYet    = errors.New("token is not valid yet")
)

// ClockSkew is how far the clocks of issuer and server may be apart.
// Source: PostgREST accepts 30 seconds on exp, nbf and iat.
const ClockSkew = 30 * time.Second

// Verifier checks tokens signed with the project's secret (HS256) or one of its
// signing keys, and remembers the answer, so that a token seen before costs one
// look-up.
type Verifier struct {
	secret  []byte
	others  *KeySet // nil: there are none
	now     func() time.Time
	trust   atomic.Pointer[trust]
	refused *Refused // nil: nobody keeps one
	free    bool     // OAuth clients write whatever their scope is
}

// trust is the keys in force, and the tokens that were found to be theirs.
type trust struct {
	ring  *Ring
	cache *Cache
}

// NewVerifier makes a verifier for one HS256 secret. now is the clock.
func NewVerifier(secret []byte, now func() time.Time) *Verifier {
	v := &Verifier{secret: secret, now: now}
	v.Trust(&Ring{set: json.RawMessage(`{"keys":[]}`)})
	return v
}

// TrustAlso has tokens taken that are signed with a key of a set, which others made.
// It is for the time before the first token comes.
func (v *Verifier) TrustAlso(set *KeySet) { v.others = set }

// Refuse has tokens refused whose session or user is in a set. It is for the time
// before the first token comes.
func (v *Verifier) Refuse(set *Refused) { v.refused = set }

// FreeClients lets OAuth clients write as their users may, whatever their scope is. It
// is for the time before the first token comes.
func (v *Verifier) FreeClients() { v.free = true }

// Trust replaces the signing keys. Tokens of keys that are not among them are
// refused from now on.
func (v *Verifier) Trust(ring *Ring) { v.trust.Store(&trust{ring, NewCache(cachedTokens)}) }

// Ring is the signing keys in force.
func (v *Verifier) Ring() *Ring { return v.trust.Load().ring }

// Verify returns the caller a token stands for. A token without a role claim gets
// role anon, as PostgREST's db-anon-role. With ErrSessionEnded and ErrUserBanned it
// also returns whom the token was signed for.
//
// Errors: ErrMalformed, ErrSignature, ErrExpired, ErrNotYet, ErrSessionEnded,
// ErrUserBanned.
func (v *Verifier) Verify(token string) (Caller, error) {
	trusted := v.trust.Load()
	who, ok := trusted.cache.Get(token)
	if !ok {
		var err error
		if who, err = v.check(token, trusted.ring); err != nil {
			return Caller{}, err
		}
		who.ReadOnly = who.ReadOnly && !v.free
		trusted.cache.Put(token, who)
	}
	if !who.Expires.IsZero() && v.now().After(who.Expires.Add(ClockSkew)) {
		return Caller{}, ErrExpired
	}
	return who, v.refused.Check(&who, v.now)
}

// CacheStats tells how often a token was seen before.
func (v *Verifier) CacheStats() CacheStats { return v.trust.Load().cache.Stats() }

func (v *Verifier) check(token string, ring *Ring) (Caller, error) {
	parser := jwt.NewParser(jwt.WithLeeway(ClockSkew), jwt.WithTimeFunc(v.now), jwt.WithIssuedAt(), jwt.WithStrictDecoding())
	parsed, err := parser.Parse(token, func(t *jwt.Token) (any, error) {
		// A key is only found for its own algorithm: no public key is ever a secret.
		id, _ := t.Header["kid"].(string)
		if key, ok := ring.find(id, t.Method.Alg(), v.now()); ok {
			return key, nil
		}
		keys := v.others.find(t.Header["kid"], t.Method.Alg())
		if t.Method.Alg() == jwt.SigningMethodHS256.Name {
			keys = append(keys, v.secret)
		}
		if len(keys) == 0 {
			return nil, ErrNoKeyFor
		}
		return jwt.VerificationKeySet{Keys: keys}, nil
	})
	switch {
	case err == nil && isIDToken(parsed):
		return Caller{}, fmt.Errorf("%w: an ID token tells an app who somebody is, and opens nothing", ErrMalformed)
	case err == nil:
	case errors.Is(err, jwt.ErrTokenExpired):
		return Caller{}, ErrExpired
	case errors.Is(err, jwt.ErrTokenNotValidYet), errors.Is(err, jwt.ErrTokenUsedBeforeIssued):
		return Caller{}, ErrNotYet
	case errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		return Caller{}, ErrSignature
	default:
		return Caller{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return caller(parsed)
}

// isIDToken reports whether a token is one that MintKey made for an OAuth client:
// only those have the hash of an access token.
func isIDToken(token *jwt.Token) bool {
	set, ok := token.Claims.(jwt.MapClaims)
	return ok && set["at_hash"] != nil
}

// caller reads what the server itself needs; the rest stays JSON for policies.
func caller(token *jwt.Token) (Caller, error) {
	_, rest, _ := strings.Cut(token.Raw, ".")
	payload, _, _ := strings.Cut(rest, ".")
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return Caller{}, fmt.Errorf("%w: %w", ErrMalformed, err)
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
	// Tokens of other issuers may have a client_id, too; those of our clients belong to a session.
	if known.ClientID != nil && known.ClientID != "" && known.SessionID != "" {
		scope, _ := known.Scope.(string)
		who.ReadOnly = !slices.Contains(strings.Fields(scope), WriteScope)
	}
	if known.Expires != nil {
		who.Expires = time.Unix(int64(*known.Expires), 0)
	}
	return who, nil
}

// Mint signs a set of claims, with the newest signing key or else the secret.
func (v *Verifier) Mint(set map[string]any) (string, error) {
	if key, ok := v.Ring().Signs(v.now()); ok {
		return key.sign(set)
	}
	return v.mintShared(set)
}

// MintKey signs a set of claims with a signing key only, as an ID token needs.
// Errors: ErrNoSigningKey.
func (v *Verifier) MintKey(set map[string]any) (string, error) {
	key, ok := v.Ring().Signs(v.now())
	if !ok || key.Shared != nil {
		return "", ErrNoSigningKey
	}
	return key.sign(set)
}

// ErrNoSigningKey says that tokens are signed with the shared secret only.
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
