package core

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
)

// Scopes of signed URLs: one that reads cannot write.
const (
	scopeDownload = "download"
	scopeUpload   = "upload"
)

// maxLifetime is how long a signed URL may be good, in seconds: a moment that
// JavaScript can tell.
const maxLifetime = math.MaxInt32 * 1000

// Signed is what a signed URL says.
type Signed struct {
	Bucket, Key string // of the object
	Expires     time.Time
	Owner       string // upload: the user who made the URL
	Upsert      bool   // upload

	Transformations, Format string // download: of an image
}

// sign makes a token. Errors: InvalidParameter for a lifetime that is none.
func (s *Service) sign(set jwt.MapClaims, lifetime int64) (string, error) {
	if lifetime < 1 || lifetime > maxLifetime {
		return "", errBadLifetime
	}
	now := s.now().Unix()
	set["iat"], set["exp"] = now, now+lifetime
	return jwt.NewWithClaims(jwt.SigningMethodHS256, set).SignedString(s.cfg.SigningKey)
}

// SignDownload makes a token to read an object that the caller may see, for so
// many seconds.
//
// Errors: NoSuchKey; InvalidParameter.
func (s *Service) SignDownload(ctx context.Context, call Call, bucket, key string, lifetime int64, transformations, format string) (string, error) {
	if _, err := s.Object(ctx, call, bucket, key); err != nil {
		return "", err
	}
	set := jwt.MapClaims{"url": bucket + "/" + key, "scope": scopeDownload}
	if transformations != "" {
		set["transformations"] = transformations
	}
	if format != "" {
		set["format"] = format
	}
	return s.sign(set, lifetime)
}

const visibleNames = `select coalesce(json_agg(o.name), '[]') from storage.objects o
	where o.bucket_id = $1 and o.name = any(array(select jsonb_array_elements_text($2::jsonb)))`

// SignDownloads makes a token for each of some objects; one that the caller may
// not see gets none.
func (s *Service) SignDownloads(ctx context.Context, call Call, bucket string, keys []string, lifetime int64) (map[string]string, error) {
	if err := CheckBucketName(bucket); err != nil {
		return nil, err
	}
	if lifetime < 1 || lifetime > maxLifetime {
		return nil, errBadLifetime
	}
	var names []string
	err := s.query(ctx, call, visibleNames, []any{bucket, keys}, func(row [][]byte) error { return json.Unmarshal(row[0], &names) })
	if err != nil {
		return nil, databaseError(err)
	}
	tokens := make(map[string]string, len(names))
	for _, name := range names {
		if tokens[name], err = s.sign(jwt.MapClaims{"url": bucket + "/" + name, "scope": scopeDownload}, lifetime); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// SignUpload makes a token to write an object that the caller may write.
//
// Errors: as Authorize.
func (s *Service) SignUpload(ctx context.Context, call Call, t Target) (string, error) {
	if err := s.Authorize(ctx, call, t); err != nil {
		return "", err
	}
	set := jwt.MapClaims{"url": t.Bucket + "/" + t.Key, "scope": scopeUpload, "upsert": t.Upsert}
	if t.Owner != "" {
		set["owner"] = t.Owner
	}
	return s.sign(set, int64(s.cfg.UploadURLLifetime.Seconds()))
}

// VerifyDownload reads a token made by SignDownload for an object.
//
// Errors: InvalidJWT; InvalidSignature for another object or another use.
func (s *Service) VerifyDownload(token, bucket, key string) (Signed, error) {
	return s.verify(token, scopeDownload, bucket, key)
}

// VerifyUpload reads a token made by SignUpload for an object. Errors: as
// VerifyDownload.
func (s *Service) VerifyUpload(token, bucket, key string) (Signed, error) {
	return s.verify(token, scopeUpload, bucket, key)
}

func (s *Service) verify(token, scope, bucket, key string) (Signed, error) {
	var said struct {
		jwt.RegisteredClaims
		URL             string `json:"url"`
		Scope           string `json:"scope"`
		Owner           string `json:"owner"`
		Upsert          *bool  `json:"upsert"`
		Transformations string `json:"transformations"`
		Format          string `json:"format"`
	}
	_, err := jwt.ParseWithClaims(token, &said, func(*jwt.Token) (any, error) { return s.cfg.SigningKey, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}), jwt.WithTimeFunc(s.now), jwt.WithExpirationRequired())
	if err != nil {
		return Signed{}, tokenError(err)
	}
	if said.Scope == "" { // tokens of older servers of upstream have none
		if said.Scope = scopeDownload; said.Upsert != nil {
			said.Scope = scopeUpload
		}
	}
	if said.Scope != scope {
		return Signed{}, apierr.New(ErrBadSignature.Status, ErrBadSignature.Code, "Token is not scoped for %s", scope)
	}
	if said.URL == "" || said.URL != bucket+"/"+key {
		return Signed{}, ErrBadSignature
	}
	return Signed{
		Bucket: bucket, Key: key, Expires: said.ExpiresAt.Time, Owner: said.Owner, Upsert: said.Upsert != nil && *said.Upsert,
		Transformations: said.Transformations, Format: said.Format,
	}, nil
}

// tokenError tells why a token is refused.
// Source: the messages are those of upstream's library, jose.
func tokenError(err error) error {
	message := "Invalid Compact JWS"
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		message = `"exp" claim timestamp check failed`
	case errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		message = "signature verification failed"
	}
	return apierr.New(ErrBadSignature.Status, CodeInvalidJWT, "%s", message).WithCause(err)
}
