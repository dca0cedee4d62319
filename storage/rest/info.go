package rest

import (
	"encoding/json"
	"net/http"

	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/storage/core"
)

// sendInfo responds with the metadata of an object.
func sendInfo(w http.ResponseWriter, r *http.Request, row find) error {
	o, err := row(r.Context())
	if err != nil {
		return err
	}
	setUnlessEmpty(w.Header(), "ETag", o.ETag)
	setUnlessEmpty(w.Header(), "Cache-Control", o.CacheControl)
	setUnlessEmpty(w.Header(), "Last-Modified", o.LastModified)
	var size *int64
	if o.Size != core.UnknownSize {
		size = &o.Size
	}
	return httpx.WriteJSON(w, http.StatusOK, struct {
		ID           string          `json:"id"`
		Name         string          `json:"name"`
		Version      string          `json:"version"`
		Bucket       string          `json:"bucket_id"`
		Size         *int64          `json:"size"`
		ContentType  *string         `json:"content_type"`
		CacheControl *string         `json:"cache_control"`
		ETag         *string         `json:"etag"`
		Metadata     json.RawMessage `json:"metadata"`
		Modified     *string         `json:"last_modified"`
		Created      *string         `json:"created_at"`
	}{
		o.ID, o.Name, o.Version, o.Bucket, size, pg.OrNull(o.MimeType), pg.OrNull(o.CacheControl), pg.OrNull(o.ETag), o.UserMetadata, o.Updated, o.Created,
	})
}
