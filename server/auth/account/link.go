package account

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Invitation is the body of POST /invite.
type Invitation struct {
	Email string          `json:"email"`
	Data  json.RawMessage `json:"data"`
}

// Invite creates an unconfirmed account and mails its user an invitation.
//
// Errors: 400 validation_failed, bad_json; 422 email_exists, metadata_too_large; those of
// limit.Limiter.SpendMail.
func (s *Admin) Invite(ctx context.Context, params Invitation, r Request, actor *users.User) (*users.User, error) {
	reg, err := s.invitation(params.Email, params.Data, r)
	if err != nil {
		return nil, err
	}
	if err := s.limits.SpendMail(ctx, reg.contact.Value); err != nil {
		return nil, err
	}
	var user *users.User
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		made, err := s.issueLink(ctx, tx, "invite", reg, "", actor)
		if err != nil {
			return err
		}
		user = made.user
		return s.messages.QueueMail(ctx, tx, s.messages.NewMail(mailer.Invite, "invite", user.Email, user, made.token, reg.redirect), user, reg.who)
	})
	return user, wrapSaveError(err, "Database error saving new user")
}

func (s *Admin) invitation(address string, data json.RawMessage, r Request) (registration, error) {
	email, err := users.ParseEmail(address)
	if err != nil {
		return registration{}, err
	}
	data, err = metadata(data)
	return registration{
		contact: users.Contact{Kind: users.ByEmail, Value: email}, data: data, audience: r.Audience, redirect: r.Redirect, who: r.Info,
		now: s.now().Truncate(time.Microsecond),
	}, err
}

// Types of links that only admins may request.
const (
	linkChangeOld = "email_change_current"
	linkChangeNew = "email_change_new"
)

var linkTypes = []string{"signup", "invite", "magiclink", "recovery", linkChangeOld, linkChangeNew}

// LinkRequest is the body of POST /admin/generate_link.
type LinkRequest struct {
	Type       string          `json:"type"`
	Email      string          `json:"email"`
	NewEmail   string          `json:"new_email"`
	Password   string          `json:"password"`
	Data       json.RawMessage `json:"data"`
	RedirectTo string          `json:"redirect_to"`
}

// Link is the response to a LinkRequest: the user and the contents of the mail that would
// have been sent.
type Link struct {
	*users.User
	ActionLink       string `json:"action_link"`
	EmailOTP         string `json:"email_otp"`
	HashedToken      string `json:"hashed_token"`
	VerificationType string `json:"verification_type"`
	RedirectTo       string `json:"redirect_to"`
}

// GenerateLink returns the link of a mail without sending the mail.
//
// Errors: 400 validation_failed, bad_json; 404 user_not_found; 422 email_exists, weak_password,
// metadata_too_large.
func (s *Admin) GenerateLink(ctx context.Context, params LinkRequest, r Request, actor *users.User) (*Link, error) {
	if !slices.Contains(linkTypes, params.Type) {
		return nil, autherr.BadRequest(autherr.CodeValidation, "Invalid email action link type requested: %v", params.Type)
	}
	reg, err := s.invitation(params.Email, params.Data, r)
	if err != nil {
		return nil, err
	}
	changes := params.Type == linkChangeOld || params.Type == linkChangeNew
	if changes {
		if params.NewEmail, err = users.ParseEmail(params.NewEmail); err != nil {
			return nil, err
		}
		if params.Type == linkChangeOld && !s.config.Mailer.SecureEmailChange {
			return nil, autherr.BadRequest(autherr.CodeValidation, "Enable secure email change to generate link for current email")
		}
	}
	known, err := users.Find(ctx, s.db, reg.contact, reg.audience)
	if err != nil {
		return nil, err
	}
	if params.Type == "magiclink" && known == nil {
		params.Type = "signup"
		params.Password = token.Link()
	}
	if params.Type == "signup" && known == nil {
		if reg.hash, err = s.hashNewPassword(ctx, params.Password); err != nil {
			return nil, err
		}
	}
	var made issuedLink
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		made, err = s.issueLink(ctx, tx, params.Type, reg, params.NewEmail, actor)
		return err
	})
	if err != nil {
		return nil, wrapSaveError(err, "Database error saving new user")
	}
	verifies := params.Type
	if changes {
		verifies = session.MethodEmailChange
	}
	mail := s.messages.NewMail(mailer.Confirmation, verifies, reg.contact.Value, made.user, made.token, reg.redirect)
	return &Link{
		User: made.user, ActionLink: mail.Data.ConfirmationURL, EmailOTP: made.token.Code, HashedToken: made.token.Link,
		VerificationType: params.Type, RedirectTo: reg.redirect,
	}, nil
}

// IssueSignInToken returns a one-time token that signs in the account of an address, if it
// is verified with the type "magiclink". It sends nothing.
//
// Errors: 400 validation_failed for an invalid address; 404 user_not_found.
func (s *Admin) IssueSignInToken(ctx context.Context, email string) (string, error) {
	reg, err := s.invitation(email, nil, Request{Audience: s.config.JWT.Aud})
	if err != nil {
		return "", err
	}
	var made issuedLink
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		made, err = s.issueLink(ctx, tx, "magiclink", reg, "", nil)
		return err
	})
	return made.token.Link, err
}

// issuedLink is an account and the token of its link.
type issuedLink struct {
	user  *users.User
	token message.Issued
}

// issueLink issues a link token for the account of an address. The types signup and invite
// create the account if it does not exist.
func (s *Admin) issueLink(ctx context.Context, tx *store.Tx, kind string, reg registration, newEmail string, actor *users.User) (issuedLink, error) {
	user, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
	creates := kind == "signup" || kind == "invite"
	switch {
	case err != nil:
		return issuedLink{}, err
	case user == nil && !creates:
		return issuedLink{}, autherr.NotFound(autherr.CodeUserNotFound, "User with this email not found")
	case user != nil && creates && user.Confirmed(users.ByEmail):
		return issuedLink{}, errEmailExists
	case user == nil:
		if user, err = s.insert(ctx, tx, reg); err != nil {
			return issuedLink{}, err
		}
	}
	if newEmail != "" {
		other, err := users.FindLocked(ctx, tx, users.Contact{Kind: users.ByEmail, Value: newEmail}, user.Aud)
		if err == nil && other != nil {
			err = errEmailExists
		}
		if err != nil {
			return issuedLink{}, err
		}
	}
	batch := &pgx.Batch{}
	made := issuedLink{token: s.queueToken(batch, kind, user, newEmail, reg, actor)}
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return issuedLink{}, err
	}
	made.user, err = users.Load(ctx, tx, user.ID)
	return made, err
}

// queueToken issues the token of a link and queues the statements that store it.
func (s *Admin) queueToken(batch *pgx.Batch, kind string, user *users.User, newEmail string, reg registration, actor *users.User) message.Issued {
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
