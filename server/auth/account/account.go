// Package account creates accounts, verifies their email addresses and phone numbers,
// signs users in, and changes and deletes accounts.
package account

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/hook"
	"plaza/server/auth/limit"
	"plaza/server/auth/message"
	"plaza/server/auth/password"
	"plaza/server/auth/pkce"
	"plaza/server/auth/seal"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Accounts creates accounts and verifies their email addresses and phone numbers.
type Accounts struct {
	*core
	SignIns *SignIns
	Self    *Self
	Admin   *Admin
}

// SignIns signs users in with a password or with a PKCE code.
type SignIns struct{ *core }

// Self has the operations of signed-in users on their own account.
type Self struct{ *core }

// Admin has the operations of admins on accounts.
type Admin struct{ *core }

// core holds the dependencies that these types share.
type core struct {
	Hasher *password.Hasher
	// MinDuration is the minimum duration of a call about an address, so that the response time
	// does not reveal whether the address is known.
	MinDuration time.Duration

	config   settings.Config
	db       *store.Store
	now      func() time.Time
	policy   password.Policy
	leaked   *password.Leaked // nil: passwords are not looked up
	box      *seal.Box
	hooks    *hook.Caller
	trail    *audit.Trail
	limits   *limit.Limiter
	sessions *session.Sessions
	messages *message.Sender
	secret   []byte
	log      *slog.Logger
}

// Options are the dependencies of Accounts.
type Options struct {
	Config   settings.Config
	DB       *store.Store
	Now      func() time.Time
	Box      *seal.Box
	Hooks    *hook.Caller
	Trail    *audit.Trail
	Limits   *limit.Limiter
	Sessions *session.Sessions
	Messages *message.Sender
	Secret   []byte // the project's secret, used to hash contacts
	Log      *slog.Logger
}

// defaultMinDuration is longer than any call about an address takes on an idle machine.
const defaultMinDuration = 150 * time.Millisecond

// New returns the Accounts of a server. Errors: the file of leaked passwords cannot be read.
func New(o Options) (*Accounts, error) {
	s := &core{
		Hasher: password.NewHasher(password.Cost, runtime.GOMAXPROCS(0)), MinDuration: defaultMinDuration,
		config: o.Config, db: o.DB, now: o.Now, box: o.Box, hooks: o.Hooks, trail: o.Trail, limits: o.Limits,
		sessions: o.Sessions, messages: o.Messages, secret: o.Secret, log: o.Log,
		policy: password.Policy{MinLength: o.Config.Password.MinLength, Required: o.Config.Password.RequiredCharacters},
	}
	if leaked := o.Config.Password.Leaked; leaked.Enabled || leaked.File != "" {
		var err error
		if s.leaked, err = password.NewLeaked(leaked.URL, leaked.File, leaked.UserAgent); err != nil {
			return nil, fmt.Errorf("GOTRUE_PASSWORD_HIBP_FILE: %w", err)
		}
	}
	return &Accounts{s, &SignIns{s}, &Self{s}, &Admin{s}}, nil
}

// Request has the properties of the HTTP request that the operations need.
type Request struct {
	Audience string            // of the users it concerns
	Redirect string            // target of a mailed link
	LimitKey string            // identifies the client for rate limits by address; empty: no limit
	Info     users.RequestInfo // sender of the request
}

// mail returns the parameters of a mail or message sent because of r.
func (s *core) mail(r Request, challenge pkce.Challenge) message.Request {
	return message.Request{Redirect: r.Redirect, PKCE: challenge, Info: r.Info, Now: s.now().Truncate(time.Microsecond)}
}

// withMinDuration runs fn and returns no earlier than MinDuration after the start, so that the response
// time does not reveal what fn found.
func (s *core) withMinDuration(ctx context.Context, fn func() error) error {
	began := time.Now()
	err := fn()
	wait(ctx, s.MinDuration-time.Since(began))
	return err
}

// wait sleeps for a duration, or until ctx ends.
func wait(ctx context.Context, while time.Duration) {
	timer := time.NewTimer(while)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Errors for contacts that belong to another account, and for projects with disabled sign-ups.
var (
	errEmailExists    = autherr.Unprocessable(autherr.CodeEmailExists, "A user with this email address has already been registered")
	errPhoneExists    = autherr.Unprocessable(autherr.CodePhoneExists, "A user with this phone number has already been registered")
	ErrSignupDisabled = autherr.Unprocessable(autherr.CodeSignupDisabled, "Signups not allowed for this instance")
)

// wrapSaveError wraps a database error without an API error code, such as one raised by
// a trigger of the project, into an internal error with the given message.
func wrapSaveError(err error, message string) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && apierr.As(err) == nil && !store.IsUnstorable(err) {
		return autherr.Internal("%s", message).WithCause(err)
	}
	return err
}
