// Package signature verifies AWS Signature Version 4 of requests to the S3 protocol: in a
// header, in a presigned URL, of the policy of a form, and of the chunks and trailers of
// a body. The caller of the package provides the secret keys.
package signature

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"plaza/server/apierr"
)

const (
	algorithm  = "AWS4-HMAC-SHA256"
	timeFormat = "20060102T150405Z"
	dateFormat = "20060102"
	service    = "s3"
	terminator = "aws4_request"
)

// Signature is the signature of a request, which is not verified yet.
type Signature struct {
	Scope        Scope
	Time         time.Time
	SignedHeader []string // lower case, sorted; not used for forms
	SessionToken string   // the caller's JWT, if the client signs with a user's token
	Payload      string   // x-amz-content-sha256: a hash, or a constant such as unsigned

	signature string        // hexadecimal
	presigned bool          // it is in a presigned URL
	expires   time.Duration // lifetime of a presigned URL, from Time on
	policy    string        // of a form, in base64
}

// Scope is the credential scope of a signing key.
type Scope struct {
	AccessKey string
	Date      string // "20060102"
	Region    string
}

func (s Scope) String() string {
	return s.Date + "/" + s.Region + "/" + service + "/" + terminator
}

// malformed returns the error for a signature that cannot be parsed.
func malformed(text string) error { return apierr.New(400, "InvalidSignature", "%s", text) }

// errMissing is returned for a request without a signature.
var errMissing = apierr.New(403, "AccessDenied", "Missing signature")

// Parse parses the signature in a request's header or URL. For forms, see ParseForm.
//
// Errors: 403 AccessDenied if there is none; 400 InvalidSignature.
func Parse(r *http.Request) (*Signature, error) {
	if header := r.Header.Get("Authorization"); strings.HasPrefix(header, algorithm+" ") {
		return parseHeader(header, r.Header)
	}
	if query, err := parseQuery(r.URL.RawQuery); err == nil && query.has("X-Amz-Credential") {
		return parsePresigned(query, r.Header)
	}
	return nil, errMissing
}

func parseHeader(header string, headers http.Header) (*Signature, error) {
	fields := map[string]string{}
	for field := range strings.SplitSeq(strings.TrimPrefix(header, algorithm+" "), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if _, duplicate := fields[name]; duplicate {
			return nil, malformed("Invalid signature format")
		}
		fields[name] = value
	}
	s := &Signature{
		SessionToken: headers.Get("X-Amz-Security-Token"),
		Payload:      headers.Get("X-Amz-Content-Sha256"),
	}
	return s, s.parse(fields["Credential"], fields["SignedHeaders"], fields["Signature"], headers.Get("X-Amz-Date"))
}

func parsePresigned(query pairs, headers http.Header) (*Signature, error) {
	if query.get("X-Amz-Algorithm") != algorithm {
		return nil, malformed("Unsupported authorization type")
	}
	s := &Signature{
		presigned:    true,
		SessionToken: query.get("X-Amz-Security-Token"),
		Payload:      query.get("X-Amz-Content-Sha256"),
	}
	if err := s.parse(query.get("X-Amz-Credential"), query.get("X-Amz-SignedHeaders"), query.get("X-Amz-Signature"), query.get("X-Amz-Date")); err != nil {
		return nil, err
	}
	if s.Payload == "" && slices.Contains(s.SignedHeader, "x-amz-content-sha256") {
		s.Payload = headers.Get("X-Amz-Content-Sha256")
	}
	seconds, ok := number(query.get("X-Amz-Expires"))
	s.expires = time.Duration(seconds) * time.Second
	if !ok || s.expires > maxExpires {
		return nil, malformed("Invalid expiration")
	}
	return s, nil
}

// ParseForm parses the signature in a form's fields. Their names must be in lower case.
//
// Errors: 403 AccessDenied if there is none; 400 InvalidSignature.
func ParseForm(fields map[string]string) (*Signature, error) {
	if fields["x-amz-signature"] == "" && fields["policy"] == "" {
		return nil, errMissing
	}
	s := &Signature{SessionToken: fields["x-amz-security-token"], policy: fields["policy"], Payload: unsigned}
	if s.policy == "" {
		return nil, malformed("Invalid signature format")
	}
	return s, s.parse(fields["x-amz-credential"], "host", fields["x-amz-signature"], fields["x-amz-date"])
}

// parse parses the parts that all three kinds of signatures have.
func (s *Signature) parse(credential, headers, signature, date string) error {
	if credential == "" || headers == "" || len(signature) != 64 || date == "" {
		return malformed("Invalid signature format")
	}
	parts := strings.Split(credential, "/")
	if len(parts) != 5 || parts[3] != service || parts[4] != terminator {
		return malformed("Invalid credentials")
	}
	when, err := time.Parse(timeFormat, date)
	if err != nil || when.Format(dateFormat) != parts[1] {
		return malformed("Invalid signature date")
	}
	s.Scope = Scope{AccessKey: parts[0], Date: parts[1], Region: parts[2]}
	s.Time, s.signature = when, signature
	s.SignedHeader = strings.Split(headers, ";")
	if !slices.IsSorted(s.SignedHeader) || headers != strings.ToLower(headers) || !slices.Contains(s.SignedHeader, "host") {
		return malformed("Invalid signed headers")
	}
	return nil
}

// number parses an unsigned number.
func number(text string) (n int64, ok bool) {
	if text == "" || len(text) > 18 {
		return 0, false
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = n*10 + int64(digit-'0')
	}
	return n, true
}

// pairs holds the parameters of a query in their order.
type pairs []struct{ name, value string }

// parseQuery parses a query string. Unlike url.ParseQuery it accepts semicolons, which
// clients sign.
func parseQuery(raw string) (pairs, error) {
	var query pairs
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			return nil, apierr.New(400, "InvalidRequest", "The query string is not valid").WithCause(err)
		}
		query = append(query, struct{ name, value string }{name, value})
	}
	return query, nil
}

func (p pairs) has(name string) bool {
	return slices.ContainsFunc(p, func(pair struct{ name, value string }) bool { return pair.name == name })
}

func (p pairs) get(name string) string {
	for _, pair := range p {
		if pair.name == name {
			return pair.value
		}
	}
	return ""
}
