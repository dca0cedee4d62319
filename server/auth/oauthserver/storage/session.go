package storage

import (
	"time"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/openid"

	"plaza/server/auth/session"
)

// Session is what fosite's handlers hand on about the user of a request.
type Session struct {
	openid.DefaultSession
	Authenticated time.Time        // when the user last showed who they are
	Current       *session.Current // of an access token
	Expires       time.Time        // the access token; zero: never
}

// NewSession returns the session of a user; of nobody yet where the id is empty.
func NewSession(userID string) *Session {
	s := &Session{DefaultSession: *openid.NewDefaultSession()}
	s.Subject, s.Claims.Subject = userID, userID
	return s
}

// Clone returns the session itself: it serves one request.
func (s *Session) Clone() fosite.Session { return s }
