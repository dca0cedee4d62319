package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// invite answers POST /invite: an account that waits for its owner, who is told
// of it by mail.
func (s *Server) invite(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Email string          `json:"email"`
		Data  json.RawMessage `json:"data"`
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	reg, err := s.invitation(r, params.Email, params.Data, s.redirects.target(r, ""))
	if err != nil {
		return err
	}
	if err := s.limits.SpendMail(r.Context(), reg.contact.Value); err != nil {
		return err
	}
	var user *users.User
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		made, err := s.linkFor(r.Context(), tx, "invite", reg, "", s.actor(r))
		if err != nil {
			return err
		}
		user = made.user
		return s.messages.QueueMail(r.Context(), tx, s.messages.Mail(mailer.Invite, "invite", user.Email, user, made.token, reg.redirect), user, reg.who)
	})
	if err != nil {
		return savingFailed(err, "Database error saving new user")
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

func (s *Server) invitation(r *http.Request, address string, data json.RawMessage, redirect string) (registration, error) {
	email, err := users.ParseEmail(address)
	if err != nil {
		return registration{}, err
	}
	data, err = object(data)
	req := s.mailRequest(r, pkce.Challenge{})
	return registration{
		contact: users.Contact{Kind: users.ByEmail, Value: email}, data: data, audience: s.audience(r), redirect: redirect, who: req.Who, now: req.Now,
	}, err
}

// Types of links that only admins ask for.
const (
	linkChangeOld = "email_change_current"
	linkChangeNew = "email_change_new"
)

var linkTypes = []string{"signup", "invite", "magiclink", "recovery", linkChangeOld, linkChangeNew}

// generatedLink is the answer of POST /admin/generate_link: the user with what a
// mail would have carried.
type generatedLink struct {
	*users.User
	ActionLink       string `json:"action_link"`
	EmailOTP         string `json:"email_otp"`
	HashedToken      string `json:"hashed_token"`
	VerificationType string `json:"verification_type"`
	RedirectTo       string `json:"redirect_to"`
}

// generateLink answers POST /admin/generate_link. No mail is sent.
func (s *Server) generateLink(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Type       string          `json:"type"`
		Email      string          `json:"email"`
		NewEmail   string          `json:"new_email"`
		Password   string          `json:"password"`
		Data       json.RawMessage `json:"data"`
		RedirectTo string          `json:"redirect_to"`
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	if !slices.Contains(linkTypes, params.Type) {
		return autherr.BadRequest(autherr.CodeValidation, "Invalid email action link type requested: %v", params.Type)
	}
	redirect := s.redirects.target(r, params.RedirectTo)
	reg, err := s.invitation(r, params.Email, params.Data, redirect)
	if err != nil {
		return err
	}
	changes := params.Type == linkChangeOld || params.Type == linkChangeNew
	if changes {
		if params.NewEmail, err = users.ParseEmail(params.NewEmail); err != nil {
			return err
		}
		if params.Type == linkChangeOld && !s.config.Mailer.SecureEmailChange {
			return autherr.BadRequest(autherr.CodeValidation, "Enable secure email change to generate link for current email")
		}
	}
	known, err := users.Find(r.Context(), s.store, reg.contact, reg.audience)
	if err != nil {
		return err
	}
	if params.Type == "magiclink" && known == nil {
		params.Type = "signup"
		params.Password = token.Link()
	}
	if params.Type == "signup" && known == nil {
		if reg.hash, err = s.hashNew(r.Context(), params.Password); err != nil {
			return err
		}
	}
	var made madeLink
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		made, err = s.linkFor(r.Context(), tx, params.Type, reg, params.NewEmail, s.actor(r))
		return err
	})
	if err != nil {
		return savingFailed(err, "Database error saving new user")
	}
	verifies := params.Type
	if changes {
		verifies = session.MethodEmailChange
	}
	mail := s.messages.Mail(mailer.Confirmation, verifies, reg.contact.Value, made.user, made.token, redirect)
	return httpx.WriteJSON(w, http.StatusOK, generatedLink{
		User: made.user, ActionLink: mail.Data.ConfirmationURL, EmailOTP: made.token.Code, HashedToken: made.token.Link,
		VerificationType: params.Type, RedirectTo: redirect,
	})
}

// hashNew checks and hashes the password of an account to be made.
func (s *Server) hashNew(ctx context.Context, candidate string) (string, error) {
	if candidate == "" {
		return "", autherr.BadRequest(autherr.CodeValidation, "Signup requires a valid password")
	}
	if err := s.passwordError(ctx, candidate); err != nil {
		return "", err
	}
	return s.hasher.Hash(ctx, candidate)
}

// madeLink is an account and the token that opens it.
type madeLink struct {
	user  *users.User
	token message.Issued
}

// linkFor makes a token of a type for the account of an address, and the account
// where the type makes one.
func (s *Server) linkFor(ctx context.Context, tx *store.Tx, kind string, reg registration, newEmail string, actor *users.User) (madeLink, error) {
	user, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
	makes := kind == "signup" || kind == "invite"
	switch {
	case err != nil:
		return madeLink{}, err
	case user == nil && !makes:
		return madeLink{}, autherr.NotFound(autherr.CodeUserNotFound, "User with this email not found")
	case user != nil && makes && user.Confirmed(users.ByEmail):
		return madeLink{}, errEmailExists
	case user == nil:
		if user, err = s.insertAccount(ctx, tx, reg); err != nil {
			return madeLink{}, err
		}
	}
	if newEmail != "" {
		taken, err := users.FindLocked(ctx, tx, users.Contact{Kind: users.ByEmail, Value: newEmail}, user.Aud)
		if err == nil && taken != nil {
			err = errEmailExists
		}
		if err != nil {
			return madeLink{}, err
		}
	}
	batch := &pgx.Batch{}
	made := madeLink{token: s.queueLink(batch, kind, user, newEmail, reg, actor)}
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return madeLink{}, err
	}
	made.user, err = users.Load(ctx, tx, user.ID)
	return made, err
}

// queueLink makes the token of a link.
func (s *Server) queueLink(batch *pgx.Batch, kind string, user *users.User, newEmail string, reg registration, actor *users.User) message.Issued {
	var fresh message.Issued
	switch kind {
	case "signup":
		fresh = s.messages.IssueToken(batch, user.ID, message.TokenConfirmation, user.Email, false, reg.now)
		batch.Queue(message.NoteConfirmation, user.ID, fresh.Stored, reg.now)
	case "invite":
		s.trail.Add(batch, reg.who, actor, audit.Invited, map[string]any{"user_id": user.ID, "user_email": user.Email})
		fresh = s.messages.IssueToken(batch, user.ID, message.TokenConfirmation, user.Email, false, reg.now)
		batch.Queue(noteInvite, user.ID, reg.now, fresh.Stored)
	case linkChangeOld:
		fresh = s.messages.IssueToken(batch, user.ID, message.TokenChangeOld, user.Email, false, reg.now)
		batch.Queue(noteChangeOld, user.ID, newEmail, fresh.Stored, reg.now)
	case linkChangeNew:
		fresh = s.messages.IssueToken(batch, user.ID, message.TokenChangeNew, newEmail, false, reg.now)
		batch.Queue(noteChangeNew, user.ID, newEmail, fresh.Stored, reg.now)
	default:
		s.trail.Add(batch, reg.who, user, audit.RecoveryRequested, nil)
		fresh = s.messages.IssueToken(batch, user.ID, message.TokenRecovery, user.Email, false, reg.now)
		batch.Queue(message.NoteRecovery, user.ID, fresh.Stored, reg.now)
	}
	return fresh
}
