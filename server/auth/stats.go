package auth

import (
	"plaza/server/auth/api"
	"plaza/server/auth/password"
	"plaza/server/tally"
)

// Stats are the server's counters since it started.
type Stats struct {
	SignIns  map[api.SignIn]uint64
	Limited  map[string]uint64 // refused requests, by rate limit
	Mails    map[string]uint64 // by outcome: queued, sent, delayed or failed
	Waiting  int               // mails in the queue of all servers when it was last read
	Password password.Stats
	KeysRead *tally.Moment // when the signing keys were last read
}

// Stats returns the current counters.
func (s *Server) Stats() Stats {
	return Stats{
		SignIns: s.api.SignIns(), Limited: s.limits.Refused(), Mails: s.messages.Outcomes(), Waiting: s.messages.Waiting(),
		Password: s.accounts.Hasher.Stats(),
		KeysRead: s.keys.LastRead(),
	}
}
