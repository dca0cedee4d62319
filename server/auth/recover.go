package auth

import (
	"context"
	"net/http"

	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// recover answers POST /recover. An unknown address gets the same answer, in
// the same time, also when it asks again at once.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Email string `json:"email"`
		pkce.Challenge
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Email == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Password recovery requires an email")
	}
	email, err := users.ParseEmail(params.Email)
	if err != nil {
		return err
	}
	return s.sendAgain(w, r, users.Contact{Kind: users.ByEmail, Value: email}, params.Challenge, recoveryOf(email),
		func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
			return nil, true, s.messages.RequestRecovery(ctx, tx, mailer.Recovery, session.MethodRecovery, user, req)
		})
}

// resend answers POST /resend: once more what confirms a sign-up, or a change of
// address or number.
func (s *Server) resend(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Type  string `json:"type"`
		Email string `json:"email"`
		Phone string `json:"phone"`
		pkce.Challenge
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	way, ok := resends[params.Type]
	switch {
	case !ok:
		return autherr.BadRequest(autherr.CodeValidation, "Missing one of these types: signup, email_change, sms, phone_change")
	case params.Email != "" && params.Phone != "":
		return autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided.")
	case way.kind == users.ByEmail && params.Email == "":
		return autherr.BadRequest(autherr.CodeValidation, "Type provided requires an email address")
	case way.kind == users.ByPhone && params.Phone == "":
		return autherr.BadRequest(autherr.CodeValidation, "Type provided requires a phone number")
	case way.kind == users.ByPhone && !s.config.Ways.Phone:
		return autherr.BadRequest(autherr.CodePhoneDisabled, "Phone logins are disabled")
	}
	c := users.Contact{Kind: way.kind}
	var err error
	if way.kind == users.ByEmail {
		c.Value, err = users.ParseEmail(params.Email)
	} else {
		c.Value, err = users.ParsePhone(params.Phone)
	}
	if err != nil {
		return err
	}
	return s.sendAgain(w, r, c, params.Challenge, way.asked(c.Value), func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
		return way.send(s, ctx, tx, user, req)
	})
}

// again is a type of POST /resend.
type again struct {
	kind  string
	asked func(address string) string
	send  func(s *Server, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error)
}

var resends = map[string]again{
	"signup":       {users.ByEmail, confirmationOf, (*Server).confirmationAgain},
	"email_change": {users.ByEmail, func(email string) string { return "change:" + email }, (*Server).changeAgain},
	"sms":          {users.ByPhone, confirmationOf, (*Server).messageAgain},
	"phone_change": {users.ByPhone, func(phone string) string { return "change:" + phone }, (*Server).phoneChangeAgain},
}

func (s *Server) confirmationAgain(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
	if user.Confirmed(users.ByEmail) {
		return nil, false, nil
	}
	return nil, true, s.messages.RequestConfirmation(ctx, tx, user, req)
}

func (s *Server) changeAgain(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
	if user.NewEmail == "" {
		return nil, false, nil
	}
	return nil, true, s.messages.RequestChange(ctx, tx, user, user.NewEmail, req)
}

func (s *Server) messageAgain(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
	if user.Confirmed(users.ByPhone) {
		return nil, false, nil
	}
	message, err := s.messages.RequestPhoneConfirmation(ctx, tx, user, req)
	return message, true, err
}

func (s *Server) phoneChangeAgain(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.Text, bool, error) {
	if user.NewPhone == "" {
		return nil, false, nil
	}
	message, err := s.messages.RequestPhoneChange(ctx, tx, user, user.NewPhone, req)
	return message, true, err
}

// sender sends an account what it asked for; sent is false where there is no
// reason to.
type sender func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (message *message.Text, sent bool, err error)

// sendAgain sends something to the account of a contact, if there is one, and
// answers {} in any case, or the message's id. asked names the request, to hold
// back repeats that lead to nothing as long as those that do.
func (s *Server) sendAgain(w http.ResponseWriter, r *http.Request, c users.Contact, pkce pkce.Challenge, asked string, send sender) error {
	if err := pkce.Check(); err != nil {
		return err
	}
	if err := s.limits.SpendContact(r.Context(), c); err != nil {
		return err
	}
	req := s.mailRequest(r, pkce)
	return s.paced(r, func() error {
		var message *message.Text
		var sent bool
		err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
			message, sent = nil, false
			user, err := users.FindLocked(r.Context(), tx, c, s.audience(r))
			if err == nil && user != nil {
				message, sent, err = send(r.Context(), tx, user, req)
			}
			if err == nil && !sent {
				err = s.messages.TooSoonForNobody(r.Context(), tx, c, asked, req.Now)
			}
			return err
		})
		if err != nil {
			return err
		}
		id, err := s.messages.SendText(r.Context(), message)
		if err != nil {
			return err
		}
		return httpx.WriteJSON(w, http.StatusOK, messageAnswer{id})
	})
}
