package api

import (
	"net/http"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/httpx"
)

// getUser answers GET /user.
func (s *accountHandlers) getUser(w http.ResponseWriter, r *http.Request) error {
	current, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	if audience := r.Header.Get("X-JWT-AUD"); audience != "" && audience != current.User.Aud {
		return autherr.BadRequest(autherr.CodeValidation, "Token audience doesn't match request audience")
	}
	return httpx.WriteJSON(w, http.StatusOK, current.User)
}

// updateUser answers PUT /user.
func (s *accountHandlers) updateUser(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	var params account.Changes
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	user, err := s.Accounts.Self.Change(r.Context(), current, params, s.request(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// reauthenticate answers GET /reauthenticate.
func (s *accountHandlers) reauthenticate(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	id, err := s.Accounts.Self.Reauthenticate(r.Context(), current, s.request(r))
	return writeMessageID(w, id, err)
}

// deleteUser answers DELETE /user: users delete their own account. Upstream has no such
// endpoint.
//
// Errors: 422 feature_disabled; those of account.Self.Delete.
func (s *accountHandlers) deleteUser(w http.ResponseWriter, r *http.Request) error {
	if !s.Config.Security.UserDeletion {
		return autherr.Unprocessable(autherr.CodeFeatureDisabled, "Deleting one's own account is disabled")
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := s.Accounts.Self.Delete(r.Context(), current, s.requestInfo(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// exportUser answers GET /user/export with all data stored about the signed-in user.
// Upstream has no such endpoint.
//
// Errors: 422 feature_disabled; those of account.Self.Export.
func (s *accountHandlers) exportUser(w http.ResponseWriter, r *http.Request) error {
	if !s.Config.Security.UserExport {
		return autherr.Unprocessable(autherr.CodeFeatureDisabled, "Exporting one's own data is disabled")
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	all, err := s.Accounts.Self.Export(r.Context(), current)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="account.json"`)
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, all)
}

// logout answers POST /logout.
func (s *accountHandlers) logout(w http.ResponseWriter, r *http.Request) error {
	current, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	if err := s.Sessions.SignOut(r.Context(), current, r.URL.Query().Get("scope"), s.requestInfo(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
