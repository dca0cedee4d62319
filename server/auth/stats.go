package auth

import (
	"net/http"

	"plaza/server/apierr"
	"plaza/server/auth/password"
	"plaza/server/httpx"
	"plaza/server/tally"
)

// Stats counts what the server did since it started.
type Stats struct {
	SignIns  map[SignIn]uint64
	Limited  map[string]uint64 // requests refused, by the limit that refused them
	Mails    map[string]uint64 // by what became of them: queued, sent, delayed or failed
	Waiting  int               // mails in the queue, of all servers, as of the last look at it
	Password password.Stats
	Jobs     map[string]*tally.Moment // when each kind of background work last went well
}

// SignIn is a kind of sign-in: how it was tried, and what came of it.
type SignIn struct{ Method, Outcome string }

// Stats tells what happened so far.
func (s *Server) Stats() Stats {
	return Stats{
		SignIns: s.counts.signIns.All(), Limited: s.limits.Refused(), Mails: s.messages.Outcomes(), Waiting: s.messages.Waiting(),
		Password: s.accounts.Hasher.Stats(),
		Jobs:     map[string]*tally.Moment{"auth_mails": s.messages.LastSent(), "auth_keys": s.keys.LastRead(), "auth_clean": s.cleaner.LastRun()},
	}
}

// counts are what Stats tells of.
type counts struct{ signIns tally.Of[SignIn] }

// counted counts the outcomes of a way to sign in.
func (s *Server) counted(method string, h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		s.counts.signIns.Add(SignIn{method, outcome(err)}, 1)
		return err
	}
}

// outcome puts what a client is told into few words.
func outcome(err error) string {
	visible := apierr.As(err)
	switch {
	case err == nil:
		return "ok"
	case visible == nil || visible.Status >= http.StatusInternalServerError:
		return "failed"
	case visible.Status == http.StatusTooManyRequests:
		return "limited"
	}
	return "refused"
}
