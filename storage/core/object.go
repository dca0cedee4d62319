package core

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"plaza/storage/storageerr"
)

// Object is a row of storage.objects. Times are RFC 3339, in UTC with milliseconds.
type Object struct {
	Name         string          `json:"name"`
	Bucket       string          `json:"bucket_id"`
	Owner        *string         `json:"owner,omitempty"`
	OwnerID      *string         `json:"owner_id,omitempty"`
	Version      string          `json:"version"`
	ID           string          `json:"id"`
	Updated      *string         `json:"updated_at"`
	Created      *string         `json:"created_at"`
	Accessed     *string         `json:"last_accessed_at"`
	Metadata     json.RawMessage `json:"metadata"`
	UserMetadata json.RawMessage `json:"user_metadata"`

	Properties `json:"-"`
}

// Properties are an object's metadata as far as they are valid: SQL may have written
// anything.
type Properties struct {
	ETag         string // in quotes
	Size         int64  // bytes; UnknownSize if the row has none
	MimeType     string
	CacheControl string
	RobotsTag    string
	Modified     time.Time // zero if the row has none
	LastModified string    // the same as an HTTP date; empty if the row has none

	blob string // name of its blob; empty if there can be none
}

// Revision identifies the content of an object. It changes with the content, and not when
// the object is moved.
func (o Object) Revision() string { return o.blob + " " + o.ETag + " " + o.LastModified }

// UnknownSize is the size of an object whose row has none.
const UnknownSize = -1

// objectJSON selects a row of storage.objects as readObject parses it.
const objectJSON = `json_build_object('name', o.name, 'bucket_id', o.bucket_id, 'owner', o.owner, 'owner_id', o.owner_id,
	'version', coalesce(o.version, ''), 'id', o.id, ` + objectTimes + `, 'metadata', o.metadata, 'user_metadata', o.user_metadata)`

const (
	jsTime      = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`
	objectTimes = `'updated_at', to_char(o.updated_at at time zone 'utc', ` + jsTime + `),
	'created_at', to_char(o.created_at at time zone 'utc', ` + jsTime + `),
	'last_accessed_at', to_char(o.last_accessed_at at time zone 'utc', ` + jsTime + `)`
)

// httpTime is the layout of times in HTTP headers. Source: RFC 9110, section 5.6.7.
const httpTime = "Mon, 02 Jan 2006 15:04:05 GMT"

// readObject returns a function that parses a row of objectJSON.
func readObject(to *Object) func(row [][]byte) error {
	return func(row [][]byte) error {
		if err := json.Unmarshal(row[0], to); err != nil {
			return err
		}
		to.Properties = readProperties(to.Metadata)
		if to.Modified.IsZero() && to.Updated != nil {
			to.Modified, _ = time.Parse(time.RFC3339, *to.Updated)
		}
		if !to.Modified.IsZero() {
			to.LastModified = to.Modified.UTC().Format(httpTime)
		}
		to.blob = blobName(to.Bucket, to.Name, to.Version)
		return nil
	}
}

func readProperties(metadata json.RawMessage) Properties {
	var given map[string]any
	decoder := json.NewDecoder(bytes.NewReader(metadata))
	decoder.UseNumber()
	_ = decoder.Decode(&given) // anything but an object has no properties
	text := func(name string) string {
		value, _ := given[name].(string)
		return value
	}
	properties := Properties{
		ETag: text("eTag"), Size: UnknownSize, MimeType: text("mimetype"), CacheControl: text("cacheControl"), RobotsTag: text("xRobotsTag"),
	}
	for _, name := range []string{"size", "contentLength"} {
		number := text(name)
		if given, ok := given[name].(json.Number); ok {
			number = given.String()
		}
		if size, err := strconv.ParseInt(number, 10, 64); err == nil && size >= 0 && properties.Size == UnknownSize {
			properties.Size = size
		}
	}
	properties.Modified, _ = time.Parse(time.RFC3339, text("lastModified"))
	return properties
}

const findObject = `select ` + objectJSON + ` from storage.objects o where o.bucket_id = $1 and o.name = $2`

// Object returns an object that the caller may read. Errors: NoSuchKey.
func (s *Service) Object(ctx context.Context, call Call, bucket, key string) (Object, error) {
	if err := CheckBucketName(bucket); err != nil {
		return Object{}, err
	}
	if err := CheckKey(key); err != nil {
		return Object{}, err
	}
	var found Object
	if err := s.query(ctx, call, findObject, []any{bucket, key}, readObject(&found)); err != nil {
		return Object{}, storageerr.FromDatabase(err)
	}
	if found.ID == "" {
		return Object{}, storageerr.ErrNoSuchKey
	}
	return found, nil
}

// Visible returns an object for a download: anybody may read those of a public bucket,
// policies decide about others. known reports whether the caller has sent a token.
//
// Errors: NoSuchBucket, also for a private bucket if the caller has sent no token;
// NoSuchKey.
func (s *Service) Visible(ctx context.Context, call Call, known bool, bucket, key string) (Object, error) {
	found, err := s.Bucket(ctx, bucket)
	switch {
	case err != nil:
		return Object{}, err
	case found.Public:
		return s.publicObject(ctx, bucket, key)
	case !known:
		return Object{}, storageerr.ErrNoSuchBucket
	}
	return s.Object(ctx, call, bucket, key)
}

// Public returns an object of a public bucket. Errors: NoSuchBucket, NoSuchKey.
func (s *Service) Public(ctx context.Context, bucket, key string) (Object, error) {
	return s.Visible(ctx, Call{}, false, bucket, key)
}

// Trusted returns an object for a request with a signed URL. Errors: NoSuchKey.
func (s *Service) Trusted(ctx context.Context, call Call, bucket, key string) (Object, error) {
	return s.Object(ctx, call.asService(), bucket, key)
}

// isUUID reports whether the column owner can hold a text.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, char := range strings.ToLower(text) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := char >= '0' && char <= '9' || char >= 'a' && char <= 'f'
		if dash != (char == '-') || !dash && !hex {
			return false
		}
	}
	return true
}

// owners returns the values of the columns owner and owner_id for a user.
func owners(user string) (owner, ownerID any) {
	if user == "" {
		return nil, nil
	}
	if !isUUID(user) {
		return nil, user
	}
	return user, user
}
