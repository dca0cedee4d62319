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

// SigningKey is a key pair, or a shared key, that signs access tokens. During a rotation the old and
// the new key are both valid.
type SigningKey struct {
	ID         string
	Algorithm  string        // ES256, RS256, EdDSA or HS256
	Private    crypto.Signer // of a key pair
	Shared     []byte        // for HS256, instead of Private
	VerifyOnly bool          // only verifies tokens
	From       time.Time     // when it starts to sign; its public key is published before
	Until      time.Time     // when its last token has expired; zero: not replaced
}

// rsaBits is the size of new RSA keys.
const rsaBits = 2048

// NewSigningKey returns a new key that signs from a time on.
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

// MarshalPrivate returns the key pair as a JSON Web Key, which is secret.
func (k SigningKey) MarshalPrivate() ([]byte, error) { return k.jwk(k.Private).MarshalJSON() }

// MarshalPublic returns the public key as a JSON Web Key.
func (k SigningKey) MarshalPublic() ([]byte, error) { return k.jwk(k.Private.Public()).MarshalJSON() }

// ParseSigningKey parses a JSON Web Key with a kid: a private key or a shared secret.
//
// Errors: ErrShortSecret; an invalid key.
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

// algorithmOf returns the default algorithm of a key.
func algorithmOf(private crypto.Signer) string {
	switch private.(type) {
	case *ecdsa.PrivateKey:
		return jwt.SigningMethodES256.Name
	case ed25519.PrivateKey:
		return jwt.SigningMethodEdDSA.Alg()
	}
	return jwt.SigningMethodRS256.Name
}

// ParseSigningKeys parses a list of private JSON Web Keys in the format of upstream's setting JWT_KEYS.
// The key whose key_ops contain "sign" signs; the others only verify tokens.
//
// Errors: those of ParseSigningKey; not exactly one key that signs.
func ParseSigningKeys(text []byte) ([]SigningKey, error) {
	var given []json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, fmt.Errorf("read the list of JSON Web Keys: %w", err)
	}
	keys := make([]SigningKey, len(given))
	signers := 0
	for i, one := range given {
		var fields struct {
			Ops []string `json:"key_ops"`
		}
		if err := json.Unmarshal(one, &fields); err != nil {
			return nil, fmt.Errorf("read JSON Web Key: %w", err)
		}
		var err error
		if keys[i], err = ParseSigningKey(one); err != nil {
			return nil, err
		}
		if keys[i].VerifyOnly = !slices.Contains(fields.Ops, "sign"); !keys[i].VerifyOnly {
			signers++
		}
	}
	if signers != 1 {
		return nil, fmt.Errorf("%d JSON Web Keys are marked to sign (key_ops): mark one", signers)
	}
	return keys, nil
}

// public returns the key that verifies signatures.
func (k SigningKey) public() key {
	if k.Shared != nil {
		return key{k.ID, k.Algorithm, k.Shared}
	}
	return key{k.ID, k.Algorithm, k.Private.Public()}
}

// Ring is an immutable set of a project's signing keys.
type Ring struct {
	keys []SigningKey // newest first
	set  json.RawMessage
}

// NewRing returns a Ring of keys.
//
// Errors: a key that cannot be used with its algorithm.
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

// Equal reports whether another ring has the same keys with the same validity.
func (r *Ring) Equal(other *Ring) bool {
	return slices.EqualFunc(r.keys, other.keys, func(a, b SigningKey) bool {
		return a.ID == b.ID && a.VerifyOnly == b.VerifyOnly && a.From.Equal(b.From) && a.Until.Equal(b.Until)
	})
}

// JWKS returns the JSON Web Key Set of the public keys, including those of keys that do not sign yet.
func (r *Ring) JWKS() json.RawMessage { return r.set }

// CurrentSigner returns the key that currently signs. ok is false if there is none.
func (r *Ring) CurrentSigner(now time.Time) (k SigningKey, ok bool) {
	for _, k := range r.keys {
		if !k.VerifyOnly && !k.From.After(now) && k.valid(now) {
			return k, true
		}
	}
	return SigningKey{}, false
}

// Algorithms returns the algorithms of the key pairs, without duplicates.
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

// find returns the valid key with an id and an algorithm.
func (r *Ring) find(id, algorithm string, now time.Time) (any, bool) {
	for _, k := range r.keys {
		if k.ID == id && k.Algorithm == algorithm && k.valid(now) {
			return k.public().value, true
		}
	}
	return nil, false
}
