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

// maxHeader bounds the stored part of a header, in bytes.
const maxHeader = 1024

// sanitizeHeader returns a header in a form that the database accepts. Headers may contain any byte.
func sanitizeHeader(header string) string {
	return strings.ToValidUTF8(header[:min(len(header), maxHeader)], "")
}

func (s *base) requestInfo(r *http.Request) users.RequestInfo {
	var info users.RequestInfo
	if agent := sanitizeHeader(r.UserAgent()); agent != "" {
		info.UserAgent = &agent
	}
	if address := httpx.ClientAddress(r, s.TrustedProxies); address.IsValid() {
		address = address.WithZone("")
		info.Address = &address
	}
	return info
}

func readBody(w http.ResponseWriter, r *http.Request, params any) error {
	return httpx.ReadJSON(w, r, maxBody, params)
}

// audience returns the audience of the users that a request concerns.
func (s *base) audience(r *http.Request) string {
	if asked := sanitizeHeader(r.Header.Get("X-JWT-AUD")); asked != "" {
		return asked
	}
	return s.Config.JWT.Aud
}

// request returns the properties of an HTTP request that the operations need.
func (s *base) request(r *http.Request) account.Request {
	return account.Request{Audience: s.audience(r), Redirect: s.Redirects.Target(r, ""), LimitKey: s.limitKey(r), Info: s.requestInfo(r)}
}
