package auth

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"plaza/server/auth/api"
	"plaza/server/auth/password"
	"plaza/server/auth/redirect"
	"plaza/server/auth/settings"
	"plaza/server/auth/users"
)

// SpeedUp makes hashing cheap and removes the minimum duration, for tests.
func (s *Server) SpeedUp() {
	const minCost = 4
	s.accounts.Hasher, s.accounts.MinDuration, s.keys.PollInterval = password.NewHasher(minCost, 4), 0, time.Millisecond
}

// StopHashing makes every password check fail with password.ErrBusy.
func (s *Server) StopHashing() {
	const minCost = 4
	s.accounts.Hasher = password.NewHasher(minCost, 0)
}

// SendDue sends the due mails of the queue.
func (s *Server) SendDue(ctx context.Context) error {
	_, err := s.messages.SendDue(ctx)
	return err
}

// LimitKey returns the key of a client for rate limits by address.
func LimitKey(deps Deps, client netip.Addr, forwarded string) string {
	request := &http.Request{RemoteAddr: netip.AddrPortFrom(client, 1).String(), Header: http.Header{}}
	if forwarded != "" {
		request.Header.Set("X-Forwarded-For", forwarded)
	}
	return api.LimitKey(request, deps.TrustedProxies, deps.LimitLocalAddresses)
}

// NextMail sends the due mails and returns when the queue will be read again.
func (s *Server) NextMail(ctx context.Context) (time.Duration, error) { return s.messages.SendDue(ctx) }

// CleanUp removes expired rows.
func (s *Server) CleanUp(ctx context.Context) error { return s.cleaner.Run(ctx) }

var (
	CompileGlob = settings.CompileGlob
	ParseEmail  = users.ParseEmail
	ParsePhone  = users.ParsePhone
)

// Allows reports whether target is an allowed redirect target.
func Allows(site string, list []string, target string) (bool, error) {
	rules, err := redirect.New(site, list)
	if err != nil {
		return false, err
	}
	return rules.Allows(target), nil
}
