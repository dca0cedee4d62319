package message

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/mailer"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// RequestConfirmation mails the link that confirms a new account.
//
// Errors: 429 over_email_send_rate_limit if the last such mail was sent too recently; those of
// QueueMail.
func (s *Sender) RequestConfirmation(ctx context.Context, tx *store.Tx, user *users.User, req Request) error {
	if err := s.checkMailInterval(user.ConfirmationSentAt, req.Now); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.Info, user, audit.ConfirmationRequested, audit.Provider(users.ByEmail))
	req.PKCE.Begin(batch, user.ID, "email", session.MethodSignup, req.Now)
	fresh := s.IssueToken(batch, user.ID, TokenConfirmation, user.Email, req.PKCE.IsSet(), req.Now)
	batch.Queue(NoteConfirmation, user.ID, fresh.Stored, req.Now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	return s.QueueMail(ctx, tx, s.NewMail(mailer.Confirmation, "signup", user.Email, user, fresh, req.Redirect), user, req.Info)
}

// RequestRecovery mails a link that signs in without a password: to set a new password
// (recovery), or only to sign in (magiclink).
//
// Errors: those of RequestConfirmation.
func (s *Sender) RequestRecovery(ctx context.Context, tx *store.Tx, kind mailer.Kind, verifies string, user *users.User, req Request) error {
	if err := s.checkMailInterval(user.RecoverySentAt, req.Now); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.Info, user, audit.RecoveryRequested, nil)
	req.PKCE.Begin(batch, user.ID, verifies, verifies, req.Now)
	fresh := s.IssueToken(batch, user.ID, TokenRecovery, user.Email, req.PKCE.IsSet(), req.Now)
	batch.Queue(NoteRecovery, user.ID, fresh.Stored, req.Now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	return s.QueueMail(ctx, tx, s.NewMail(kind, verifies, user.Email, user, fresh, req.Redirect), user, req.Info)
}

// RequestChange mails the links that confirm a new address: one to the new address and, with
// secure email change, one to the old address.
//
// Errors: those of RequestConfirmation.
func (s *Sender) RequestChange(ctx context.Context, tx *store.Tx, user *users.User, address string, req Request) error {
	if err := s.checkMailInterval(user.EmailChangeSentAt, req.Now); err != nil {
		return err
	}
	user.NewEmail = address
	batch := &pgx.Batch{}
	req.PKCE.Begin(batch, user.ID, session.MethodEmailChange, session.MethodEmailChange, req.Now)
	fresh := s.IssueToken(batch, user.ID, TokenChangeNew, address, req.PKCE.IsSet(), req.Now)
	mails := []mailer.Mail{s.NewMail(mailer.EmailChange, "email_change", address, user, fresh, req.Redirect)}
	old := Issued{}
	if s.config.Mailer.SecureEmailChange && user.Email != "" {
		old = s.IssueToken(batch, user.ID, TokenChangeOld, user.Email, req.PKCE.IsSet(), req.Now)
		mails = append(mails, s.NewMail(mailer.EmailChange, "email_change", user.Email, user, old, req.Redirect))
	} else {
		batch.Queue(ClearToken, user.ID, TokenChangeOld)
	}
	batch.Queue(noteChange, user.ID, address, fresh.Stored, old.Stored, req.Now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	for _, mail := range mails {
		if err := s.QueueMail(ctx, tx, mail, user, req.Info); err != nil {
			return err
		}
	}
	return nil
}

// Notify mails a notice about a change to the user if wanted is true and there is an address.
// An empty to means the account's own address.
func (s *Sender) Notify(ctx context.Context, tx *store.Tx, wanted bool, kind mailer.Kind, user *users.User, to string, data mailer.Data, info users.RequestInfo) error {
	if to == "" {
		to = user.Email
	}
	if !wanted || to == "" {
		return nil
	}
	data.Email, data.SendingTo, data.Data, data.SiteURL = user.Email, to, user.UserMetadata, s.siteURL
	return s.QueueMail(ctx, tx, mailer.Mail{Kind: kind, To: to, Data: data}, user, info)
}

// LoadTemplates loads the project's mail templates.
func (s *Sender) LoadTemplates(ctx context.Context) { s.mails.Load(ctx, s.now()) }

// ReloadTemplates reloads stale mail templates until ctx ends.
func (s *Sender) ReloadTemplates(ctx context.Context) { s.mails.ReloadPeriodically(ctx, s.now) }

// NewMail returns a mail with a token. verifies is the type that its link passes to /verify.
func (s *Sender) NewMail(kind mailer.Kind, verifies, to string, user *users.User, fresh Issued, redirect string) mailer.Mail {
	// The parameters are in upstream's order, which templates and tests of projects may rely on.
	link := s.externalURL + "/verify?token=" + url.QueryEscape(fresh.Link) + "&type=" + url.QueryEscape(verifies) + "&redirect_to=" + url.QueryEscape(redirect)
	return mailer.Mail{
		Kind: kind, To: to,
		Data: mailer.Data{
			ConfirmationURL: link, Token: fresh.Code, TokenHash: fresh.Link,
			Email: user.Email, NewEmail: user.NewEmail, SendingTo: to, RedirectTo: redirect, Data: user.UserMetadata, Action: verifies,
			SiteURL: s.siteURL,
		},
	}
}

// RequestNonce sends a code for reauthentication.
func (s *Sender) RequestNonce(ctx context.Context, tx *store.Tx, user *users.User, c users.Contact, req Request) (*PhoneMessage, error) {
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.Info, user, audit.ReauthRequested, nil)
	if c.Kind == users.ByPhone {
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return nil, err
		}
		return s.requestCode(ctx, tx, user, c.Value, user.ReauthenticationSentAt,
			PhoneMessage{kind: TokenReauth, unsent: unsentReauth, req: req},
			func(batch *pgx.Batch, stored string) { batch.Queue(noteReauth, user.ID, stored, req.Now) })
	}
	if err := s.checkMailInterval(user.ReauthenticationSentAt, req.Now); err != nil {
		return nil, err
	}
	fresh := s.IssueToken(batch, user.ID, TokenReauth, c.Value, false, req.Now)
	batch.Queue(noteReauth, user.ID, fresh.Stored, req.Now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	fresh.Link = "" // the code is typed; the mail has no link
	return nil, s.QueueMail(ctx, tx, s.NewMail(mailer.Reauthentication, "reauthentication", c.Value, user, fresh, req.Redirect), user, req.Info)
}

const noteChange = `update auth.users set email_change = $2, email_change_token_new = $3, email_change_token_current = $4,
		email_change_sent_at = $5, email_change_confirm_status = 0, updated_at = $5 where id = $1`

const noteReauth = `update auth.users set reauthentication_token = $2, reauthentication_sent_at = $3, updated_at = $3 where id = $1`
