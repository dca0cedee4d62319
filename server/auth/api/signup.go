package api

import (
	"net/http"

	"plaza/server/auth/account"
	"plaza/server/httpx"
)

// signUp answers POST /signup.
func (s *accountHandlers) signUp(w http.ResponseWriter, r *http.Request) error {
	var params account.SignUp
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	user, tokens, err := s.Accounts.SignUp(r.Context(), params, s.request(r))
	switch {
	case err != nil:
		return err
	case tokens != nil:
		return writeTokens(w, tokens)
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// messageResponse is the response to a request for a code.
type messageResponse struct {
	ID string `json:"message_id,omitempty"` // set for a message to a phone
}

func writeMessageID(w http.ResponseWriter, id string, err error) error {
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, messageResponse{id})
}

// otp answers POST /otp.
func (s *accountHandlers) otp(w http.ResponseWriter, r *http.Request) error {
	var params account.CodeRequest
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	id, err := s.Accounts.SendCode(r.Context(), params, s.request(r))
	return writeMessageID(w, id, err)
}

// magicLink answers POST /magiclink.
func (s *accountHandlers) magicLink(w http.ResponseWriter, r *http.Request) error {
	var params account.CodeRequest
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	id, err := s.Accounts.SendMagicLink(r.Context(), params, s.request(r))
	return writeMessageID(w, id, err)
}

// recover answers POST /recover.
func (s *accountHandlers) recover(w http.ResponseWriter, r *http.Request) error {
	var params account.Recovery
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	return writeMessageID(w, "", s.Accounts.Recover(r.Context(), params, s.request(r)))
}

// resend answers POST /resend.
func (s *accountHandlers) resend(w http.ResponseWriter, r *http.Request) error {
	var params account.Resend
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	id, err := s.Accounts.Resend(r.Context(), params, s.request(r))
	return writeMessageID(w, id, err)
}
