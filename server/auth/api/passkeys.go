package api

import (
	"net/http"

	"plaza/server/auth/autherr"
	"plaza/server/auth/factor"
	"plaza/server/auth/session"
	"plaza/server/httpx"
)

// withPasskeys serves a path only if passkeys are enabled.
func (s *factorHandlers) withPasskeys(h httpx.Handler) httpx.Handler {
	if s.Passkeys.Enabled() {
		return h
	}
	return func(http.ResponseWriter, *http.Request) error {
		return autherr.NotFound(autherr.CodePasskeyDisabled, "Passkeys are disabled")
	}
}

// passkeyOwner returns the signed-in user if may allows it.
func (s *factorHandlers) passkeyOwner(r *http.Request, may func(*session.Current) error) (*session.Current, error) {
	current, err := s.caller(r)
	if err != nil {
		return nil, err
	}
	return current, may(current)
}

// listPasskeys answers GET /passkeys.
func (s *factorHandlers) listPasskeys(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	return s.writePasskeys(w, r, current.User.ID)
}

func (s *base) writePasskeys(w http.ResponseWriter, r *http.Request, userID string) error {
	list, err := s.Passkeys.List(r.Context(), userID)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, list)
}

// renamePasskey answers PATCH /passkeys/{id}.
func (s *factorHandlers) renamePasskey(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	var params struct {
		Name string `json:"friendly_name"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	renamed, err := s.Passkeys.Rename(r.Context(), current.User, r.PathValue("id"), params.Name, s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, renamed)
}

// deletePasskey answers DELETE /passkeys/{id}.
func (s *factorHandlers) deletePasskey(w http.ResponseWriter, r *http.Request) error {
	current, err := s.passkeyOwner(r, factor.CheckMayManagePasskeys)
	if err != nil {
		return err
	}
	if err := s.Passkeys.Remove(r.Context(), current.User, current.User.ID, r.PathValue("id"), nil, s.requestInfo(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// passkeyOptions answers POST /passkeys/registration/options.
func (s *factorHandlers) passkeyOptions(w http.ResponseWriter, r *http.Request) error {
	current, err := s.passkeyOwner(r, factor.CheckMayAddPasskey)
	if err != nil {
		return err
	}
	challenge, err := s.Passkeys.Begin(r.Context(), current.User)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, challenge)
}

// registerPasskey answers POST /passkeys/registration/verify.
func (s *factorHandlers) registerPasskey(w http.ResponseWriter, r *http.Request) error {
	current, err := s.passkeyOwner(r, factor.CheckMayAddPasskey)
	if err != nil {
		return err
	}
	var answer factor.PasskeyAnswer
	if err := readBody(w, r, &answer); err != nil {
		return err
	}
	made, err := s.Passkeys.Add(r.Context(), current.User, answer, s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, made)
}

// passkeySignInOptions answers POST /passkeys/authentication/options. The options do not
// depend on the user.
func (s *factorHandlers) passkeySignInOptions(w http.ResponseWriter, r *http.Request) error {
	challenge, err := s.Passkeys.BeginSignIn(r.Context())
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, challenge)
}

// passkeySignIn answers POST /passkeys/authentication/verify.
func (s *factorHandlers) passkeySignIn(w http.ResponseWriter, r *http.Request) error {
	var answer factor.PasskeyAnswer
	if err := readBody(w, r, &answer); err != nil {
		return err
	}
	tokens, err := s.Passkeys.SignIn(r.Context(), answer, s.requestInfo(r))
	if err != nil {
		return err
	}
	return writeTokens(w, tokens)
}
