package api

import (
	"net/http"
	"strings"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/users"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// actor returns the user of an admin's token, for the audit trail.
func (s *base) actor(r *http.Request) *users.User {
	who, _, err := s.Auth.Bearer(r)
	if err != nil {
		who = claims.Caller{}
	}
	id := who.Subject
	if id == "" {
		id = session.NilUUID
	}
	return &users.User{ID: id, Role: who.Role, Email: who.Role}
}

// target returns the user that a path names.
//
// Errors: those of users.Get.
func (s *adminHandlers) target(r *http.Request) (*users.User, error) {
	return users.Get(r.Context(), s.Store, r.PathValue("user"))
}

// adminListUsers answers GET /admin/users.
func (s *adminHandlers) adminListUsers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	requested, err := readPage(query)
	if err != nil {
		return err
	}
	oldestFirst, err := readSort(query.Get("sort"))
	if err != nil {
		return err
	}
	audience := s.audience(r)
	found, total, err := s.Accounts.Admin.List(r.Context(), audience, query.Get("filter"), oldestFirst, requested.size, requested.offset())
	if err != nil {
		return err
	}
	requested.setHeaders(w.Header(), r.URL, total)
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"users": found, "aud": audience})
}

// readSort reads "created_at asc" or "created_at desc", which is the default.
func readSort(text string) (oldestFirst bool, err error) {
	if text == "" {
		return false, nil
	}
	field, order, _ := strings.Cut(strings.TrimSpace(text), " ")
	order = strings.ToLower(order)
	if field != "created_at" || order != "" && order != "asc" && order != "desc" {
		return false, autherr.BadRequest(autherr.CodeValidation, "Bad Sort Parameters: bad field for sort '%s'", text)
	}
	return order == "asc", nil
}

// adminGetUser answers GET /admin/users/{id}.
func (s *adminHandlers) adminGetUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// adminCreateUser answers POST /admin/users.
func (s *adminHandlers) adminCreateUser(w http.ResponseWriter, r *http.Request) error {
	var params account.AdminChanges
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	user, err := s.Accounts.Admin.Create(r.Context(), params, s.request(r), s.actor(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// adminUpdateUser answers PUT /admin/users/{id}.
func (s *adminHandlers) adminUpdateUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	var params account.AdminChanges
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	if user, err = s.Accounts.Admin.Update(r.Context(), user, params, s.requestInfo(r), s.actor(r)); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// adminDeleteUser answers DELETE /admin/users/{id}.
func (s *adminHandlers) adminDeleteUser(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	var params struct {
		Soft bool `json:"should_soft_delete"`
	}
	if r.ContentLength != 0 {
		if err := readBody(w, r, &params); err != nil {
			return err
		}
	}
	if err := s.Accounts.Admin.Delete(r.Context(), user, params.Soft, s.actor(r), s.requestInfo(r)); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, struct{}{})
}

// invite answers POST /invite.
func (s *adminHandlers) invite(w http.ResponseWriter, r *http.Request) error {
	var params account.Invitation
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	user, err := s.Accounts.Admin.Invite(r.Context(), params, s.request(r), s.actor(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// generateLink answers POST /admin/generate_link.
func (s *adminHandlers) generateLink(w http.ResponseWriter, r *http.Request) error {
	var params account.LinkRequest
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	request := s.request(r)
	request.Redirect = s.Redirects.Target(r, params.RedirectTo)
	link, err := s.Accounts.Admin.GenerateLink(r.Context(), params, request, s.actor(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, link)
}

// adminListSessions answers GET /admin/users/{id}/sessions. Upstream has no such endpoint.
func (s *adminHandlers) adminListSessions(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	list, err := s.Sessions.List(r.Context(), user.ID)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"sessions": list})
}

// adminEndSession answers DELETE /admin/users/{id}/sessions/{session}. Without a session in
// the path it ends all sessions of the user. Upstream has no such endpoints.
func (s *adminHandlers) adminEndSession(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	if err := s.Sessions.End(r.Context(), user, r.PathValue("session"), s.actor(r), s.requestInfo(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// auditKeys maps a search scope to the fields of the audit trail that it searches. Source:
// supabase/auth.
var auditKeys = map[string][]string{"author": {"actor_username", "actor_name"}, "action": {"action"}, "type": {"log_type"}}

// adminAudit answers GET /admin/audit.
func (s *adminHandlers) adminAudit(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	requested, err := readPage(query)
	if err != nil {
		return err
	}
	scope, text, found := strings.Cut(query.Get("query"), ":")
	keys, known := auditKeys[scope]
	if query.Get("query") != "" && (!found || !known) {
		return autherr.BadRequest(autherr.CodeValidation, "Invalid query scope: %s", query.Get("query"))
	}
	entries, total, err := s.Trail.Page(r.Context(), keys, text, requested.size, requested.offset())
	if err != nil {
		return err
	}
	requested.setHeaders(w.Header(), r.URL, total)
	return httpx.WriteJSON(w, http.StatusOK, entries)
}
