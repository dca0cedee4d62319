package auth

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/mailer"
	"plaza/server/httpx"
)

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
