package auth

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// reauthenticate answers GET /reauthenticate: it sends the signed-in user a
// nonce, with which a password can be set.
func (s *Server) reauthenticate(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	c := users.Contact{Kind: users.ByEmail, Value: in.User.Email}
	switch {
	case in.User.Email == "" && in.User.Phone == "":
		return autherr.BadRequest(autherr.CodeValidation, "Reauthentication requires the user to have an email or a phone number")
	case in.User.Email != "" && !in.User.Confirmed(users.ByEmail):
		return autherr.Unprocessable(autherr.CodeNotConfirmed, "Please verify your email first.")
	case in.User.Email == "" && !in.User.Confirmed(users.ByPhone):
		return autherr.Unprocessable(autherr.CodePhoneNotConfirmed, "Please verify your phone first.")
	case in.User.Email == "":
		c = users.Contact{Kind: users.ByPhone, Value: in.User.Phone}
	}
	if err := s.limits.SpendContact(r.Context(), c); err != nil {
		return err
	}
	var message *message.Text
	req := s.mailRequest(r, pkce.Challenge{})
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		user, err := users.Lock(r.Context(), tx, in.User.ID)
		if err == nil {
			message, err = s.messages.RequestNonce(r.Context(), tx, user, c, req)
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
}

var errNonce = autherr.Unprocessable(autherr.CodeReauthInvalid, "Nonce has expired or is invalid")

// spendNonce uses a user's nonce up. Too many wrong ones end it.
//
// Errors: 400 reauthentication_needed; 422 reauthentication_not_valid.
func (s *Server) spendNonce(ctx context.Context, user *users.User, nonce string) error {
	if nonce == "" {
		return autherr.BadRequest(autherr.CodeReauthNeeded, "Password update requires reauthentication")
	}
	address := user.Email
	if address == "" {
		address = user.Phone
	}
	var ok bool
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		var found message.Token
		var err error
		found, ok, err = s.messages.FindCode(ctx, tx, address, nonce, user.Aud, []string{message.TokenReauth})
		if err != nil || !ok {
			return err
		}
		batch := &pgx.Batch{}
		message.DropToken(batch, found.UserID, found.Kind)
		return tx.ExecBatch(ctx, batch)
	})
	if err == nil && !ok {
		err = errNonce
	}
	return err
}
