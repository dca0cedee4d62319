package api

import (
	"net/http"

	"plaza/server/auth/external"
	"plaza/server/httpx"
)

// listCustomProviders answers GET /admin/custom-providers.
func (s *adminHandlers) listCustomProviders(w http.ResponseWriter, r *http.Request) error {
	found, err := s.Custom.List(r.Context(), r.URL.Query().Get("type"))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"providers": found})
}

// getCustomProvider answers GET /admin/custom-providers/{identifier}.
func (s *adminHandlers) getCustomProvider(w http.ResponseWriter, r *http.Request) error {
	found, err := s.Custom.Get(r.Context(), r.PathValue("identifier"))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, found)
}

// addCustomProvider answers POST /admin/custom-providers.
func (s *adminHandlers) addCustomProvider(w http.ResponseWriter, r *http.Request) error {
	var params external.CustomChange
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	added, err := s.Custom.Add(r.Context(), params)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusCreated, added)
}

// changeCustomProvider answers PUT /admin/custom-providers/{identifier}.
func (s *adminHandlers) changeCustomProvider(w http.ResponseWriter, r *http.Request) error {
	var params external.CustomChange
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	changed, err := s.Custom.Change(r.Context(), r.PathValue("identifier"), params)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, changed)
}

// deleteCustomProvider answers DELETE /admin/custom-providers/{identifier}.
func (s *adminHandlers) deleteCustomProvider(w http.ResponseWriter, r *http.Request) error {
	if err := s.Custom.Delete(r.Context(), r.PathValue("identifier")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
