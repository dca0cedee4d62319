package auth

import (
	"plaza/server/auth/api"
	"plaza/server/auth/password"
	"plaza/server/tally"
)

// Stats counts what the server did since it started.
type Stats struct {
	SignIns  map[api.SignIn]uint64
	Limited  map[string]uint64 // requests refused, by the limit that refused them
	Mails    map[string]uint64 // by what became of them: queued, sent, delayed or failed
	Waiting  int               // mails in the queue, of all servers, as of the last look at it
	Password password.Stats
	Jobs     map[string]*tally.Moment // when each kind of background work last went well
}

// Stats tells what happened so far.
func (s *Server) Stats() Stats {
	return Stats{
		SignIns: s.api.SignIns(), Limited: s.limits.Refused(), Mails: s.messages.Outcomes(), Waiting: s.messages.Waiting(),
		Password: s.accounts.Hasher.Stats(),
		Jobs:     map[string]*tally.Moment{"auth_mails": s.messages.LastSent(), "auth_keys": s.keys.LastRead(), "auth_clean": s.cleaner.LastRun()},
	}
}
