package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/mailer"
)

// mailRequest is a checked wish for a mail to an account.
type mailRequest struct {
	redirect string
	pkce     challenge
	who      visitor
	now      time.Time
}

func (reg registration) request() mailRequest {
	return mailRequest{redirect: reg.redirect, pkce: reg.pkce, who: reg.who, now: reg.now}
}

func (s *Server) mailRequest(r *http.Request, pkce challenge) mailRequest {
	return mailRequest{redirect: s.redirects.target(r, ""), pkce: pkce, who: s.visitor(r), now: s.now().Truncate(time.Microsecond)}
}

// beginFlow remembers the challenge that the code of the link must meet.
func (req mailRequest) beginFlow(batch *pgx.Batch, userID, providerType, method string) {
	if req.pkce.pkce() {
		batch.Queue(insertFlow, userID, req.pkce.Method, req.pkce.Challenge, providerType, req.now, method)
	}
}

// requestConfirmation makes the mail by which a new account is confirmed.
func (s *Server) requestConfirmation(ctx context.Context, tx pgx.Tx, user *User, req mailRequest) (mailer.Mail, error) {
	if err := s.tooSoon(user.ConfirmationSentAt, req.now); err != nil {
		return mailer.Mail{}, err
	}
	batch := &pgx.Batch{}
	s.audit(batch, req.who, user, actionConfirmationRequested, byEmail)
	req.beginFlow(batch, user.ID, "email", methodSignup)
	fresh := s.issueToken(batch, user.ID, tokenConfirmation, user.Email, req.pkce.pkce(), req.now)
	batch.Queue(noteConfirmation, user.ID, fresh.stored, req.now)
	mail := s.mail(mailer.Confirmation, "signup", user.Email, user, fresh, req.redirect)
	return mail, execAll(ctx, tx, batch)
}

// requestRecovery makes the mail by which somebody gets in without a password:
// to set a new one (recovery), or just so (magiclink).
func (s *Server) requestRecovery(ctx context.Context, tx pgx.Tx, kind mailer.Kind, verifies string, user *User, req mailRequest) (mailer.Mail, error) {
	if err := s.tooSoon(user.RecoverySentAt, req.now); err != nil {
		return mailer.Mail{}, err
	}
	batch := &pgx.Batch{}
	s.audit(batch, req.who, user, actionRecoveryRequested, nil)
	req.beginFlow(batch, user.ID, verifies, verifies)
	fresh := s.issueToken(batch, user.ID, tokenRecovery, user.Email, req.pkce.pkce(), req.now)
	batch.Queue(noteRecovery, user.ID, fresh.stored, req.now)
	return s.mail(kind, verifies, user.Email, user, fresh, req.redirect), execAll(ctx, tx, batch)
}

// requestChange makes the mails by which a new address is confirmed: one to it
// and, with secure e-mail change, one to the old address.
func (s *Server) requestChange(ctx context.Context, tx pgx.Tx, user *User, address string, req mailRequest) ([]mailer.Mail, error) {
	if err := s.tooSoon(user.EmailChangeSentAt, req.now); err != nil {
		return nil, err
	}
	user.NewEmail = address
	batch := &pgx.Batch{}
	req.beginFlow(batch, user.ID, methodEmailChange, methodEmailChange)
	fresh := s.issueToken(batch, user.ID, tokenChangeNew, address, req.pkce.pkce(), req.now)
	mails := []mailer.Mail{s.mail(mailer.EmailChange, "email_change", address, user, fresh, req.redirect)}
	old := issued{}
	if s.config.Mailer.SecureEmailChange && user.Email != "" {
		old = s.issueToken(batch, user.ID, tokenChangeOld, user.Email, req.pkce.pkce(), req.now)
		mails = append(mails, s.mail(mailer.EmailChange, "email_change", user.Email, user, old, req.redirect))
	} else {
		batch.Queue(clearToken, user.ID, tokenChangeOld)
	}
	batch.Queue(noteChange, user.ID, address, fresh.stored, old.stored, req.now)
	user.EmailChangeSentAt = &req.now
	return mails, execAll(ctx, tx, batch)
}
