package claims

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"
)

// SigningKey is a pair of keys that access tokens are signed with, or a shared
// one. While it is replaced, the old and the new one are valid side by side.
type SigningKey struct {
	ID        string
	Algorithm string        // ES256, RS256, EdDSA or HS256
	Private   crypto.Signer // of a pair
	Shared    []byte        // of HS256, instead
	CheckOnly bool          // it checks tokens and signs none
	From      time.Time     // when it begins to sign; its public half is shown before
	Until     time.Time     // when its tokens have ended; zero: not replaced
}

// rsaBits is the size of RSA keys made here.
const rsaBits = 2048

// NewSigningKey makes a key that signs from a moment on.
func NewSigningKey(algorithm string, from time.Time) (SigningKey, error) {
	key := SigningKey{ID: randomText(22), Algorithm: algorithm, From: from}
	var err error
	switch algorithm {
	case "ES256":
		key.Private, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "RS256":
		key.Private, err = rsa.GenerateKey(rand.Reader, rsaBits)
	case "EdDSA":
		_, key.Private, err = ed25519.GenerateKey(rand.Reader)
	default:
		err = fmt.Errorf("%q: use ES256, RS256 or EdDSA", algorithm)
	}
	return key, err
}

func (k SigningKey) jwk(key any) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: k.ID, Algorithm: k.Algorithm, Use: "sig"}
}

// MarshalPrivate returns the pair as a JSON Web Key. It is a secret.
func (k SigningKey) MarshalPrivate() ([]byte, error) { return k.jwk(k.Private).MarshalJSON() }

// MarshalPublic returns the public half as a JSON Web Key.
func (k SigningKey) MarshalPublic() ([]byte, error) { return k.jwk(k.Private.Public()).MarshalJSON() }

// ParseSigningKey reads a private JSON Web Key.
func ParseSigningKey(text []byte) (SigningKey, error) {
	var key jose.JSONWebKey
	if err := key.UnmarshalJSON(text); err != nil {
		return SigningKey{}, fmt.Errorf("read JSON Web Key: %w", err)
	}
	if shared, ok := key.Key.([]byte); ok && key.KeyID != "" {
		if len(shared) < minSecret {
			return SigningKey{}, ErrShortSecret
		}
		return SigningKey{ID: key.KeyID, Algorithm: jwt.SigningMethodHS256.Name, Shared: shared}, nil
	}
	private, ok := key.Key.(crypto.Signer)
	switch {
	case !ok:
		return SigningKey{}, errors.New("JSON Web Key is not a private one of kind EC, RSA or OKP")
	case key.KeyID == "":
		return SigningKey{}, errors.New("JSON Web Key has no kid")
	}
	found := SigningKey{ID: key.KeyID, Algorithm: key.Algorithm, Private: private}
	if found.Algorithm == "" {
		found.Algorithm = algorithmOf(private)
	}
	if method := jwt.GetSigningMethod(found.Algorithm); method == nil || !found.public().fits(found.Algorithm) {
		return SigningKey{}, fmt.Errorf("JSON Web Key %q is not for %q", found.ID, found.Algorithm)
	}
	return found, nil
}

// algorithmOf is what a key signs with that does not say so.
func algorithmOf(private crypto.Signer) string {
	switch private.(type) {
	case *ecdsa.PrivateKey:
		return jwt.SigningMethodES256.Name
	case ed25519.PrivateKey:
		return jwt.SigningMethodEdDSA.Alg()
	}
	return jwt.SigningMethodRS256.Name
}

// ParseSigningKeys reads a list of private JSON Web Keys, as upstream's setting
// JWT_KEYS has it. The one whose key_ops contain "sign" signs, the others check
// tokens only.
func ParseSigningKeys(text []byte) ([]SigningKey, error) {
	var given []json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, fmt.Errorf("read the list of JSON Web Keys: %w", err)
	}
	keys := make([]SigningKey, len(given))
	signers := 0
	for i, one := range given {
		var about struct {
			Ops []string `json:"key_ops"`
		}
		if err := json.Unmarshal(one, &about); err != nil {
			return nil, fmt.Errorf("read JSON Web Key: %w", err)
		}
		var err error
		if keys[i], err = ParseSigningKey(one); err != nil {
			return nil, err
		}
		if keys[i].CheckOnly = !slices.Contains(about.Ops, "sign"); !keys[i].CheckOnly {
			signers++
		}
	}
	if signers != 1 {
		return nil, fmt.Errorf("%d JSON Web Keys are marked to sign (key_ops): mark one", signers)
	}
	return keys, nil
}

// public is what checks signatures.
func (k SigningKey) public() key {
	if k.Shared != nil {
		return key{k.ID, k.Algorithm, k.Shared}
	}
	return key{k.ID, k.Algorithm, k.Private.Public()}
}

// Ring is the signing keys of a project at one time. It does not change.
type Ring struct {
	keys []SigningKey // newest first
	set  json.RawMessage
}

// NewRing makes a ring of keys.
func NewRing(keys []SigningKey) (*Ring, error) {
	r := &Ring{keys: slices.Clone(keys)}
	slices.SortStableFunc(r.keys, func(a, b SigningKey) int { return b.From.Compare(a.From) })
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
	for _, k := range r.keys {
		if !k.public().fits(k.Algorithm) {
			return nil, fmt.Errorf("signing key %q is not for %s", k.ID, k.Algorithm)
		}
		if k.Shared == nil {
			set.Keys = append(set.Keys, k.jwk(k.Private.Public()))
		}
	}
	var err error
	r.set, err = json.Marshal(set)
	return r, err
}

// Same reports whether another ring holds the same keys, for the same times.
func (r *Ring) Same(other *Ring) bool {
	return slices.EqualFunc(r.keys, other.keys, func(a, b SigningKey) bool {
		return a.ID == b.ID && a.CheckOnly == b.CheckOnly && a.From.Equal(b.From) && a.Until.Equal(b.Until)
	})
}

// JWKS is the set of public keys that tokens may be checked with, also those of
// keys that do not sign yet.
func (r *Ring) JWKS() json.RawMessage { return r.set }

// Signs returns the key that signs now; ok is false where none does.
func (r *Ring) Signs(now time.Time) (k SigningKey, ok bool) {
	for _, k := range r.keys {
		if !k.CheckOnly && !k.From.After(now) && k.valid(now) {
			return k, true
		}
	}
	return SigningKey{}, false
}

// Algorithms are those of the pairs, each one once.
func (r *Ring) Algorithms() []string {
	names := []string{}
	for _, k := range r.keys {
		if k.Shared == nil && !slices.Contains(names, k.Algorithm) {
			names = append(names, k.Algorithm)
		}
	}
	return names
}

func (k SigningKey) valid(now time.Time) bool { return k.Until.IsZero() || now.Before(k.Until) }

// find returns the key that a token names, for its algorithm.
func (r *Ring) find(id, algorithm string, now time.Time) (any, bool) {
	for _, k := range r.keys {
		if k.ID == id && k.Algorithm == algorithm && k.valid(now) {
			return k.public().value, true
		}
	}
	return nil, false
}
