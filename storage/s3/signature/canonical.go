package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// canonicalRequest returns the canonical form of a request, which is signed.
func (s *Signature) canonicalRequest(r *http.Request, path, host string, query pairs) string {
	payload := s.Payload
	if payload == "" {
		payload = unsigned
	}
	var text strings.Builder
	for _, line := range []string{r.Method, path, s.canonicalQuery(query)} {
		text.WriteString(line)
		text.WriteByte('\n')
	}
	for _, name := range s.SignedHeader {
		text.WriteString(name)
		text.WriteByte(':')
		text.WriteString(signedValue(r, name, host))
		text.WriteByte('\n')
	}
	text.WriteByte('\n')
	text.WriteString(strings.Join(s.SignedHeader, ";"))
	text.WriteByte('\n')
	text.WriteString(payload)
	return text.String()
}

// signedValue returns the canonical value of a header. net/http stores some headers in
// other fields of the request.
func signedValue(r *http.Request, name, host string) string {
	switch name {
	case "host":
		return host
	case "content-length":
		return strconv.FormatInt(max(r.ContentLength, 0), 10)
	case "transfer-encoding":
		return strings.Join(r.TransferEncoding, ",")
	}
	values := slices.Clone(r.Header.Values(name))
	for i, value := range values {
		values[i] = strings.Join(strings.Fields(value), " ")
	}
	return strings.Join(values, ",")
}

func (s *Signature) canonicalQuery(query pairs) string {
	encoded := make([]string, 0, len(query))
	for _, pair := range query {
		if s.presigned && pair.name == "X-Amz-Signature" {
			continue
		}
		encoded = append(encoded, encode(pair.name, false)+"="+encode(pair.value, false))
	}
	// Sort by name, then by value. The "=" must not take part in the comparison.
	slices.SortFunc(encoded, func(a, b string) int {
		nameA, valueA, _ := strings.Cut(a, "=")
		nameB, valueB, _ := strings.Cut(b, "=")
		if order := strings.Compare(nameA, nameB); order != 0 {
			return order
		}
		return strings.Compare(valueA, valueB)
	})
	return strings.Join(encoded, "&")
}

// encode escapes all characters except RFC 3986's unreserved ones and slashes in a path.
func encode(text string, path bool) string {
	const digits = "0123456789ABCDEF"
	var encoded strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9',
			c == '-' || c == '_' || c == '.' || c == '~', c == '/' && path:
			encoded.WriteByte(c)
		default:
			encoded.WriteByte('%')
			encoded.WriteByte(digits[c>>4])
			encoded.WriteByte(digits[c&15])
		}
	}
	return encoded.String()
}

// paths returns the forms of the path that a client may have signed: as sent, and escaped
// as by AWS. Both begin with the prefix that a proxy has removed.
func (v *Verifier) paths(r *http.Request) []string {
	sent, _, _ := strings.Cut(r.RequestURI, "?")
	if sent == "" || sent[0] != '/' { // "http://host/path", or a request made in a test
		sent = r.URL.EscapedPath()
	}
	if sent == "" {
		sent = "/"
	}
	all := []string{sent}
	if plain, err := url.PathUnescape(sent); err == nil {
		if escaped := encode(plain, true); escaped != sent {
			all = append(all, escaped)
		}
	}
	if v.Prefix != "" {
		for i := range all {
			all[i] = v.Prefix + all[i]
		}
	}
	return all
}

// hosts returns the host names that a client may have signed: that of the request, and
// that forwarded by a proxy.
func hosts(r *http.Request) []string {
	all := []string{r.Host}
	forwarded, port := r.Header.Get("X-Forwarded-Host"), r.Header.Get("X-Forwarded-Port")
	if forwarded == "" {
		return all
	}
	all = append(all, forwarded)
	if port != "" && port != "80" && port != "443" {
		name, _, _ := strings.Cut(forwarded, ":")
		all = append(all, name+":"+port)
	}
	return all
}

// key derives the signing key of a scope.
func (s Scope) key(secret string) []byte {
	key := []byte("AWS4" + secret)
	for _, part := range []string{s.Date, s.Region, service, terminator} {
		key = sum(key, part)
	}
	return key
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
