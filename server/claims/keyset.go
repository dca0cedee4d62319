package claims

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// Errors of KeySet.Verify, in addition to ErrMalformed and ErrSignature.
var (
	ErrUnsigned = errors.New("token is not signed")
	ErrNoKeyFor = errors.New("no key of the set is for this token")
)

// minSecret is the shortest shared secret accepted, in bytes.
// Source: PostgREST refuses secrets under 32 characters.
const minSecret = 32

// ErrShortSecret refuses a shared secret that is too short.
var ErrShortSecret = fmt.Errorf("The JWT secret must be at least %d characters long.", minSecret)

// KeySet is a set of keys that verify tokens.
type KeySet struct{ keys []key }

type key struct {
	id        string
	algorithm string // empty: any algorithm of its type
	value     any    // []byte, *rsa.PublicKey, *ecdsa.PublicKey or ed25519.PublicKey
}

// ParseKeySet parses a JSON Web Key, a JSON Web Key Set, or else a shared secret for HS256.
//
// Errors: ErrShortSecret; an invalid key.
func ParseKeySet(text []byte) (*KeySet, error) {
	var given struct {
		Keys []jwk  `json:"keys"`
		Kind string `json:"kty"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || json.Unmarshal(text, &given) != nil || given.Keys == nil && given.Kind == "" {
		if len(text) < minSecret {
			return nil, ErrShortSecret
		}
		return &KeySet{[]key{{algorithm: jwt.SigningMethodHS256.Name, value: text}}}, nil
	}
	if given.Keys == nil {
		var only jwk
		if err := json.Unmarshal(text, &only); err != nil {
			return nil, fmt.Errorf("read JSON Web Key: %w", err)
		}
		given.Keys = []jwk{only}
	}
	set := &KeySet{}
	for i, one := range given.Keys {
		value, err := one.public()
		if err != nil {
			return nil, fmt.Errorf("read JSON Web Key %d: %w", i+1, err)
		}
		if value != nil && one.Use != "enc" {
			set.keys = append(set.keys, key{one.ID, one.Algorithm, value})
		}
	}
	return set, nil
}

// Verify verifies a token's signature and returns its claims as JSON. It does not check the claims.
//
// A token with a key id is verified with that key only; a token without one with all keys for its
// algorithm. Source: PostgREST.
//
// Errors: ErrMalformed, ErrUnsigned, ErrNoKeyFor, ErrSignature.
func (s *KeySet) Verify(token string) ([]byte, error) {
	signed, signature, err := splitToken(token)
	if err != nil {
		return nil, err
	}
	head, body, _ := strings.Cut(signed, ".")
	var header struct {
		Algorithm string  `json:"alg"`
		KeyID     *string `json:"kid"`
	}
	if err := decodeJSON(head, &header); err != nil {
		return nil, err
	}
	if header.Algorithm == jwt.SigningMethodNone.Alg() {
		return nil, ErrUnsigned
	}
	method := jwt.GetSigningMethod(header.Algorithm)
	refused := ErrNoKeyFor
	for _, k := range s.keys {
		if method == nil || header.KeyID != nil && *header.KeyID != k.id || !k.fits(header.Algorithm) {
			continue
		}
		if method.Verify(signed, signature, k.value) == nil {
			return decodePart(body)
		}
		refused = ErrSignature
	}
	return nil, refused
}

// splitToken splits a token into its signed text and its signature.
//
// Errors: ErrMalformed.
func splitToken(token string) (signed string, signature []byte, err error) {
	end := strings.LastIndexByte(token, '.')
	if strings.Count(token, ".") != 2 {
		return "", nil, ErrMalformed
	}
	signature, err = decodePart(token[end+1:])
	return token[:end], signature, err
}

// decodePart decodes a part of a token. It accepts one text for given bytes only, since a token with many
// spellings would be cached as many tokens; Go's decoder passes over line breaks.
//
// Errors: ErrMalformed.
func decodePart(part string) ([]byte, error) {
	if strings.ContainsAny(part, "\r\n") {
		return nil, fmt.Errorf("%w: it has a line break", ErrMalformed)
	}
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return decoded, nil
}

func decodeJSON(part string, value any) error {
	decoded, err := decodePart(part)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(decoded, value); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

// find returns the keys that may have signed a token: the key with its id, or all keys for its
// algorithm if id is nil.
func (s *KeySet) find(id any, algorithm string) (found []jwt.VerificationKey) {
	if s == nil {
		return nil
	}
	for _, k := range s.keys {
		if (id == nil || id == k.id) && k.fits(algorithm) {
			found = append(found, k.value)
		}
	}
	return found
}

// hasAll reports whether all keys of another set, which may be nil, are in s.
func (s *KeySet) hasAll(other *KeySet) bool {
	if other == nil {
		return true
	}
	for _, k := range other.keys {
		if !slices.ContainsFunc(s.keys, func(own key) bool { return own.id == k.id && reflect.DeepEqual(own.value, k.value) }) {
			return false
		}
	}
	return true
}

// fits reports whether a key can be used with an algorithm.
func (k key) fits(algorithm string) bool {
	if k.algorithm != "" && k.algorithm != algorithm {
		return false
	}
	switch value := k.value.(type) {
	case []byte:
		return strings.HasPrefix(algorithm, "HS")
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		return algorithm == map[elliptic.Curve]string{elliptic.P256(): "ES256", elliptic.P384(): "ES384", elliptic.P521(): "ES512"}[value.Curve]
	case ed25519.PublicKey:
		return algorithm == jwt.SigningMethodEdDSA.Alg()
	}
	return false
}

// jwk is a JSON Web Key. Only the public key of a key pair is read.
//
// Source: RFC 7518 section 6, RFC 8037.
type jwk struct {
	Kind      string      `json:"kty"`
	ID        string      `json:"kid"`
	Use       string      `json:"use"`
	Algorithm string      `json:"alg"`
	Curve     string      `json:"crv"`
	K         base64Bytes `json:"k"`
	N         base64Bytes `json:"n"`
	E         base64Bytes `json:"e"`
	X         base64Bytes `json:"x"`
	Y         base64Bytes `json:"y"`
}

// base64Bytes is bytes in base64url, with or without padding.
type base64Bytes []byte

func (t *base64Bytes) UnmarshalText(text []byte) error {
	decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(string(text), "="))
	*t = decoded
	return err
}

// public returns the key as a type of the standard library. It returns nil for an unknown kind,
// which a set may contain.
func (j jwk) public() (any, error) {
	switch j.Kind {
	case "oct":
		if len(j.K) == 0 {
			return nil, errors.New("k is missing in a symmetric key")
		}
		return []byte(j.K), nil
	case "RSA":
		exponent := new(big.Int).SetBytes(j.E)
		if len(j.N) == 0 || !exponent.IsInt64() || exponent.Int64() < 2 || exponent.Int64() > 1<<31-1 {
			return nil, errors.New("n or e is missing or wrong in an RSA key")
		}
		return &rsa.PublicKey{N: new(big.Int).SetBytes(j.N), E: int(exponent.Int64())}, nil
	case "EC":
		return j.elliptic()
	case "OKP":
		if j.Curve != "Ed25519" {
			return nil, nil
		}
		if len(j.X) != ed25519.PublicKeySize {
			return nil, errors.New("x is missing or wrong in an Ed25519 key")
		}
		return ed25519.PublicKey(j.X), nil
	}
	return nil, nil
}

func (j jwk) elliptic() (any, error) {
	curve, ok := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}[j.Curve]
	if !ok {
		return nil, fmt.Errorf("crv %q is not a known curve of an EC key", j.Curve)
	}
	size := (curve.Params().BitSize + 7) / 8
	if len(j.X) > size || len(j.Y) > size {
		return nil, errors.New("x or y is too long in an EC key")
	}
	point := make([]byte, 1+2*size)
	point[0] = 4 // uncompressed
	copy(point[1+size-len(j.X):], j.X)
	copy(point[1+2*size-len(j.Y):], j.Y)
	public, err := ecdsa.ParseUncompressedPublicKey(curve, point)
	if err != nil {
		return nil, fmt.Errorf("x and y are no point of the curve of an EC key: %w", err)
	}
	return public, nil
}
