package core

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

// Resumable is an upload of the TUS protocol.
type Resumable struct {
	Version  string    `json:"version"` // of the object that it becomes
	Bucket   string    `json:"bucket_id"`
	Key      string    `json:"key"`
	Length   int64     `json:"length"`    // of the object in bytes
	Stored   int64     `json:"stored"`    // bytes
	Expires  time.Time `json:"expires"`   // unless it is finished
	Finished bool      `json:"finished"`  // the object was made
	Held     bool      `json:"held"`      // a request writes to it
	Describe string    `json:"described"` // Upload-Metadata as the client sent it

	UserMetadata json.RawMessage `json:"user_metadata"`
	Metadata     struct {
		MimeType     string `json:"mimetype"`
		CacheControl string `json:"cacheControl"`
	} `json:"metadata"`

	MD5State []byte `json:"md5_state"`
	StoredAs string `json:"stored_as"` // the blob store's upload; empty before the first part
	NextPart int    `json:"next_part"`
	Tail     string `json:"tail"` // version of the blob with the bytes that are too few for a part
	TailSize int64  `json:"tail_size"`
}

// Offset returns the offset at which the client continues. At the end of the object a
// client considers the upload complete, so if all bytes are stored but the object was not
// made, Offset asks for the last byte again.
func (r Resumable) Offset() int64 {
	if r.Stored == r.Length && !r.Finished && r.Length > 0 {
		return r.Length - 1
	}
	return r.Stored
}

// Target returns the object that the upload becomes, without owner and Upsert.
func (r Resumable) Target() Target {
	t := Target{Bucket: r.Bucket, Key: r.Key, MimeType: r.Metadata.MimeType, Length: r.Length, UserMetadata: r.UserMetadata}
	if string(t.UserMetadata) == "null" {
		t.UserMetadata = nil
	}
	return t
}

const (
	resumableJSON = `json_build_object('version', u.version, 'bucket_id', u.bucket_id, 'key', u.key, 'length', u.length, 'stored', u.stored,
		'expires', u.expires_at, 'finished', u.finished_at is not null, 'held', u.holder is not null, 'described', u.described, 'user_metadata', u.user_metadata,
		'metadata', u.metadata, 'md5_state', u.md5_state, 'stored_as', u.stored_as, 'next_part', u.next_part, 'tail', u.tail, 'tail_size', u.tail_size)`
	beginResumable = `insert into storage.resumable_uploads as u (version, bucket_id, key, owner_id, length, metadata, user_metadata, described, expires_at)
		values ($1, $2, $3, $4, $5::bigint, $6::jsonb, $7::jsonb, $8, $9::timestamptz) returning ` + resumableJSON
	findResumable = `select ` + resumableJSON + ` from storage.resumable_uploads u where u.version = $1 and u.bucket_id = $2 and u.key = $3`
)

// Resumables are the uploads of the TUS protocol.
type Resumables struct{ s *Service }

// Begin creates an upload if the caller may write the object. trusted is as for Upload.
//
// Errors: as Authorize; EntityTooLarge; InvalidMimeType; InsufficientStorage.
func (r *Resumables) Begin(ctx context.Context, call Call, t Target, cacheControl, described string, trusted bool) (Resumable, error) {
	if err := CheckKey(t.Key); err != nil {
		return Resumable{}, err
	}
	bucket, err := r.s.Bucket(ctx, t.Bucket)
	if err != nil {
		return Resumable{}, err
	}
	if !strings.HasSuffix(t.Key, emptyFolder) {
		if err := mimetype.CheckDeclared(t.MimeType, bucket.MimeTypes); err != nil {
			return Resumable{}, err
		}
	}
	if t.Length > r.s.cfg.wholeLimit(bucket) {
		return Resumable{}, storageerr.ErrResumableTooLarge
	}
	asked := call
	if trusted {
		asked = call.asService()
	}
	if err := r.s.Authorize(ctx, asked, t); err != nil {
		return Resumable{}, err
	}
	if err := r.s.guard.Check(t.Length); err != nil {
		return Resumable{}, storageerr.FromBlobs(err)
	}
	_, owner := owners(t.Owner)
	metadata := map[string]string{"mimetype": t.MimeType, "cacheControl": cacheControl}
	now := r.s.now()
	var made Resumable
	err = r.s.query(ctx, call.asService(), beginResumable, []any{
		newVersion(now), t.Bucket, t.Key, owner, t.Length, metadata, orNull(t.UserMetadata), described,
		now.Add(r.s.cfg.ResumableLifetime).Format(time.RFC3339Nano),
	}, readResumable(&made))
	return made, storageerr.FromDatabase(err)
}

// Authorize checks whether the caller may continue an upload, as Service.Authorize does.
func (r *Resumables) Authorize(ctx context.Context, call Call, t Target, trusted bool) error {
	if trusted {
		call = call.asService()
	}
	return r.s.authorizeCounted(ctx, call, t)
}

// Find returns an upload without checking policies.
//
// Errors: ErrNoSuchResumable; NoSuchUpload with status 410 if it expired.
func (r *Resumables) Find(ctx context.Context, bucket, key, version string) (Resumable, error) {
	var found Resumable
	err := r.s.query(ctx, Call{}.asService(), findResumable, []any{version, bucket, key}, readResumable(&found))
	switch {
	case err != nil:
		return found, storageerr.FromDatabase(err)
	case found.Version == "":
		return found, storageerr.ErrNoSuchResumable
	case r.s.now().After(found.Expires):
		return found, storageerr.ErrResumableExpired
	}
	return found, nil
}

func readResumable(to *Resumable) func(row [][]byte) error {
	return func(row [][]byte) error { return json.Unmarshal(row[0], to) }
}

// FileSizeLimit returns the maximum size of an object in bytes.
func (s *Service) FileSizeLimit() int64 { return s.cfg.FileSizeLimit }

// wholeLimit returns the maximum size in bytes of an object of a bucket that is uploaded
// in more than one request. PlainSizeLimit does not apply to it.
func (c Config) wholeLimit(bucket Bucket) int64 {
	if bucket.FileSizeLimit != nil {
		return min(c.FileSizeLimit, *bucket.FileSizeLimit)
	}
	return c.FileSizeLimit
}
