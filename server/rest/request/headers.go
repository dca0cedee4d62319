package request

import (
	"net/http"
	"strings"

	"plaza/server/rest/jsontext"
)

// HeadersJSON writes the request's headers, names in lower case, as SQL reads
// them from request.headers.
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
