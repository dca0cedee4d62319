package rest

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/server/httpx"
	"plaza/storage/core"
)

func (s *Server) deleteObject(w http.ResponseWriter, r *http.Request, c *request) error {
	if err := s.core.Delete(r.Context(), c.Call, c.bucket, c.key); err != nil {
		return err
	}
	return message(w, "Successfully deleted")
}

func (s *Server) deleteObjects(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	body.require("prefixes")
	keys := body.texts("prefixes", 1, 0)
	if err := body.check(); err != nil {
		return err
	}
	deleted, err := s.core.DeleteMany(r.Context(), c.Call, c.bucket, keys)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, deleted)
}

func (s *Server) search(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	body.require("prefix")
	wanted := core.Search{
		Prefix: body.text("prefix"), Search: body.text("search"), Limit: deref(body.integer("limit", 1)), Offset: deref(body.integer("offset", 0)),
	}
	wanted.Column, wanted.Descending = order(body, "name", "updated_at", "created_at", "last_accessed_at")
	if err := body.check(); err != nil {
		return err
	}
	found, err := s.core.Search(r.Context(), c.Call, c.bucket, wanted)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, found)
}

// order reads sortBy.
func order(body *fields, columns ...string) (column string, descending bool) {
	if _, given := body.given["sortBy"]; !given {
		return "", false
	}
	by := body.in("sortBy")
	by.require("column")
	column, descending = by.one("column", columns...), by.one("order", "asc", "desc") == "desc"
	body.err = by.err
	return column, descending
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	wanted := core.List{Prefix: body.text("prefix"), Limit: deref(body.integer("limit", 1)), Cursor: body.text("cursor")}
	if deref(body.boolean("with_delimiter")) {
		wanted.Delimiter = "/"
	}
	wanted.Column, wanted.Descending = order(body, "name", "updated_at", "created_at")
	if err := body.check(); err != nil {
		return err
	}
	page, err := s.core.List(r.Context(), c.Call, c.bucket, wanted)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, page)
}

// fromTo reads the source and destination of a move or copy.
func fromTo(body *fields) (bucket, key, toBucket, toKey string) {
	body.require("bucketId", "sourceKey", "destinationKey")
	bucket, key, toBucket, toKey = body.text("bucketId"), body.text("sourceKey"), body.text("destinationBucket"), body.text("destinationKey")
	if toBucket == "" {
		toBucket = bucket
	}
	return bucket, key, toBucket, toKey
}

func (s *Server) moveObject(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	bucket, key, toBucket, toKey := fromTo(body)
	if err := body.check(); err != nil {
		return err
	}
	moved, err := s.core.Move(r.Context(), c.Call, bucket, key, toBucket, toKey, c.Who.Subject)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"message": "Successfully moved", "Id": moved.ID, "Key": moved.Name})
}

func (s *Server) copyObject(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	wanted := core.Copy{KeepMetadata: true, Change: map[string]string{}}
	wanted.Bucket, wanted.Key, wanted.To.Bucket, wanted.To.Key = fromTo(body)
	if keep := body.boolean("copyMetadata"); keep != nil {
		wanted.KeepMetadata = *keep
	}
	if _, given := body.given["metadata"]; given {
		metadata := body.in("metadata")
		for _, name := range []string{"cacheControl", "mimetype"} {
			if _, given := metadata.given[name]; given {
				wanted.Change[name] = metadata.text(name)
			}
		}
	}
	if err := body.check(); err != nil {
		return err
	}
	wanted.To.Owner, wanted.To.Upsert = c.Who.Subject, r.Header.Get("X-Upsert") == "true"
	wanted.To.UserMetadata = userMetadata(r.Header.Get("X-Metadata"))
	made, err := s.core.Copy(r.Context(), c.Call, wanted)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, struct {
		UpperID string `json:"Id"`
		Path    string `json:"Key"`
		core.Object
	}{made.ID, wanted.To.Bucket + "/" + wanted.To.Key, made})
}

// signedURL returns the path of a signed URL in the form that storage-js expects: only
// question marks are escaped.
func signedURL(path, token string) string {
	return strings.ReplaceAll(path, "?", "%3F") + "?token=" + token
}

func (s *Server) signDownload(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	body.require("expiresIn")
	lifetime := deref(body.integer("expiresIn", 1))
	if err := body.check(); err != nil {
		return err
	}
	transformations, format, err := s.transform(body)
	if err != nil {
		return err
	}
	signed, err := s.core.SignDownload(r.Context(), c.Call, c.bucket, c.key, lifetime, transformations, format)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"signedURL": signedURL(signedPath(transformations)+c.bucket+"/"+c.key, signed)})
}

// maxSigned is the maximum number of URLs to sign in one request.
// Source: supabase/storage.
const maxSigned = 1000

func (s *Server) signDownloads(w http.ResponseWriter, r *http.Request, c *request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	body.require("expiresIn", "paths")
	lifetime, keys := deref(body.integer("expiresIn", 1)), body.texts("paths", 1, maxSigned)
	if err := body.check(); err != nil {
		return err
	}
	tokens, err := s.core.SignDownloads(r.Context(), c.Call, c.bucket, keys, lifetime)
	if err != nil {
		return err
	}
	type result struct {
		Error     *string `json:"error"`
		Path      string  `json:"path"`
		SignedURL *string `json:"signedURL"`
	}
	results := make([]result, len(keys))
	for i, key := range keys {
		results[i].Path = key
		if token, ok := tokens[key]; ok {
			signed := signedURL("/object/sign/"+c.bucket+"/"+key, token)
			results[i].SignedURL = &signed
		} else {
			missing := "Either the object does not exist or you do not have access to it"
			results[i].Error = &missing
		}
	}
	return httpx.WriteJSON(w, http.StatusOK, results)
}

func (s *Server) signUpload(w http.ResponseWriter, r *http.Request, c *request) error {
	target := core.Target{
		Bucket: c.bucket, Key: c.key, Upsert: r.Header.Get("X-Upsert") == "true", Owner: c.Who.Subject,
		MimeType: r.Header.Get("Content-Type"), Length: core.UnknownSize, UserMetadata: userMetadata(r.Header.Get("X-Metadata")),
	}
	if length, err := strconv.ParseInt(r.Header.Get("Content-Length"), 10, 64); err == nil {
		target.Length = length
	}
	made, err := s.core.SignUpload(r.Context(), c.Call, target)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"url": signedURL("/object/upload/sign/"+c.bucket+"/"+c.key, made), "token": made})
}
