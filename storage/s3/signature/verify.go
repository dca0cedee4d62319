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
	// maxSkew is how far the clocks of client and server may differ. Source: the
	// documentation of Amazon S3.
	maxSkew = 15 * time.Minute
	// maxExpires is the longest life of a presigned address. Source: as above.
	maxExpires = 7 * 24 * time.Hour
)

// Verifier checks signatures.
type Verifier struct {
	Region        string // the server's own
	EnforceRegion bool   // refuse every other one; else "us-east-1", "auto" and none are good, too
	Prefix        string // of all paths, which a proxy takes off; may be empty
	Now           func() time.Time
}

const doesNotMatch = "The request signature we calculated does not match the signature you provided. Check your key and signing method."

var errDoesNotMatch = apierr.New(403, "SignatureDoesNotMatch", doesNotMatch)

// Verify reports whether a request was signed with a secret, and lately.
//
// Errors: 403 SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied (another
// region; a header of S3's that is not signed); 400 ExpiredToken of a presigned
// address.
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

// VerifyForm reports whether the policy of a form was signed with a secret. What
// the policy asks for is checked by ParsePolicy and Policy.Check.
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

// check looks at where and when a request was signed.
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

// unsignedHeader returns a header that changes what a request does and that is not
// signed, or "". Whoever has a presigned address must not add one. The header of
// the body's hash says nothing more than the body does.
func unsignedHeader(headers http.Header, signed []string) string {
	for name := range headers {
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "x-amz-") && name != "x-amz-content-sha256" && name != "x-amz-cf-id" && !slices.Contains(signed, name) {
			return name
		}
	}
	return ""
}

// equal compares in a time that does not depend on where the two differ.
func equal(mac []byte, given string) bool {
	return hmac.Equal([]byte(hex.EncodeToString(mac)), []byte(given))
}
