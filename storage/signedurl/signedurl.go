// Package signedurl makes and verifies the tokens of signed URLs, which let whoever
// holds one read or write one object.
package signedurl

import (
	"errors"
	"math"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
	"plaza/storage/storageerr"
)

// Scopes of tokens: one for reading cannot be used for writing.
const (
	scopeDownload = "download"
	scopeUpload   = "upload"
)

// maxLifetime is the longest lifetime of a token in seconds: its end has to be a time
// that JavaScript can represent.
const maxLifetime = math.MaxInt32 * 1000

// Claims are the claims of a token.
type Claims struct {
	Bucket, Key string // of the object
	Expires     time.Time
	Owner       string // upload: the user who made the URL
	Upsert      bool   // upload

	Transformations, Format string // download: of an image
}

// Signer signs and verifies tokens.
type Signer struct {
	Key []byte // HS256
	Now func() time.Time
}

// CheckLifetime returns InvalidParameter for a lifetime in seconds that no token can
// have.
func CheckLifetime(seconds int64) error {
	if seconds < 1 || seconds > maxLifetime {
		return storageerr.ErrBadLifetime
	}
	return nil
}

// SignDownload returns a token to read the claims' object. lifetime is in seconds.
//
// Errors: InvalidParameter.
func (s Signer) SignDownload(c Claims, lifetime int64) (string, error) {
	set := jwt.MapClaims{"url": c.Bucket + "/" + c.Key, "scope": scopeDownload}
	if c.Transformations != "" {
		set["transformations"] = c.Transformations
	}
	if c.Format != "" {
		set["format"] = c.Format
	}
	return s.sign(set, lifetime)
}

// SignUpload returns a token to write the claims' object. lifetime is in seconds.
//
// Errors: InvalidParameter.
func (s Signer) SignUpload(c Claims, lifetime int64) (string, error) {
	set := jwt.MapClaims{"url": c.Bucket + "/" + c.Key, "scope": scopeUpload, "upsert": c.Upsert}
	if c.Owner != "" {
		set["owner"] = c.Owner
	}
	return s.sign(set, lifetime)
}

func (s Signer) sign(set jwt.MapClaims, lifetime int64) (string, error) {
	if err := CheckLifetime(lifetime); err != nil {
		return "", err
	}
	now := s.Now().Unix()
	set["iat"], set["exp"] = now, now+lifetime
	return jwt.NewWithClaims(jwt.SigningMethodHS256, set).SignedString(s.Key)
}

// VerifyDownload returns the claims of a token to read an object.
//
// Errors: InvalidJWT; InvalidSignature for another object or scope.
func (s Signer) VerifyDownload(token, bucket, key string) (Claims, error) {
	return s.verify(token, scopeDownload, bucket, key)
}

// VerifyUpload returns the claims of a token to write an object. Errors: as
// VerifyDownload.
func (s Signer) VerifyUpload(token, bucket, key string) (Claims, error) {
	return s.verify(token, scopeUpload, bucket, key)
}

func (s Signer) verify(token, scope, bucket, key string) (Claims, error) {
	var set struct {
		jwt.RegisteredClaims
		URL             string `json:"url"`
		Scope           string `json:"scope"`
		Owner           string `json:"owner"`
		Upsert          *bool  `json:"upsert"`
		Transformations string `json:"transformations"`
		Format          string `json:"format"`
	}
	_, err := jwt.ParseWithClaims(token, &set, func(*jwt.Token) (any, error) { return s.Key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}), jwt.WithTimeFunc(s.Now), jwt.WithExpirationRequired())
	if err != nil {
		return Claims{}, tokenError(err)
	}
	if set.Scope == "" { // tokens of older servers of upstream have none
		if set.Scope = scopeDownload; set.Upsert != nil {
			set.Scope = scopeUpload
		}
	}
	if set.Scope != scope {
		return Claims{}, apierr.New(storageerr.ErrBadSignature.Status, storageerr.ErrBadSignature.Code, "Token is not scoped for %s", scope)
	}
	if set.URL == "" || set.URL != bucket+"/"+key {
		return Claims{}, storageerr.ErrBadSignature
	}
	return Claims{
		Bucket: bucket, Key: key, Expires: set.ExpiresAt.Time, Owner: set.Owner, Upsert: set.Upsert != nil && *set.Upsert,
		Transformations: set.Transformations, Format: set.Format,
	}, nil
}

// tokenError translates the error of a rejected token.
// Source: the messages are those of upstream's library, jose.
func tokenError(err error) error {
	message := "Invalid Compact JWS"
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		message = `"exp" claim timestamp check failed`
	case errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		message = "signature verification failed"
	}
	return apierr.New(storageerr.ErrBadSignature.Status, storageerr.CodeInvalidJWT, "%s", message).WithCause(err)
}
