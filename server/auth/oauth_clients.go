package auth

import (
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

var (
	errNoClient     = autherr.NotFound(autherr.CodeClientNotFound, "OAuth client not found")
	errClientID     = autherr.BadRequest(autherr.CodeValidation, "invalid client_id format")
	errRegistration = autherr.Forbidden(autherr.CodeRegistrationDisabled, "Dynamic client registration is not enabled")
)

// registerClient answers POST /oauth/clients/register: an app registers itself
// (RFC 7591).
func (s *Server) registerClient(w http.ResponseWriter, r *http.Request) error {
	if !s.config.OAuthServer.AllowRegistration {
		return errRegistration
	}
	return s.newClient(w, r, "dynamic")
}

// adminAddClient answers POST /admin/oauth/clients.
func (s *Server) adminAddClient(w http.ResponseWriter, r *http.Request) error {
	return s.newClient(w, r, "manual")
}

// newClient makes a client. Its secret is in this answer and nowhere else.
func (s *Server) newClient(w http.ResponseWriter, r *http.Request, registration string) error {
	var asked oauth.Registration
	if err := read(w, r, &asked); err != nil {
		return err
	}
	c, err := oauth.NewClient(asked)
	if err != nil {
		return autherr.BadRequest(autherr.CodeValidation, "%s", err).WithCause(err)
	}
	c.ID, c.RegistrationType, c.CreatedAt = store.NewID(), registration, s.now().UTC()
	c.UpdatedAt = c.CreatedAt
	if c.Type == oauth.Confidential {
		c.NewSecret()
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(r.Context(), insertClient, c.ID, c.RegistrationType, c.Type, c.AuthMethod, strings.Join(c.RedirectURIs, ","),
			strings.Join(c.GrantTypes, ","), c.Name, c.URI, c.LogoURI, c.SecretHash, c.CreatedAt)
		return err
	})
	if err != nil {
		return err
	}
	return answerClient(w, http.StatusCreated, c)
}

func answerClient(w http.ResponseWriter, status int, c *oauth.Client) error {
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, status, c)
}

// adminListClients answers GET /admin/oauth/clients.
func (s *Server) adminListClients(w http.ResponseWriter, r *http.Request) error {
	asked, err := readPage(r.URL.Query())
	if err != nil {
		return err
	}
	var total int64
	clients := []*oauth.Client{}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(r.Context(), clientsPage, asked.size, asked.offset())
		if err != nil {
			return err
		}
		clients, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*oauth.Client, error) { return readClient(row, &total) })
		if err == nil && len(clients) == 0 && asked.number > 1 {
			err = tx.QueryRow(r.Context(), countClients).Scan(&total)
		}
		return err
	})
	if err != nil {
		return err
	}
	asked.headers(w.Header(), r.URL, total)
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"clients": clients})
}

// adminGetClient answers GET /admin/oauth/clients/{client}.
func (s *Server) adminGetClient(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("client")
	if !store.IsUUID(id) {
		return errClientID
	}
	c, err := s.findClient(r.Context(), id)
	if err != nil {
		return err
	}
	if c == nil {
		return errNoClient
	}
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// adminChangeClient answers PUT /admin/oauth/clients/{client}.
func (s *Server) adminChangeClient(w http.ResponseWriter, r *http.Request) error {
	var asked oauth.Registration
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if asked.Empty() {
		return autherr.BadRequest(autherr.CodeValidation, "No fields provided for update")
	}
	c, err := s.changeClient(r, func(c *oauth.Client) error { return c.Change(asked) })
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// adminRenewSecret answers POST /admin/oauth/clients/{client}/regenerate_secret.
// The secret before ends at once.
func (s *Server) adminRenewSecret(w http.ResponseWriter, r *http.Request) error {
	c, err := s.changeClient(r, func(c *oauth.Client) error {
		if c.Type == oauth.Public {
			return errors.New("cannot regenerate secret for public client")
		}
		c.NewSecret()
		return nil
	})
	if err != nil {
		return err
	}
	return answerClient(w, http.StatusOK, c)
}

// changeClient lets change have the client of a path to itself. What change
// refuses is a bad request.
func (s *Server) changeClient(r *http.Request, change func(*oauth.Client) error) (c *oauth.Client, err error) {
	id := r.PathValue("client")
	if !store.IsUUID(id) {
		return nil, errClientID
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		var err error
		c, err = readClient(tx.QueryRow(r.Context(), clientLocked, id))
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoClient
		}
		if err != nil {
			return err
		}
		if err := change(c); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "%s", err).WithCause(err)
		}
		c.UpdatedAt = s.now().UTC()
		_, err = tx.Exec(r.Context(), updateClient, c.ID, c.AuthMethod, strings.Join(c.RedirectURIs, ","), strings.Join(c.GrantTypes, ","),
			c.Name, c.URI, c.LogoURI, c.SecretHash, c.UpdatedAt)
		return err
	})
	return c, err
}

// adminDeleteClient answers DELETE /admin/oauth/clients/{client}: nobody is
// signed in to it any more.
func (s *Server) adminDeleteClient(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("client")
	if !store.IsUUID(id) {
		return errClientID
	}
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		done, err := tx.Exec(r.Context(), deleteClient, id, s.now())
		if err == nil && done.RowsAffected() == 0 {
			return errNoClient
		}
		if err == nil {
			_, err = tx.Exec(r.Context(), endClientSessions, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.sessions.ReadEnded(r.Context()); err != nil { // of many users
		s.deps.Log.ErrorContext(r.Context(), "ended sessions are refused only when their notification comes", "error", err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
