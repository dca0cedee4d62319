package auth

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/mailer"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// mailRequest is a checked wish for a mail or message to an account.
type mailRequest struct {
	redirect string
	channel  string // of a message to a phone
	pkce     pkce.Challenge
	who      users.Visitor
	now      time.Time
}

// requestConfirmation mails the link by which a new account is confirmed.
func (s *messages) requestConfirmation(ctx context.Context, tx *store.Tx, user *users.User, req mailRequest) error {
	if err := s.tooSoon(user.ConfirmationSentAt, req.now); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.who, user, audit.ConfirmationRequested, audit.Provider(users.ByEmail))
	req.pkce.Begin(batch, user.ID, "email", session.MethodSignup, req.now)
	fresh := s.issueToken(batch, user.ID, tokenConfirmation, user.Email, req.pkce.IsSet(), req.now)
	batch.Queue(noteConfirmation, user.ID, fresh.stored, req.now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	return s.queueMail(ctx, tx, s.mail(mailer.Confirmation, "signup", user.Email, user, fresh, req.redirect), user, req.who)
}

// requestRecovery mails the link by which somebody gets in without a password:
// to set a new one (recovery), or just so (magiclink).
func (s *messages) requestRecovery(ctx context.Context, tx *store.Tx, kind mailer.Kind, verifies string, user *users.User, req mailRequest) error {
	if err := s.tooSoon(user.RecoverySentAt, req.now); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.who, user, audit.RecoveryRequested, nil)
	req.pkce.Begin(batch, user.ID, verifies, verifies, req.now)
	fresh := s.issueToken(batch, user.ID, tokenRecovery, user.Email, req.pkce.IsSet(), req.now)
	batch.Queue(noteRecovery, user.ID, fresh.stored, req.now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	return s.queueMail(ctx, tx, s.mail(kind, verifies, user.Email, user, fresh, req.redirect), user, req.who)
}

// requestChange mails the links by which a new address is confirmed: one to it
// and, with secure e-mail change, one to the old address.
func (s *messages) requestChange(ctx context.Context, tx *store.Tx, user *users.User, address string, req mailRequest) error {
	if err := s.tooSoon(user.EmailChangeSentAt, req.now); err != nil {
		return err
	}
	user.NewEmail = address
	batch := &pgx.Batch{}
	req.pkce.Begin(batch, user.ID, session.MethodEmailChange, session.MethodEmailChange, req.now)
	fresh := s.issueToken(batch, user.ID, tokenChangeNew, address, req.pkce.IsSet(), req.now)
	mails := []mailer.Mail{s.mail(mailer.EmailChange, "email_change", address, user, fresh, req.redirect)}
	old := issued{}
	if s.config.Mailer.SecureEmailChange && user.Email != "" {
		old = s.issueToken(batch, user.ID, tokenChangeOld, user.Email, req.pkce.IsSet(), req.now)
		mails = append(mails, s.mail(mailer.EmailChange, "email_change", user.Email, user, old, req.redirect))
	} else {
		batch.Queue(clearToken, user.ID, tokenChangeOld)
	}
	batch.Queue(noteChange, user.ID, address, fresh.stored, old.stored, req.now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	for _, mail := range mails {
		if err := s.queueMail(ctx, tx, mail, user, req.who); err != nil {
			return err
		}
	}
	return nil
}

// notify tells the account's holder by mail of a change, if wanted and there is
// an address. to is empty for the account's own.
func (s *messages) notify(ctx context.Context, tx *store.Tx, wanted bool, kind mailer.Kind, user *users.User, to string, about mailer.Data, who users.Visitor) error {
	if to == "" {
		to = user.Email
	}
	if !wanted || to == "" {
		return nil
	}
	about.Email, about.SendingTo, about.Data, about.SiteURL = user.Email, to, user.UserMetadata, s.siteURL
	return s.queueMail(ctx, tx, mailer.Mail{Kind: kind, To: to, Data: about}, user, who)
}

// LoadTemplates reads the project's templates.
func (s *messages) LoadTemplates(ctx context.Context) { s.mails.Load(ctx, s.now()) }

// KeepTemplates reads them again as they become old, until ctx ends.
func (s *messages) KeepTemplates(ctx context.Context) { s.mails.Keep(ctx, s.now) }
