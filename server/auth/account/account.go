// Package account makes accounts, proves that their addresses and numbers belong to
// their users, signs users in, and changes and deletes accounts.
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

// Accounts makes accounts, and proves that their addresses and numbers belong to
// their users.
type Accounts struct {
	*core
	SignIns *SignIns
	Self    *Self
	Admin   *Admin
}

// SignIns signs users in with a password, or with the code of a redirect.
type SignIns struct{ *core }

// Self is what signed-in users do to their own account.
type Self struct{ *core }

// Admin is what admins do to accounts.
type Admin struct{ *core }

// core is what all of them use.
type core struct {
	Hasher *password.Hasher
	// Pace is how long a call about an address takes at least, whether the address
	// is known or not.
	Pace time.Duration

	config   settings.Config
	db       *store.Store
	now      func() time.Time
	policy   password.Policy
	leaked   *password.Leaked // nil: not looked up
	box      *seal.Box
	hooks    *hook.Caller
	trail    *audit.Trail
	limits   *limit.Limiter
	sessions *session.Sessions
	messages *message.Sender
	secret   []byte
	log      *slog.Logger
}

// Options are what accounts stand on.
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
	Secret   []byte // the project's, which hashes of contacts follow from
	Log      *slog.Logger
}

// defaultPace is longer than any of the calls takes on an idle machine.
const defaultPace = 150 * time.Millisecond

// New returns the accounts of a server. Errors: a file of leaked passwords that
// cannot be read.
func New(o Options) (*Accounts, error) {
	s := &core{
		Hasher: password.NewHasher(password.Cost, runtime.GOMAXPROCS(0)), Pace: defaultPace,
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

// Request is what the calls need to know of the HTTP request they serve.
type Request struct {
	Audience string        // of the users it is about
	Redirect string        // where a mailed link leads
	LimitKey string        // of the client, for the limits by address; empty: no limit
	Who      users.Visitor // who sent it
}

// mail returns the request for a mail or message that follows from r.
func (s *core) mail(r Request, challenge pkce.Challenge) message.Request {
	return message.Request{Redirect: r.Redirect, PKCE: challenge, Who: r.Who, Now: s.now().Truncate(time.Microsecond)}
}

// paced runs fn and does not return before the pace is over, so that the time
// tells nothing about what fn found.
func (s *core) paced(ctx context.Context, fn func() error) error {
	began := time.Now()
	err := fn()
	wait(ctx, s.Pace-time.Since(began))
	return err
}

// wait returns after a while, or when the client has gone.
func wait(ctx context.Context, while time.Duration) {
	timer := time.NewTimer(while)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Errors of contacts that another account has, and of projects without sign-ups.
var (
	errEmailExists    = autherr.Unprocessable(autherr.CodeEmailExists, "A user with this email address has already been registered")
	errPhoneExists    = autherr.Unprocessable(autherr.CodePhoneExists, "A user with this phone number has already been registered")
	ErrSignupDisabled = autherr.Unprocessable(autherr.CodeSignupDisabled, "Signups not allowed for this instance")
)

// savingFailed words an error of the database that no code of ours stands for,
// such as one that a trigger of the project raised.
func savingFailed(err error, words string) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && apierr.As(err) == nil && !store.Unstorable(err) {
		return autherr.Internal("%s", words).WithCause(err)
	}
	return err
}
