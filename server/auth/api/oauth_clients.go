package api

import (
	"net/http"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver"
	"plaza/server/httpx"
)

// registerClient answers POST /oauth/clients/register, where clients register themselves
// (RFC 7591).
func (s *oauthHandlers) registerClient(w http.ResponseWriter, r *http.Request) error {
	if err := s.OAuth.AllowRegistration(); err != nil {
		return err
	}
	return s.addClient(w, r, oauthserver.Dynamic)
}

// addClientByAdmin answers POST /admin/oauth/clients.
func (s *oauthHandlers) addClientByAdmin(w http.ResponseWriter, r *http.Request) error {
	return s.addClient(w, r, oauthserver.Manual)
}

func (s *oauthHandlers) addClient(w http.ResponseWriter, r *http.Request, registration string) error {
	var params oauth.Registration
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	c, err := s.OAuth.AddClient(r.Context(), params, registration)
	if err != nil {
		return err
	}
	return writeClient(w, http.StatusCreated, c)
}

// writeClient writes a client with its secret, which is not stored in plain text.
func writeClient(w http.ResponseWriter, status int, c *oauth.Client) error {
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, status, c)
}

// listClients answers GET /admin/oauth/clients.
func (s *oauthHandlers) listClients(w http.ResponseWriter, r *http.Request) error {
	requested, err := readPage(r.URL.Query())
	if err != nil {
		return err
	}
	clients, total, err := s.OAuthStorage.Clients(r.Context(), requested.size, requested.offset())
	if err != nil {
		return err
	}
	requested.setHeaders(w.Header(), r.URL, total)
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"clients": clients})
}

// getClient answers GET /admin/oauth/clients/{client}.
func (s *oauthHandlers) getClient(w http.ResponseWriter, r *http.Request) error {
	c, err := s.OAuthStorage.GetClient(r.Context(), r.PathValue("client"))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// changeClient answers PUT /admin/oauth/clients/{client}.
func (s *oauthHandlers) changeClient(w http.ResponseWriter, r *http.Request) error {
	var params oauth.Registration
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	c, err := s.OAuth.ChangeClient(r.Context(), r.PathValue("client"), params)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// regenerateSecret answers POST /admin/oauth/clients/{client}/regenerate_secret.
func (s *oauthHandlers) regenerateSecret(w http.ResponseWriter, r *http.Request) error {
	c, err := s.OAuth.RegenerateSecret(r.Context(), r.PathValue("client"))
	if err != nil {
		return err
	}
	return writeClient(w, http.StatusOK, c)
}

// deleteClient answers DELETE /admin/oauth/clients/{client}. It ends all sessions of the
// client.
func (s *oauthHandlers) deleteClient(w http.ResponseWriter, r *http.Request) error {
	if err := s.OAuthStorage.DeleteClient(r.Context(), r.PathValue("client")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
