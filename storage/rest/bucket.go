package rest

import (
	"encoding/json"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// message responds with a message.
func message(w http.ResponseWriter, text string) error {
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"message": text})
}

// readChange reads the settings of a bucket from a body.
func readChange(f *fields) (c core.Change, err error) {
	c.Public = f.boolean("public")
	if value, given := f.given["file_size_limit"]; given {
		c.FileSizeLimit.Set = true
		switch value := value.(type) {
		case nil:
		case string:
			size, err := core.ParseSize(value)
			if err != nil {
				return c, err
			}
			c.FileSizeLimit.Bytes = &size
		default:
			c.FileSizeLimit.Bytes = f.integer("file_size_limit", 0)
		}
	}
	if _, given := f.given["allowed_mime_types"]; given {
		c.MimeTypes = core.MimeTypes{Set: true, List: f.texts("allowed_mime_types", 0, 0)}
	}
	return c, f.check()
}

// buckets handles the requests for buckets.
type buckets struct {
	core *core.Service
	cdn  *cdn
}

func (b *buckets) create(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	body.require("name")
	name, id, kind := body.text("name"), body.text("id"), body.one("type", "STANDARD", "ANALYTICS")
	wanted, err := readChange(body)
	if err != nil {
		return err
	}
	if id == "" {
		id = name
	}
	if kind == "ANALYTICS" {
		return apierr.New(http.StatusConflict, storageerr.CodeNotEnabled, "The feature Iceberg buckets are not enabled for this tenant is not enabled for this resource")
	}
	if err := b.core.Buckets.Create(r.Context(), c.Call, id, name, wanted); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"name": name})
}

func (b *buckets) list(w http.ResponseWriter, r *http.Request, c *request) error {
	query := readQuery(r.URL.Query())
	list := core.BucketList{
		Limit: query.integer("limit", 1), Offset: query.integer("offset", 0), Search: query.text("search"),
		Column: query.one("sortColumn", "id", "name", "created_at", "updated_at"), Descending: query.one("sortOrder", "asc", "desc") == "desc",
	}
	if err := query.check(); err != nil {
		return err
	}
	found, err := b.core.Buckets.List(r.Context(), c.Call, list)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, found)
}

func (b *buckets) get(w http.ResponseWriter, r *http.Request, c *request) error {
	found, err := b.core.Buckets.Find(r.Context(), c.Call, c.bucket)
	if err != nil {
		return err
	}
	found.Type = "" // only lists contain it
	return httpx.WriteJSON(w, http.StatusOK, found)
}

func (b *buckets) update(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	wanted, err := readChange(body)
	if err != nil {
		return err
	}
	if len(body.given) == 0 {
		return invalid("body must NOT have fewer than 1 properties")
	}
	if err := b.core.Buckets.Update(r.Context(), c.Call, c.bucket, wanted); err != nil {
		return err
	}
	if wanted.Public != nil && !*wanted.Public {
		b.cdn.purgeBucket(r.Context(), c.bucket)
	}
	return message(w, "Successfully updated")
}

func (b *buckets) empty(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := b.core.Buckets.Empty(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	return message(w, "Empty bucket has been queued. Completion may take up to an hour.")
}

func (b *buckets) delete(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := b.core.Buckets.Delete(r.Context(), c.Call, c.bucket); err != nil {
		return err
	}
	b.cdn.purgeBucket(r.Context(), c.bucket)
	return message(w, "Successfully deleted")
}

func (s *Server) status(w http.ResponseWriter, _ *http.Request, _ *request) error {
	w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Server) version(w http.ResponseWriter, _ *http.Request, _ *request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(s.cfg.Version))
	return nil
}

func (s *Server) health(w http.ResponseWriter, r *http.Request, _ *request) error {
	if err := s.core.Ping(r.Context()); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, json.RawMessage(`{"healthy":true}`))
}
