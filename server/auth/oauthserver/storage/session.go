package storage

import (
	"time"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/openid"

	"plaza/server/auth/session"
)

// Session is fosite's session of a request.
type Session struct {
	openid.DefaultSession
	Authenticated time.Time        // when the user last authenticated
	Current       *session.Current // of an access token
	Expires       time.Time        // expiry of the access token; zero: never
}

// NewSession returns the session of a user. An empty id means that the user is not yet known.
func NewSession(userID string) *Session {
	s := &Session{DefaultSession: *openid.NewDefaultSession()}
	s.Subject, s.Claims.Subject = userID, userID
	return s
}

// Clone returns the session itself, because it serves only one request.
func (s *Session) Clone() fosite.Session { return s }
