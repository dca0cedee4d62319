package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/mailer"
	"plaza/server/httpx"
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

// recover answers POST /recover. An unknown address gets the same answer, in
// the same time, also when it asks again at once.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Email string `json:"email"`
		challenge
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Email == "" {
		return badRequest(codeValidation, "Password recovery requires an email")
	}
	return s.mailOut(w, r, params.Email, params.challenge, recoveryOf, func(ctx context.Context, tx pgx.Tx, user *User, req mailRequest) ([]mailer.Mail, error) {
		mail, err := s.requestRecovery(ctx, tx, mailer.Recovery, methodRecovery, user, req)
		return []mailer.Mail{mail}, err
	})
}

// resend answers POST /resend: once more the mail of a sign-up or of a change
// of address.
func (s *Server) resend(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Type  string `json:"type"`
		Email string `json:"email"`
		Phone string `json:"phone"`
		challenge
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	switch {
	case params.Type == "sms", params.Type == "phone_change":
		return badRequest(codePhoneDisabled, "Phone logins are disabled")
	case params.Type != "signup" && params.Type != "email_change":
		return badRequest(codeValidation, "Missing one of these types: signup, email_change, sms, phone_change")
	case params.Email != "" && params.Phone != "":
		return badRequest(codeValidation, "Only an email address or phone number should be provided.")
	case params.Email == "":
		return badRequest(codeValidation, "Type provided requires an email address")
	}
	if params.Type == "email_change" {
		return s.mailOut(w, r, params.Email, params.challenge, func(email string) string { return "change:" + email }, s.changeAgain)
	}
	return s.mailOut(w, r, params.Email, params.challenge, confirmationOf, s.confirmationAgain)
}

func (s *Server) confirmationAgain(ctx context.Context, tx pgx.Tx, user *User, req mailRequest) ([]mailer.Mail, error) {
	if user.confirmed() {
		return nil, nil
	}
	mail, err := s.requestConfirmation(ctx, tx, user, req)
	return []mailer.Mail{mail}, err
}

func (s *Server) changeAgain(ctx context.Context, tx pgx.Tx, user *User, req mailRequest) ([]mailer.Mail, error) {
	if user.NewEmail == "" {
		return nil, nil
	}
	return s.requestChange(ctx, tx, user, user.NewEmail, req)
}

// composer makes the mails an account is to get; none where there is no reason.
type composer func(ctx context.Context, tx pgx.Tx, user *User, req mailRequest) ([]mailer.Mail, error)

// mailOut sends mails to the account of an address, if there is one, and
// answers {} in any case. asked names the request, to hold back repeats that
// lead to no mail as long as those that do.
func (s *Server) mailOut(w http.ResponseWriter, r *http.Request, address string, pkce challenge, asked func(email string) string, compose composer) error {
	email, err := parseEmail(address)
	if err != nil {
		return err
	}
	if err := pkce.check(); err != nil {
		return err
	}
	req := s.mailRequest(r, pkce)
	return s.paced(r, func() error {
		var mails []mailer.Mail
		err := s.work(r.Context(), func(tx pgx.Tx) error {
			mails = nil
			user, err := findInTx(r.Context(), tx, email, s.audience(r))
			if err == nil && user != nil {
				mails, err = compose(r.Context(), tx, user, req)
			}
			return err
		})
		if err == nil && len(mails) == 0 {
			if left := s.recent.wait(asked(email), req.now, s.config.SMTP.MaxFrequency); left > 0 {
				return waitError(left)
			}
		}
		if err == nil {
			err = s.post(r.Context(), mails...)
		}
		if err != nil {
			return err
		}
		return httpx.WriteJSON(w, http.StatusOK, struct{}{})
	})
}
