package account

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// SignUp is the body of POST /signup.
type SignUp struct {
	Email    string          `json:"email"`
	Phone    string          `json:"phone"`
	Password string          `json:"password"`
	Channel  string          `json:"channel"`
	Data     json.RawMessage `json:"data"`
	pkce.Challenge
}

// registration is a validated request to sign up.
type registration struct {
	contact  users.Contact // zero: anonymous
	hash     string        // of the password
	data     json.RawMessage
	audience string
	redirect string
	channel  string // of a message to a phone
	pkce     pkce.Challenge
	who      users.RequestInfo
	now      time.Time
}

func (reg registration) mail() message.Request {
	return message.Request{Redirect: reg.redirect, Channel: reg.channel, PKCE: reg.pkce, Info: reg.who, Now: reg.now}
}

// autoconfirms reports whether a kind of contact needs no confirmation.
func (s *core) autoconfirms(kind string) bool {
	if kind == users.ByPhone {
		return s.config.SMS.Autoconfirm
	}
	return s.config.Mailer.Autoconfirm
}

// SignUp creates an account. It returns tokens if the account needs no confirmation, else
// the unconfirmed user. If the address already has an account, it returns an invented user
// that looks like a new one, so that the response does not reveal the account. A request
// with neither address nor number creates an anonymous user.
//
// Errors: 400 validation_failed, bad_json, email_provider_disabled, phone_provider_disabled; 422
// signup_disabled, anonymous_provider_disabled, weak_password, metadata_too_large, sms_send_failed
// and, if the contact needs no confirmation, user_already_exists; 429
// over_request_rate_limit; those of limit.Limiter.SpendContact; password.ErrBusy.
func (s *Accounts) SignUp(ctx context.Context, params SignUp, r Request) (*users.User, *session.TokenResponse, error) {
	if params.Email == "" && params.Phone == "" {
		tokens, err := s.signUpAnonymously(ctx, params.Data, r)
		return nil, tokens, err
	}
	if s.config.DisableSignup {
		return nil, nil, ErrSignupDisabled
	}
	if err := s.limits.Spend(ctx, s.limits.OTP.ForPath("signup"), r.LimitKey); err != nil {
		return nil, nil, err
	}
	reg, err := s.checkSignUp(params, r)
	if err != nil {
		return nil, nil, err
	}
	if params.Password == "" {
		return nil, nil, autherr.BadRequest(autherr.CodeValidation, "Signup requires a valid password")
	}
	if err := s.checkPassword(ctx, params.Password); err != nil {
		return nil, nil, err
	}
	var done registrationResult
	err = s.withMinDuration(ctx, func() error {
		if reg.hash, err = s.Hasher.Hash(ctx, params.Password); err != nil {
			return err
		}
		done, err = s.register(ctx, reg)
		return err
	})
	return done.user, done.tokens, err
}

// checkSignUp validates everything in a sign-up except the password.
func (s *Accounts) checkSignUp(params SignUp, r Request) (registration, error) {
	contact, err := s.signUpContact(params)
	if err != nil {
		return registration{}, err
	}
	data, err := metadata(params.Data)
	return registration{
		contact: contact, data: data, audience: r.Audience, redirect: r.Redirect, channel: params.Channel,
		pkce: params.Challenge, who: r.Info, now: s.now().Truncate(time.Microsecond),
	}, err
}

func (s *Accounts) signUpContact(params SignUp) (users.Contact, error) {
	if err := message.CheckChannel(params.Channel); err != nil {
		return users.Contact{}, err
	}
	if err := params.Check(); err != nil {
		return users.Contact{}, err
	}
	switch {
	case params.Email != "" && params.Phone != "":
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on signup.")
	case params.Phone != "" && params.IsSet():
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "PKCE not supported for phone signups")
	case params.Phone != "" && !s.config.Ways.Phone:
		return users.Contact{}, autherr.BadRequest(autherr.CodePhoneDisabled, "Phone signups are disabled")
	case params.Phone != "":
		number, err := users.ParsePhone(params.Phone)
		return users.Contact{Kind: users.ByPhone, Value: number}, err
	case !s.config.Ways.Email:
		return users.Contact{}, autherr.BadRequest(autherr.CodeEmailDisabled, "Email signups are disabled")
	}
	email, err := users.ParseEmail(params.Email)
	return users.Contact{Kind: users.ByEmail, Value: email}, err
}

// metadata validates the metadata of a new account: a JSON object, or nothing. Its size is
// checked before the account is looked up, so that an error does not reveal whether the
// account exists.
//
// Errors: 400 bad_json; 422 metadata_too_large.
func metadata(raw json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`{}`), nil
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, autherr.BadRequest(autherr.CodeBadJSON, "Could not parse request body as JSON: data is no object").WithCause(err)
	}
	return raw, (&users.User{UserMetadata: raw, AppMetadata: json.RawMessage(`{}`)}).CheckMetadata()
}

// signUpAnonymously creates a user without address, number or password.
func (s *Accounts) signUpAnonymously(ctx context.Context, data json.RawMessage, r Request) (*session.TokenResponse, error) {
	switch {
	case !s.config.Ways.Anonymous:
		return nil, autherr.Unprocessable(autherr.CodeAnonymousDisabled, "Anonymous sign-ins are disabled")
	case s.config.DisableSignup:
		return nil, ErrSignupDisabled
	}
	if err := s.limits.Spend(ctx, s.limits.Anonymous, r.LimitKey); err != nil {
		return nil, err
	}
	data, err := metadata(data)
	if err != nil {
		return nil, err
	}
	reg := registration{data: data, audience: r.Audience, who: r.Info, now: s.now().Truncate(time.Microsecond)}
	var tokens *session.TokenResponse
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := s.insert(ctx, tx, reg)
		if err == nil {
			tokens, err = s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodAnonymous}, reg.who)
		}
		return err
	})
	return tokens, wrapSaveError(err, "Database error creating anonymous user")
}

// registrationResult is the result of a registration. refused is an error that is returned after
// the transaction has committed, so that its audit entry is kept.
type registrationResult struct {
	user    *users.User
	tokens  *session.TokenResponse
	text    *message.PhoneMessage
	message string // id of the text that was sent
	refused error
}

// register creates an account and sends its confirmation, or signs the user in if the
// kind of contact needs none.
func (s *Accounts) register(ctx context.Context, reg registration) (registrationResult, error) {
	if !s.autoconfirms(reg.contact.Kind) {
		if err := s.limits.SpendContact(ctx, reg.contact); err != nil {
			return registrationResult{}, err
		}
	}
	var done registrationResult
	run := func(tx *store.Tx) error {
		existing, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
		switch {
		case err != nil:
			return err
		case existing != nil:
			done, err = s.registerExisting(ctx, tx, reg, existing)
		case s.autoconfirms(reg.contact.Kind):
			done, err = s.registerConfirmed(ctx, tx, reg)
		default:
			done, err = s.registerNew(ctx, tx, reg)
		}
		return err
	}
	err := s.db.InTx(ctx, run)
	if store.ViolatesUnique(err) {
		err = s.db.InTx(ctx, run) // another request registered the address meanwhile: now it is found
	}
	if err == nil {
		err = done.refused
	}
	if err != nil {
		return registrationResult{}, wrapSaveError(err, "Database error saving new user")
	}
	done.message, err = s.messages.SendPhoneMessage(ctx, done.text)
	return done, err
}

// registerNew creates an unconfirmed account.
func (s *Accounts) registerNew(ctx context.Context, tx *store.Tx, reg registration) (registrationResult, error) {
	user, err := s.insert(ctx, tx, reg)
	if err != nil {
		return registrationResult{}, err
	}
	done := registrationResult{user: user}
	if done.text, err = s.requestConfirmation(ctx, tx, reg, user); err != nil {
		return registrationResult{}, err
	}
	user.ConfirmationSentAt, user.UpdatedAt = &reg.now, reg.now.UTC()
	user.Normalize()
	return done, nil
}

// requestConfirmation sends the confirmation mail or message of an account.
func (s *Accounts) requestConfirmation(ctx context.Context, tx *store.Tx, reg registration, user *users.User) (*message.PhoneMessage, error) {
	if reg.contact.Kind == users.ByEmail {
		return nil, s.messages.RequestConfirmation(ctx, tx, user, reg.mail())
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, reg.who, user, audit.ConfirmationRequested, audit.Provider(users.ByPhone))
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	return s.messages.RequestPhoneConfirmation(ctx, tx, user, reg.mail())
}

// registerConfirmed creates a confirmed account and signs the user in.
func (s *Accounts) registerConfirmed(ctx context.Context, tx *store.Tx, reg registration) (registrationResult, error) {
	user, err := s.insert(ctx, tx, reg)
	if err != nil {
		return registrationResult{}, err
	}
	batch := &pgx.Batch{}
	s.confirm(batch, user, reg.contact.Kind, reg.who)
	s.trail.Add(batch, reg.who, user, audit.Login, audit.Provider(reg.contact.Kind))
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return registrationResult{}, err
	}
	tokens, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodPassword}, reg.who)
	return registrationResult{tokens: tokens}, err
}

// registerExisting handles a sign-up with an address that already has an account. The caller
// has not proved that they own the address, so the account is neither changed nor shown.
// The confirmation of an unconfirmed account is sent again.
func (s *Accounts) registerExisting(ctx context.Context, tx *store.Tx, reg registration, existing *users.User) (registrationResult, error) {
	var done registrationResult
	auto := s.autoconfirms(reg.contact.Kind)
	if existing.Confirmed(reg.contact.Kind) || auto {
		batch := &pgx.Batch{}
		s.trail.Add(batch, reg.who, existing, audit.RepeatedSignUp, audit.Provider(reg.contact.Kind))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return registrationResult{}, err
		}
		if auto {
			return registrationResult{refused: autherr.Unprocessable(autherr.CodeUserExists, "User already registered")}, nil
		}
		err := s.messages.CheckUnsentInterval(ctx, tx, reg.contact, confirmationKey(reg.contact.Value), reg.now)
		switch {
		case apierr.As(err) != nil:
			return registrationResult{refused: err}, nil
		case err != nil:
			return registrationResult{}, err
		}
	} else {
		var err error
		if done.text, err = s.requestConfirmation(ctx, tx, reg, existing); err != nil {
			return registrationResult{}, err
		}
	}
	var err error
	done.user, err = decoyUser(ctx, tx, reg)
	return done, err
}
