package auth

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// page is which part of a list is asked for, counted from 1.
type page struct{ number, size int64 }

// Sizes of a page. The default is upstream's; a larger page than the greatest is
// cut, which upstream does not do.
const (
	defaultPage  = 50
	greatestPage = 1000
)

func readPage(query url.Values) (page, error) {
	asked := page{1, defaultPage}
	for name, into := range map[string]*int64{"page": &asked.number, "per_page": &asked.size} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil || number < 0 {
			return page{}, autherr.BadRequest(autherr.CodeValidation, "Bad Pagination Parameters: %q is no number", text)
		}
		*into = number
	}
	asked.number, asked.size = max(asked.number, 1), min(max(asked.size, 1), greatestPage)
	asked.number = min(asked.number, math.MaxInt64/asked.size)
	return asked, nil
}

func (p page) offset() int64 { return (p.number - 1) * p.size }

// headers tell where the next and the last page are. Source: supabase/auth.
func (p page) headers(header http.Header, address *url.URL, total int64) {
	last := (total + p.size - 1) / p.size
	at := func(number int64, relation string) string {
		query := address.Query()
		query.Set("page", strconv.FormatInt(number, 10))
		return "<" + address.Path + "?" + query.Encode() + `>; rel="` + relation + `"`
	}
	var links []string
	if last > p.number {
		links = append(links, at(p.number+1, "next"))
	}
	header.Set("Link", strings.Join(append(links, at(last, "last")), ", "))
	header.Set("X-Total-Count", strconv.FormatInt(total, 10))
}

// adminListUsers answers GET /admin/users.
func (s *Server) adminListUsers(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	asked, err := readPage(query)
	if err != nil {
		return err
	}
	oldestFirst, err := readSort(query.Get("sort"))
	if err != nil {
		return err
	}
	audience, filter := s.audience(r), likeText(query.Get("filter"))
	var total int64
	found := []*users.User{}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(r.Context(), usersPage, audience, filter, oldestFirst, asked.size, asked.offset())
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*users.User, error) {
			u := &users.User{}
			err := row.Scan(append([]any{&total}, u.Targets()...)...)
			u.Normalize()
			return u, err
		})
		if err == nil && len(found) == 0 && asked.number > 1 {
			err = tx.QueryRow(r.Context(), countUsers, audience, filter).Scan(&total)
		}
		return err
	})
	if err != nil {
		return err
	}
	asked.headers(w.Header(), r.URL, total)
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

// likeText takes their meaning from the signs of a LIKE pattern.
func likeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

// auditKeys are where a search of the audit trail looks. Source: supabase/auth.
var auditKeys = map[string][]string{"author": {"actor_username", "actor_name"}, "action": {"action"}, "type": {"log_type"}}

// adminAudit answers GET /admin/audit.
func (s *Server) adminAudit(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	asked, err := readPage(query)
	if err != nil {
		return err
	}
	scope, text, found := strings.Cut(query.Get("query"), ":")
	keys, known := auditKeys[scope]
	if query.Get("query") != "" && (!found || !known) {
		return autherr.BadRequest(autherr.CodeValidation, "Invalid query scope: %s", query.Get("query"))
	}
	entries, total, err := s.trail.Page(r.Context(), keys, likeText(text), asked.size, asked.offset())
	if err != nil {
		return err
	}
	asked.headers(w.Header(), r.URL, total)
	return httpx.WriteJSON(w, http.StatusOK, entries)
}

// adminListSessions answers GET /admin/users/{id}/sessions, which is ours.
func (s *Server) adminListSessions(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	var sessions json.RawMessage
	if err := s.store.QueryRow(r.Context(), sessionsOf, []any{user.ID}, &sessions); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"sessions": sessions})
}

// adminEndSession answers DELETE /admin/users/{id}/sessions/{session}, and
// without a session for all of a user's, which are ours.
func (s *Server) adminEndSession(w http.ResponseWriter, r *http.Request) error {
	user, err := s.target(r)
	if err != nil {
		return err
	}
	id := r.PathValue("session")
	if id != "" && !store.IsUUID(id) {
		return autherr.NotFound(autherr.CodeSessionNotFound, "Session not found")
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		s.sessions.NoteEnded(tx, user.ID)
		batch := &pgx.Batch{}
		s.trail.Add(batch, s.visitor(r), s.actor(r), audit.Logout, auditOf(user))
		if err := tx.ExecBatch(r.Context(), batch); err != nil {
			return err
		}
		if id == "" {
			_, err := tx.Exec(r.Context(), session.EndAll, user.ID)
			return err
		}
		ended, err := tx.Exec(r.Context(), session.EndOne, user.ID, id)
		if err == nil && ended.RowsAffected() == 0 {
			err = autherr.NotFound(autherr.CodeSessionNotFound, "Session not found")
		}
		return err
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// target gives the user that a path names. Errors: 404.
func (s *Server) target(r *http.Request) (*users.User, error) {
	id := r.PathValue("user")
	if !store.IsUUID(id) {
		return nil, users.ErrNoID
	}
	u, err := users.FindByID(r.Context(), s.store, id)
	if err == nil && u == nil {
		err = users.ErrNone
	}
	return u, err
}
