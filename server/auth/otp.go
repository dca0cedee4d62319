package auth

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/mailer"
	"plaza/server/auth/token"
	"plaza/server/httpx"
)

// linkRequest is a wish to sign in by a mailed link or code.
type linkRequest struct {
	Email      string          `json:"email"`
	Phone      string          `json:"phone"`
	Channel    string          `json:"channel"`
	CreateUser *bool           `json:"create_user"`
	Data       json.RawMessage `json:"data"`
	challenge
}

// otp answers POST /otp for an address: a mail with a link and a code. Who has
// no account gets one, unless create_user says no.
func (s *Server) otp(w http.ResponseWriter, r *http.Request) error {
	var params linkRequest
	if err := read(w, r, &params); err != nil {
		return err
	}
	switch {
	case params.Email != "" && params.Phone != "":
		return badRequest(codeValidation, "Only an email address or phone number should be provided")
	case params.Email != "" && params.Channel != "":
		return badRequest(codeValidation, "Channel should only be specified with Phone OTP")
	case params.Phone != "":
		return badRequest(codePhoneDisabled, "Unsupported phone provider")
	case params.Email == "":
		return badRequest(codeValidation, "One of email or phone must be set")
	}
	return s.sendLink(w, r, params)
}

// magicLink answers POST /magiclink, the older form of /otp.
func (s *Server) magicLink(w http.ResponseWriter, r *http.Request) error {
	var params linkRequest
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Email == "" {
		return unprocessable(codeValidation, "Password recovery requires an email")
	}
	params.CreateUser = nil
	return s.sendLink(w, r, params)
}

func (s *Server) sendLink(w http.ResponseWriter, r *http.Request, params linkRequest) error {
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
	req := s.mailRequest(r, params.challenge)
	return s.paced(r, func() error {
		existing, err := s.findUser(r.Context(), email, s.audience(r))
		switch {
		case err != nil:
			return err
		case existing == nil && params.CreateUser != nil && !*params.CreateUser:
			return unprocessable(codeOTPDisabled, "Signups not allowed for otp")
		case existing == nil && s.config.DisableSignup:
			return errSignupDisabled
		case existing == nil || !existing.confirmed():
			err = s.registerByLink(r, registration{
				email: email, data: data, audience: s.audience(r), redirect: req.redirect, pkce: req.pkce, who: req.who, now: req.now,
			})
		default:
			err = s.mailLink(r.Context(), existing.ID, req)
		}
		if err != nil {
			return err
		}
		return httpx.WriteJSON(w, http.StatusOK, struct{}{})
	})
}

// registerByLink makes an account with a password nobody knows. Its
// confirmation mail signs in as a link does; where addresses need no
// confirmation, the link follows the account.
func (s *Server) registerByLink(r *http.Request, reg registration) error {
	hash, err := s.hasher.Hash(r.Context(), token.Link())
	if err != nil {
		return err
	}
	reg.hash = hash
	if !s.config.Mailer.Autoconfirm {
		_, err := s.register(r.Context(), reg)
		return err
	}
	var id string
	err = s.work(r.Context(), func(tx pgx.Tx) error {
		user, err := findInTx(r.Context(), tx, reg.email, reg.audience)
		if err == nil && user == nil {
			user, err = s.insertAccount(r.Context(), tx, reg)
		}
		if err != nil {
			return err
		}
		id = user.ID
		batch := &pgx.Batch{}
		s.audit(batch, reg.who, user, actionSignedUp, byEmail)
		batch.Queue(confirmUser, id, reg.now)
		return execAll(r.Context(), tx, batch)
	})
	if err != nil {
		return err
	}
	return s.mailLink(r.Context(), id, reg.request())
}

func (s *Server) mailLink(ctx context.Context, id string, req mailRequest) error {
	var mail mailer.Mail
	err := s.work(ctx, func(tx pgx.Tx) error {
		user, err := loadUser(ctx, tx, userByID, id)
		if err == nil {
			mail, err = s.requestRecovery(ctx, tx, mailer.MagicLink, methodMagicLink, user, req)
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.post(ctx, mail)
}
