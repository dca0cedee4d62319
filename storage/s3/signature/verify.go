package signature

import (
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"

	"plaza/server/apierr"
)

const (
	// maxSkew is the maximum difference between the clocks of client and server. Source:
	// the documentation of Amazon S3.
	maxSkew = 15 * time.Minute
	// maxExpires is the maximum lifetime of a presigned URL. Source: as above.
	maxExpires = 7 * 24 * time.Hour
)

// Verifier verifies signatures.
type Verifier struct {
	Region        string // the server's region
	EnforceRegion bool   // reject all other regions; otherwise "us-east-1", "auto" and none are also accepted
	Prefix        string // path prefix that a proxy removes; may be empty
	Now           func() time.Time
}

const doesNotMatch = "The request signature we calculated does not match the signature you provided. Check your key and signing method."

var errDoesNotMatch = apierr.New(403, "SignatureDoesNotMatch", doesNotMatch)

// Verify returns an error unless a request was signed with a secret and has not expired.
//
// Errors: 403 SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied (for another
// region or an unsigned x-amz- header); 400 ExpiredToken for a presigned URL.
func (v *Verifier) Verify(r *http.Request, s *Signature, secret string) error {
	if err := v.check(s); err != nil {
		return err
	}
	if name := unsignedHeader(r.Header, s.SignedHeader); name != "" {
		return apierr.New(403, "AccessDenied", "There were headers present in the request which were not signed: %s", name)
	}
	query, err := parseQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	key := s.Scope.key(secret)
	for _, path := range v.paths(r) {
		for _, host := range hosts(r) {
			text := strings.Join([]string{
				algorithm, s.Time.Format(timeFormat), s.Scope.String(), hash256([]byte(s.canonicalRequest(r, path, host, query))),
			}, "\n")
			if equal(sum(key, text), s.signature) {
				return nil
			}
		}
	}
	return errDoesNotMatch
}

// VerifyForm returns an error unless the policy of a form was signed with a secret.
// ParsePolicy and Policy.Check check the policy itself.
//
// Errors: 403 SignatureDoesNotMatch, AccessDenied.
func (v *Verifier) VerifyForm(s *Signature, secret string) error {
	if err := v.checkRegion(s.Scope.Region); err != nil {
		return err
	}
	if !equal(sum(s.Scope.key(secret), s.policy), s.signature) {
		return errDoesNotMatch
	}
	return nil
}

// check checks the region and the time of a signature.
func (v *Verifier) check(s *Signature) error {
	if err := v.checkRegion(s.Scope.Region); err != nil {
		return err
	}
	age := v.Now().Sub(s.Time)
	switch {
	case age < -maxSkew, !s.presigned && age > maxSkew:
		return apierr.New(403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")
	case s.presigned && age > s.expires:
		return apierr.New(400, "ExpiredToken", "The provided token has expired.")
	}
	return nil
}

func (v *Verifier) checkRegion(region string) error {
	switch {
	case region == v.Region:
		return nil
	case v.EnforceRegion:
		return apierr.New(403, "AccessDenied", "Invalid Region")
	case !slices.Contains([]string{"", "auto", "us-east-1"}, region):
		return errDoesNotMatch
	}
	return nil
}

// unsignedHeader returns an x-amz- header that is not signed, or "". Such headers change
// what a request does, and the holder of a presigned URL must not be able to add one.
// The header with the body's hash is harmless.
func unsignedHeader(headers http.Header, signed []string) string {
	for name := range headers {
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "x-amz-") && name != "x-amz-content-sha256" && name != "x-amz-cf-id" && !slices.Contains(signed, name) {
			return name
		}
	}
	return ""
}

// equal compares a MAC with its hexadecimal form in constant time.
func equal(mac []byte, given string) bool {
	return hmac.Equal([]byte(hex.EncodeToString(mac)), []byte(given))
}
