package oauth

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxURI bounds a URI, in characters. Source: the columns of supabase/auth.
const maxURI = 2048

// unsafeSchemes are schemes whose URIs run or show their content in the page that follows them.
var unsafeSchemes = []string{"javascript", "data", "file", "vbscript", "about", "blob", "view-source"}

// CheckRedirect validates a redirect URI: https, http on localhost, or an app's own scheme.
// Source: supabase/auth and RFC 6749, section 3.1.2. Stricter than upstream, it refuses a
// user, commas (the table separates URIs by commas) and white space.
func CheckRedirect(address string) error {
	switch {
	case address == "":
		return errors.New("redirect URI cannot be empty")
	case utf8.RuneCountInString(address) > maxURI:
		return errors.New("redirect URI cannot exceed 2048 characters")
	case !isPlainText(address) || strings.ContainsAny(address, " ,\\"):
		return errors.New("spaces, commas, backslashes and control characters not allowed in redirect URI")
	case strings.Contains(address, "#"):
		return errors.New("fragment not allowed in redirect URI")
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return errors.New("invalid URL format")
	}
	switch {
	case parsed.Scheme == "" || parsed.Host == "":
		return errors.New("must have scheme and host")
	case slices.Contains(unsafeSchemes, parsed.Scheme): // url.Parse converts the scheme to lower case
		return errors.New("scheme '" + parsed.Scheme + "' is not allowed for security reasons")
	case parsed.User != nil:
		return errors.New("user not allowed in redirect URI")
	case parsed.Scheme == "http" && !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, parsed.Hostname()):
		return errors.New("HTTP scheme only allowed for localhost")
	}
	return nil
}

// isPlainText reports whether text is valid UTF-8 without control characters.
func isPlainText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// RedirectURL returns a redirect URI that CheckRedirect has accepted, with parameters added. It keeps
// the URI's own query.
func RedirectURL(address string, params url.Values) string {
	address = strings.TrimSuffix(address, "?")
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + params.Encode()
}
