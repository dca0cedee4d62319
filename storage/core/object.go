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

// Object is a row of storage.objects. Times are as JSON has them, in UTC with
// milliseconds.
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

// Properties are an object's metadata, as far as they can be read: SQL may have
// written anything there.
type Properties struct {
	ETag         string // in quotes
	Size         int64  // bytes; UnknownSize where the row does not tell
	MimeType     string
	CacheControl string
	RobotsTag    string
	Modified     time.Time // zero where the row does not tell
	LastModified string    // the same, as HTTP has it; empty where the row does not tell

	blob string // the name of its bytes; empty where there can be none
}

// Revision names the bytes of an object: other bytes have another one, and where
// the object is moved they keep it.
func (o Object) Revision() string { return o.blob + " " + o.ETag + " " + o.LastModified }

// UnknownSize is the size of an object whose row does not tell it.
const UnknownSize = -1

// objectJSON is a row of storage.objects as Object reads it.
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

// readObject takes a row that objectJSON made.
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
	_ = decoder.Decode(&given) // what is no object has no properties
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

// Object finds an object that the caller may see. Errors: NoSuchKey.
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

// Visible finds an object as a download does: in a public bucket anybody may see
// it, in another one as policies say. known tells whether the caller has shown a
// token.
//
// Errors: NoSuchBucket, also where a caller without a token asks for a private
// one; NoSuchKey.
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

// Public finds an object of a public bucket. Errors: NoSuchBucket, NoSuchKey.
func (s *Service) Public(ctx context.Context, bucket, key string) (Object, error) {
	return s.Visible(ctx, Call{}, false, bucket, key)
}

// Trusted finds an object whose reader has shown a signed URL. Errors: NoSuchKey.
func (s *Service) Trusted(ctx context.Context, call Call, bucket, key string) (Object, error) {
	return s.Object(ctx, call.asService(), bucket, key)
}

// isUUID tells what the column owner can hold.
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

// owners returns the columns owner and owner_id of a user.
func owners(user string) (owner, ownerID any) {
	if user == "" {
		return nil, nil
	}
	if !isUUID(user) {
		return nil, user
	}
	return user, user
}
