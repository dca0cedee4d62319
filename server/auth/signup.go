package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// registration is a checked request to sign up.
type registration struct {
	contact  users.Contact // none: anonymous
	hash     string        // of the password
	data     json.RawMessage
	audience string
	redirect string
	channel  string // of a message to a phone
	pkce     pkce.Challenge
	who      users.Visitor
	now      time.Time
}

// autoconfirms tells whether a contact needs no confirmation.
func (s *Server) autoconfirms(kind string) bool {
	if kind == users.ByPhone {
		return s.config.SMS.Autoconfirm
	}
	return s.config.Mailer.Autoconfirm
}

// signUpRequest is the body of POST /signup.
type signUpRequest struct {
	Email    string          `json:"email"`
	Phone    string          `json:"phone"`
	Password string          `json:"password"`
	Channel  string          `json:"channel"`
	Data     json.RawMessage `json:"data"`
	pkce.Challenge
}

// signUp answers POST /signup. Somebody who already has the address learns
// nothing: repeats get an invented user that looks like a new one. Who gives
// neither address nor number becomes an anonymous user.
func (s *Server) signUp(w http.ResponseWriter, r *http.Request) error {
	var params signUpRequest
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Email == "" && params.Phone == "" {
		return s.signUpAnonymously(w, r, params.Data)
	}
	if s.config.DisableSignup {
		return errSignupDisabled
	}
	if err := s.limits.Spend(r.Context(), s.limits.OTP.Of("signup"), s.limitKey(r)); err != nil {
		return err
	}
	reg, err := s.registration(r, params)
	if err != nil {
		return err
	}
	if params.Password == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Signup requires a valid password")
	}
	if err := s.passwordError(r.Context(), params.Password); err != nil {
		return err
	}
	return s.paced(r, func() error {
		if reg.hash, err = s.hasher.Hash(r.Context(), params.Password); err != nil {
			return err
		}
		done, err := s.register(r.Context(), reg)
		switch {
		case err != nil:
			return err
		case done.tokens != nil:
			return answerTokens(w, done.tokens)
		}
		return httpx.WriteJSON(w, http.StatusOK, done.user)
	})
}

// registration checks all but the password of a sign-up.
func (s *Server) registration(r *http.Request, params signUpRequest) (registration, error) {
	c, err := s.signUpContact(params)
	if err != nil {
		return registration{}, err
	}
	data, err := object(params.Data)
	return registration{
		contact: c, data: data, audience: s.audience(r), redirect: s.redirects.target(r, ""), channel: params.Channel,
		pkce: params.Challenge, who: s.visitor(r), now: s.now().Truncate(time.Microsecond),
	}, err
}

func (s *Server) signUpContact(params signUpRequest) (users.Contact, error) {
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

var errSignupDisabled = autherr.Unprocessable(autherr.CodeSignupDisabled, "Signups not allowed for this instance")

// object accepts a JSON object or nothing, as a new account's metadata. Its size is
// checked before anybody looks whether there is an account, so that a refusal tells
// nothing.
//
// Errors: 400 bad_json; 422 metadata_too_large.
func object(raw json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`{}`), nil
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, autherr.BadRequest(autherr.CodeBadJSON, "Could not parse request body as JSON: data is no object").WithCause(err)
	}
	return raw, (&users.User{UserMetadata: raw, AppMetadata: json.RawMessage(`{}`)}).CheckMetadata()
}

// signUpAnonymously makes a user without address, number or password.
func (s *Server) signUpAnonymously(w http.ResponseWriter, r *http.Request, data json.RawMessage) error {
	switch {
	case !s.config.Ways.Anonymous:
		return autherr.Unprocessable(autherr.CodeAnonymousDisabled, "Anonymous sign-ins are disabled")
	case s.config.DisableSignup:
		return errSignupDisabled
	}
	if err := s.limits.Spend(r.Context(), s.limits.Anonymous, s.limitKey(r)); err != nil {
		return err
	}
	data, err := object(data)
	if err != nil {
		return err
	}
	reg := registration{data: data, audience: s.audience(r), who: s.visitor(r), now: s.now().Truncate(time.Microsecond)}
	var tokens *session.TokenResponse
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		user, err := s.insertAccount(r.Context(), tx, reg)
		if err == nil {
			tokens, err = s.sessions.SignIn(r.Context(), tx, user.ID, session.Grant{Method: session.MethodAnonymous}, reg.who)
		}
		return err
	})
	if err != nil {
		return savingFailed(err, "Database error creating anonymous user")
	}
	return answerTokens(w, tokens)
}

// registered is what came of a registration. refused is an answer that still
// commits, with its audit entry.
type registered struct {
	user    *users.User
	tokens  *session.TokenResponse
	text    *message.Text
	message string // id of the text that was sent
	refused error
}

// register makes an account and sends its confirmation, or signs it in where
// its kind of contact needs none.
func (s *Server) register(ctx context.Context, reg registration) (registered, error) {
	if !s.autoconfirms(reg.contact.Kind) {
		if err := s.limits.SpendContact(ctx, reg.contact); err != nil {
			return registered{}, err
		}
	}
	var done registered
	run := func(tx *store.Tx) error {
		existing, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
		switch {
		case err != nil:
			return err
		case existing != nil:
			done, err = s.registerAgain(ctx, tx, reg, existing)
		case s.autoconfirms(reg.contact.Kind):
			done, err = s.registerConfirmed(ctx, tx, reg)
		default:
			done, err = s.registerNew(ctx, tx, reg)
		}
		return err
	}
	err := s.store.InTx(ctx, run)
	if store.ViolatesUnique(err) {
		err = s.store.InTx(ctx, run) // somebody took the address meanwhile: now it is found
	}
	if err == nil {
		err = done.refused
	}
	if err != nil {
		return registered{}, savingFailed(err, "Database error saving new user")
	}
	done.message, err = s.messages.SendText(ctx, done.text)
	return done, err
}

// savingFailed words an error of the database that no code of ours stands for,
// such as one that a trigger of the project raised.
func savingFailed(err error, words string) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && apierr.As(err) == nil && !unstorable(err) {
		return autherr.Internal("%s", words).WithCause(err)
	}
	return err
}

// registerNew makes an account that waits for its confirmation.
func (s *Server) registerNew(ctx context.Context, tx *store.Tx, reg registration) (registered, error) {
	user, err := s.insertAccount(ctx, tx, reg)
	if err != nil {
		return registered{}, err
	}
	done := registered{user: user}
	if done.text, err = s.confirmLater(ctx, tx, reg, user); err != nil {
		return registered{}, err
	}
	user.ConfirmationSentAt, user.UpdatedAt = &reg.now, reg.now.UTC()
	user.Normalize()
	return done, nil
}

// confirmLater sends what an account is confirmed by.
func (s *Server) confirmLater(ctx context.Context, tx *store.Tx, reg registration, user *users.User) (*message.Text, error) {
	if reg.contact.Kind == users.ByEmail {
		return nil, s.messages.RequestConfirmation(ctx, tx, user, reg.request())
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, reg.who, user, audit.ConfirmationRequested, audit.Provider(users.ByPhone))
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	return s.messages.RequestPhoneConfirmation(ctx, tx, user, reg.request())
}

// registerConfirmed makes an account and signs it in.
func (s *Server) registerConfirmed(ctx context.Context, tx *store.Tx, reg registration) (registered, error) {
	user, err := s.insertAccount(ctx, tx, reg)
	if err != nil {
		return registered{}, err
	}
	batch := &pgx.Batch{}
	s.confirm(batch, user, reg.contact.Kind, reg.who)
	s.trail.Add(batch, reg.who, user, audit.Login, audit.Provider(reg.contact.Kind))
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return registered{}, err
	}
	tokens, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodPassword}, reg.who)
	return registered{tokens: tokens}, err
}

// registerAgain is a sign-up with an address that has an account. Whoever asks
// has not shown that the address is theirs, so nothing of the account is
// changed or shown. One that waits for its confirmation is sent it once more.
func (s *Server) registerAgain(ctx context.Context, tx *store.Tx, reg registration, existing *users.User) (registered, error) {
	var done registered
	auto := s.autoconfirms(reg.contact.Kind)
	if existing.Confirmed(reg.contact.Kind) || auto {
		batch := &pgx.Batch{}
		s.trail.Add(batch, reg.who, existing, audit.RepeatedSignUp, audit.Provider(reg.contact.Kind))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return registered{}, err
		}
		if auto {
			return registered{refused: autherr.Unprocessable(autherr.CodeUserExists, "User already registered")}, nil
		}
		err := s.messages.TooSoonForNobody(ctx, tx, reg.contact, confirmationOf(reg.contact.Value), reg.now)
		switch {
		case apierr.As(err) != nil:
			return registered{refused: err}, nil
		case err != nil:
			return registered{}, err
		}
	} else {
		var err error
		if done.text, err = s.confirmLater(ctx, tx, reg, existing); err != nil {
			return registered{}, err
		}
	}
	var err error
	done.user, err = lookAlike(ctx, tx, reg)
	return done, err
}

// confirmationOf and recoveryOf name what was asked for an address.
func confirmationOf(address string) string { return "confirmation:" + address }
func recoveryOf(email string) string       { return "recovery:" + email }

// lookAlike invents the user that a first sign-up would have made. The data
// passes through PostgreSQL, which orders its keys, as that of a real one does.
func lookAlike(ctx context.Context, tx *store.Tx, reg registration) (*users.User, error) {
	now := reg.now.UTC()
	id := store.NewID()
	u := &users.User{
		ID: id, Aud: reg.audience, Role: "authenticated", ConfirmationSentAt: &now,
		AppMetadata: appMetadata(reg.contact.Kind), CreatedAt: now, UpdatedAt: now,
	}
	identity := users.Identity{
		IdentityID: store.NewID(), ID: id, UserID: id, Provider: reg.contact.Kind,
		LastSignInAt: &now, CreatedAt: &now, UpdatedAt: &now,
	}
	if reg.contact.Kind == users.ByEmail {
		u.Email, identity.Email = reg.contact.Value, reg.contact.Value
	} else {
		u.Phone = reg.contact.Value
	}
	err := tx.QueryRow(ctx, "select $1::jsonb, "+identityData, reg.data, id, reg.contact.Email(), reg.contact.Phone()).
		Scan(&u.UserMetadata, &identity.Data)
	u.Identities = []users.Identity{identity}
	return u, err
}

// appMetadata is what an account says of how it was made.
func appMetadata(kind string) json.RawMessage {
	if kind == "" {
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(`{"provider":"` + kind + `","providers":["` + kind + `"]}`)
}

// insertAccount writes the rows of a new account. The project's hooks see it
// before and after.
func (s *Server) insertAccount(ctx context.Context, tx *store.Tx, reg registration) (*users.User, error) {
	id, c := store.NewID(), reg.contact
	if err := s.hooks.BeforeUserCreated(ctx, tx, reg.preview(id, s.config.JWT.Role), reg.who); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	batch.Queue(insertUser, id, reg.audience, s.config.JWT.Role, c.Email(), c.Phone(), reg.hash, appMetadata(c.Kind), reg.data, reg.now, c.Kind == "")
	if c.Kind != "" {
		batch.Queue(insertIdentity, reg.data, id, c.Email(), c.Phone(), c.Kind, reg.now)
	}
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	// Triggers may have changed what was inserted.
	user, err := users.Load(ctx, tx, id)
	if err == nil {
		err = user.CheckMetadata()
	}
	if err != nil {
		return nil, err
	}
	return user, s.hooks.AfterUserCreated(ctx, tx, user, reg.who)
}

// preview is the account that is about to be made.
func (reg registration) preview(id, role string) *users.User {
	u := &users.User{
		ID: id, Aud: reg.audience, Role: role, AppMetadata: appMetadata(reg.contact.Kind), UserMetadata: reg.data,
		Identities: []users.Identity{}, CreatedAt: reg.now.UTC(), UpdatedAt: reg.now.UTC(), IsAnonymous: reg.contact.Kind == "",
	}
	switch reg.contact.Kind {
	case users.ByEmail:
		u.Email = reg.contact.Value
	case users.ByPhone:
		u.Phone = reg.contact.Value
	}
	return u
}

func (reg registration) request() message.Request {
	return message.Request{Redirect: reg.redirect, Channel: reg.channel, PKCE: reg.pkce, Who: reg.who, Now: reg.now}
}
