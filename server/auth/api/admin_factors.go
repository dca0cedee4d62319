package api

import (
	"net/http"

	"plaza/server/httpx"
)

// adminFactors answers GET /admin/users/{user}/factors.
func (s *adminHandlers) adminFactors(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Factors.List(r.Context(), r.PathValue("user"))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, list)
}

// adminDeleteFactor answers DELETE /admin/users/{user}/factors/{id}.
func (s *adminHandlers) adminDeleteFactor(w http.ResponseWriter, r *http.Request) error {
	deleted, err := s.Factors.Delete(r.Context(), r.PathValue("user"), r.PathValue("id"), s.actor(r), s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, deleted)
}

// adminUpdateFactor answers PUT /admin/users/{user}/factors/{id}. It changes the name of a
// factor, or the number of a phone factor.
func (s *adminHandlers) adminUpdateFactor(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Name  string `json:"friendly_name"`
		Phone string `json:"phone"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	updated, err := s.Factors.Update(r.Context(), r.PathValue("user"), r.PathValue("id"), params.Name, params.Phone, s.actor(r), s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, updated)
}

// adminPasskeys answers GET /admin/users/{user}/passkeys.
func (s *adminHandlers) adminPasskeys(w http.ResponseWriter, r *http.Request) error {
	user, err := s.Factors.Target(r.Context(), r.PathValue("user"))
	if err != nil {
		return err
	}
	return s.writePasskeys(w, r, user.ID)
}

// adminDeletePasskey answers DELETE /admin/users/{user}/passkeys/{id}.
func (s *adminHandlers) adminDeletePasskey(w http.ResponseWriter, r *http.Request) error {
	user, err := s.Factors.Target(r.Context(), r.PathValue("user"))
	if err != nil {
		return err
	}
	err = s.Passkeys.Remove(r.Context(), s.actor(r), user.ID, r.PathValue("id"), map[string]any{"user_id": user.ID}, s.requestInfo(r))
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
