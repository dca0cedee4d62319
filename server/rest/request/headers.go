package request

import (
	"net/http"
	"strings"

	"plaza/server/jsontext"
)

// HeadersJSON returns the request's headers, except Cookie, as a JSON object with names
// in lower case, for the setting request.headers.
func HeadersJSON(r *http.Request) string {
	out := make([]byte, 0, 512)
	out = append(out, `{"host":`...)
	out = jsontext.AppendString(out, r.Host)
	for name, values := range r.Header {
		if name == "Cookie" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = jsontext.AppendString(out, strings.ToLower(name))
		out = append(out, ':')
		out = jsontext.AppendString(out, strings.Join(values, ", "))
	}
	return string(append(out, '}'))
}

// CookiesJSON returns the request's cookies as a JSON object, or an empty string if
// there are none.
func CookiesJSON(r *http.Request) string {
	if r.Header.Get("Cookie") == "" {
		return ""
	}
	out := []byte{'{'}
	for _, cookie := range r.Cookies() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = jsontext.AppendString(out, cookie.Name)
		out = append(out, ':')
		out = jsontext.AppendString(out, cookie.Value)
	}
	return string(append(out, '}'))
}
