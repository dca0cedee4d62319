package account

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

var errInvalidCredentials = autherr.BadRequest(autherr.CodeInvalidLogin, "Invalid login credentials")

// Credentials are the body of POST /token?grant_type=password.
type Credentials struct{ Email, Phone, Password string }

// Password signs in with a password. An unknown address, an account without a
// password and a wrong password get the same response in the same time.
//
// Errors: 400 validation_failed, invalid_credentials, user_banned, email_not_confirmed,
// phone_not_confirmed; 422 email_provider_disabled, phone_provider_disabled; 429
// over_request_rate_limit; password.ErrBusy.
func (s *SignIns) Password(ctx context.Context, params Credentials, r Request) (*session.TokenResponse, error) {
	c, err := s.signInContact(params.Email, params.Phone)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	user, err := s.authenticate(ctx, c, params.Password, r)
	if err != nil {
		wait(ctx, s.MinDuration-time.Since(began)) // a hook may take longer for a known account
		return nil, err
	}
	var tokens *session.TokenResponse
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		s.trail.Add(batch, r.Info, user, audit.Login, audit.Provider(c.Kind))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		tokens, err = s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodPassword}, r.Info)
		return err
	})
	if err != nil {
		return nil, err
	}
	tokens.WeakPassword, err = s.findWeakness(ctx, params.Password)
	return tokens, err
}

// signInContact returns the contact that signs in. An invalid address or number is no
// error here: it is refused later, like a wrong password.
func (s *SignIns) signInContact(email, phone string) (users.Contact, error) {
	switch {
	case email != "" && phone != "":
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on login.")
	case phone != "" && !s.config.Ways.Phone:
		return users.Contact{}, autherr.Unprocessable(autherr.CodePhoneDisabled, "Phone logins are disabled")
	case phone != "":
		number, _ := users.ParsePhone(phone)
		return users.Contact{Kind: users.ByPhone, Value: number}, nil
	case email == "":
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "missing email or phone")
	case !s.config.Ways.Email:
		return users.Contact{}, autherr.Unprocessable(autherr.CodeEmailDisabled, "Email logins are disabled")
	}
	address, _ := users.ParseEmail(email)
	return users.Contact{Kind: users.ByEmail, Value: address}, nil
}

// authenticate returns the account of a contact and a password.
func (s *SignIns) authenticate(ctx context.Context, c users.Contact, candidate string, r Request) (*users.User, error) {
	var user *users.User
	var err error
	if c.Value != "" {
		if user, err = users.Find(ctx, s.db, c, r.Audience); err != nil {
			return nil, err
		}
	}
	if user == nil {
		user = &users.User{}
	}
	refund, err := s.limits.SpendGuess(ctx, c, user.ID, r.Info)
	if err != nil {
		return nil, err
	}
	valid, err := s.Hasher.Matches(ctx, user.PasswordHash, candidate)
	if err == nil && valid {
		err = refund()
	}
	if err != nil {
		return nil, err
	}
	if err := s.callPasswordHook(ctx, attempt{user, c, valid}, s.mail(r, pkce.Challenge{})); err != nil {
		return nil, err
	}
	switch {
	case !valid || user.PasswordHash == "":
		return nil, errInvalidCredentials
	case user.Banned(s.now()): // revealed only to someone with the right password
		return nil, autherr.BadRequest(autherr.CodeUserBanned, "User is banned")
	case c.Kind == users.ByPhone && !user.Confirmed(users.ByPhone):
		return nil, autherr.BadRequest(autherr.CodePhoneNotConfirmed, "Phone not confirmed")
	case c.Kind == users.ByEmail && !user.Confirmed(users.ByEmail) && !s.config.Mailer.AllowUnverified:
		return nil, autherr.BadRequest(autherr.CodeNotConfirmed, "Email not confirmed")
	}
	return user, nil
}

// CodeExchange is the body of POST /token?grant_type=pkce.
type CodeExchange struct {
	Code     string `json:"auth_code"`
	Verifier string `json:"code_verifier"`
}

// Exchange signs in with a PKCE code. A code works once; a wrong verifier does not
// consume it.
//
// Errors: 400 validation_failed; 403 user_banned; those of pkce.Exchange.
func (s *SignIns) Exchange(ctx context.Context, params CodeExchange, r Request) (tokens *session.TokenResponse, err error) {
	if params.Code == "" || params.Verifier == "" {
		return nil, autherr.BadRequest(autherr.CodeValidation, "invalid request: both auth code and code verifier should be non-empty")
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		tokens, err = s.exchange(ctx, tx, params, r.Info)
		return err
	})
	return tokens, err
}

func (s *SignIns) exchange(ctx context.Context, tx *store.Tx, params CodeExchange, info users.RequestInfo) (*session.TokenResponse, error) {
	flow, err := pkce.Exchange(ctx, tx, params.Code, params.Verifier, s.now())
	if err != nil {
		return nil, err
	}
	user, err := users.Load(ctx, tx, flow.UserID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, pkce.ErrNoFlow
	}
	if err != nil {
		return nil, err
	}
	if user.Banned(s.now()) {
		return nil, autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	}
	batch := &pgx.Batch{}
	pkce.Delete(batch, flow.ID)
	s.trail.Add(batch, info, user, audit.Login, map[string]any{"provider_type": flow.ProviderType})
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	tokens, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: flow.Method}, info)
	if err != nil {
		return nil, err
	}
	tokens.ProviderToken, tokens.ProviderRefreshToken, err = flow.ProviderTokens(s.box)
	return tokens, err
}
