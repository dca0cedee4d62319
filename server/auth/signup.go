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
	"plaza/server/auth/mailer"
	"plaza/server/httpx"
)

// registration is a checked request to sign up.
type registration struct {
	email    string
	hash     string // of the password
	data     json.RawMessage
	audience string
	redirect string
	pkce     challenge
	who      visitor
	now      time.Time
}

// signUp answers POST /signup. Somebody who already has the address learns
// nothing: repeats get an invented user that looks like a new one.
func (s *Server) signUp(w http.ResponseWriter, r *http.Request) error {
	if s.config.DisableSignup {
		return errSignupDisabled
	}
	var params struct {
		Email    string          `json:"email"`
		Phone    string          `json:"phone"`
		Password string          `json:"password"`
		Data     json.RawMessage `json:"data"`
		challenge
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	switch {
	case params.Email == "" && params.Phone == "":
		return unprocessable(codeAnonymousDisabled, "Anonymous sign-ins are disabled")
	case params.Password == "":
		return badRequest(codeValidation, "Signup requires a valid password")
	}
	if err := s.passwordError(params.Password); err != nil {
		return err
	}
	switch {
	case params.Email != "" && params.Phone != "":
		return badRequest(codeValidation, "Only an email address or phone number should be provided on signup.")
	case params.Phone != "":
		return badRequest(codePhoneDisabled, "Phone signups are disabled")
	}
	if err := params.challenge.check(); err != nil {
		return err
	}
	email, err := parseEmail(params.Email)
	if err != nil {
		return err
	}
	data, err := object(params.Data)
	if err != nil {
		return err
	}
	return s.paced(r, func() error {
		hash, err := s.hasher.Hash(r.Context(), params.Password)
		if err != nil {
			return err
		}
		done, err := s.register(r.Context(), registration{
			email: email, hash: hash, data: data, audience: s.audience(r), redirect: s.redirects.target(r, ""),
			pkce: params.challenge, who: s.visitor(r), now: s.now().Truncate(time.Microsecond),
		})
		switch {
		case err != nil:
			return err
		case done.tokens != nil:
			return answerTokens(w, done.tokens)
		}
		return httpx.WriteJSON(w, http.StatusOK, done.user)
	})
}

var errSignupDisabled = unprocessable(codeSignupDisabled, "Signups not allowed for this instance")

// object accepts a JSON object or nothing.
func object(raw json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`{}`), nil
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, badRequest(codeBadJSON, "Could not parse request body as JSON: data is no object").WithCause(err)
	}
	return raw, nil
}

// registered is what came of a registration. refused is an answer that still
// commits, with its audit entry.
type registered struct {
	user    *User
	tokens  *TokenResponse
	mails   []mailer.Mail
	refused error
}

// register makes an account and mails its confirmation, or signs it in where
// addresses need none.
func (s *Server) register(ctx context.Context, reg registration) (registered, error) {
	var done registered
	run := func(tx pgx.Tx) error {
		existing, err := findInTx(ctx, tx, reg.email, reg.audience)
		switch {
		case err != nil:
			return err
		case existing != nil:
			done, err = s.registerAgain(ctx, tx, reg, existing)
		case s.config.Mailer.Autoconfirm:
			done, err = s.registerConfirmed(ctx, tx, reg)
		default:
			done, err = s.registerNew(ctx, tx, reg)
		}
		return err
	}
	err := s.work(ctx, run)
	if violatesUnique(err) {
		err = s.work(ctx, run) // somebody took the address meanwhile: now it is found
	}
	if err == nil {
		err = done.refused
	}
	var raised *pgconn.PgError
	if errors.As(err, &raised) && apierr.As(err) == nil {
		return registered{}, internal("Database error saving new user").WithCause(err)
	}
	if err != nil {
		return registered{}, err
	}
	return done, s.post(ctx, done.mails...)
}

// registerNew makes an account that waits for its confirmation.
func (s *Server) registerNew(ctx context.Context, tx pgx.Tx, reg registration) (registered, error) {
	user, err := s.insertAccount(ctx, tx, reg)
	if err != nil {
		return registered{}, err
	}
	mail, err := s.requestConfirmation(ctx, tx, user, reg.request())
	if err != nil {
		return registered{}, err
	}
	user.ConfirmationSentAt, user.UpdatedAt = &reg.now, reg.now.UTC()
	user.utc()
	return registered{user: user, mails: []mailer.Mail{mail}}, nil
}

// registerConfirmed makes an account and signs it in.
func (s *Server) registerConfirmed(ctx context.Context, tx pgx.Tx, reg registration) (registered, error) {
	user, err := s.insertAccount(ctx, tx, reg)
	if err != nil {
		return registered{}, err
	}
	batch := &pgx.Batch{}
	s.audit(batch, reg.who, user, actionSignedUp, byEmail)
	batch.Queue(confirmUser, user.ID, reg.now)
	s.audit(batch, reg.who, user, actionLogin, byEmail)
	if err := execAll(ctx, tx, batch); err != nil {
		return registered{}, err
	}
	tokens, err := s.signIn(ctx, tx, user.ID, methodPassword, reg.who)
	return registered{tokens: tokens}, err
}

// registerAgain is a sign-up with an address that has an account. Whoever asks
// has not shown that the address is theirs, so nothing of the account is
// changed or shown. One that waits for its confirmation is mailed once more.
func (s *Server) registerAgain(ctx context.Context, tx pgx.Tx, reg registration, existing *User) (registered, error) {
	var done registered
	if existing.confirmed() || s.config.Mailer.Autoconfirm {
		batch := &pgx.Batch{}
		s.audit(batch, reg.who, existing, actionRepeatedSignUp, byEmail)
		if err := execAll(ctx, tx, batch); err != nil {
			return registered{}, err
		}
		if s.config.Mailer.Autoconfirm {
			return registered{refused: unprocessable(codeUserExists, "User already registered")}, nil
		}
		if left := s.recent.wait(confirmationOf(reg.email), reg.now, s.config.SMTP.MaxFrequency); left > 0 {
			return registered{refused: waitError(left)}, nil
		}
	} else {
		mail, err := s.requestConfirmation(ctx, tx, existing, reg.request())
		if err != nil {
			return registered{}, err
		}
		done.mails = []mailer.Mail{mail}
	}
	var err error
	done.user, err = lookAlike(ctx, tx, reg)
	return done, err
}

// confirmationOf and recoveryOf name what was asked for an address.
func confirmationOf(email string) string { return "confirmation:" + email }
func recoveryOf(email string) string     { return "recovery:" + email }

// lookAlike invents the user that a first sign-up would have made. The data
// passes through PostgreSQL, which orders its keys, as that of a real one does.
func lookAlike(ctx context.Context, tx pgx.Tx, reg registration) (*User, error) {
	now := reg.now.UTC()
	id := newID()
	u := &User{
		ID: id, Aud: reg.audience, Role: "authenticated", Email: reg.email, ConfirmationSentAt: &now,
		AppMetadata: json.RawMessage(`{"provider":"email","providers":["email"]}`), CreatedAt: now, UpdatedAt: now,
	}
	identity := Identity{
		IdentityID: newID(), ID: id, UserID: id, Provider: "email", Email: reg.email,
		LastSignInAt: &now, CreatedAt: &now, UpdatedAt: &now,
	}
	err := tx.QueryRow(ctx, "select $1::jsonb, "+identityData, reg.data, id, reg.email).Scan(&u.UserMetadata, &identity.Data)
	u.Identities = []Identity{identity}
	return u, err
}

func findInTx(ctx context.Context, tx pgx.Tx, email, audience string) (*User, error) {
	u := &User{}
	err := tx.QueryRow(ctx, userByEmail, email, audience).Scan(u.fields()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.utc()
	return u, nil
}

// insertAccount writes the rows of a new account.
func (s *Server) insertAccount(ctx context.Context, tx pgx.Tx, reg registration) (*User, error) {
	id := newID()
	batch := &pgx.Batch{}
	batch.Queue(insertUser, id, reg.audience, reg.email, reg.hash, reg.data, reg.now)
	batch.Queue(insertIdentity, reg.data, id, reg.email, reg.now)
	if err := execAll(ctx, tx, batch); err != nil {
		return nil, err
	}
	// Triggers may have changed what was inserted.
	return loadUser(ctx, tx, userByID, id)
}
