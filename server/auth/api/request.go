package api

import (
	"net/http"
	"strings"

	"plaza/server/auth/account"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// maxBody bounds a request's body. Source: supabase/auth, 1 MB.
const maxBody = 1 << 20

// maxHeader bounds what is kept of a header, in bytes.
const maxHeader = 1024

// storable is a header as the database takes it: headers may hold any byte.
func storable(header string) string {
	return strings.ToValidUTF8(header[:min(len(header), maxHeader)], "")
}

func (s *base) visitor(r *http.Request) users.Visitor {
	var v users.Visitor
	if agent := storable(r.UserAgent()); agent != "" {
		v.UserAgent = &agent
	}
	if address := httpx.ClientAddress(r, s.TrustedProxies); address.IsValid() {
		address = address.WithZone("")
		v.Address = &address
	}
	return v
}

func read(w http.ResponseWriter, r *http.Request, params any) error {
	return httpx.ReadJSON(w, r, maxBody, params)
}

// audience is the kind of users a request is about.
func (s *base) audience(r *http.Request) string {
	if asked := storable(r.Header.Get("X-JWT-AUD")); asked != "" {
		return asked
	}
	return s.Config.JWT.Aud
}

// request is what the parts of the server need to know of an HTTP request.
func (s *base) request(r *http.Request) account.Request {
	return account.Request{Audience: s.audience(r), Redirect: s.Redirects.Target(r, ""), LimitKey: s.limitKey(r), Who: s.visitor(r)}
}
