package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/minio/minio-go/v7"

	"plaza/storage/blob"
)

// ownerName is the object that names the database whose objects are in the bucket. It is no blob.
const ownerName = ".plaza-database"

// maxOwner is the maximum number of bytes that are read of that object.
const maxOwner = 1 << 10

// ErrOwned means that the bucket belongs to another database.
var ErrOwned = errors.New("the bucket has the objects of another database")

// Claim records that the bucket has the objects of a database. Two databases must not share a bucket: neither knows
// which objects the other one uses, and a copy of a database would delete objects that the original still uses.
//
// Errors: ErrOwned.
func (s *Store) Claim(ctx context.Context, database string) error {
	owner, err := s.owner(ctx)
	if errors.Is(err, blob.ErrNotFound) {
		if err = s.setOwner(ctx, database); err == nil {
			owner, err = s.owner(ctx) // another server may have been faster
		}
	}
	if err != nil {
		return fmt.Errorf("read the owner of the bucket: %w", err)
	}
	if owner != database {
		return fmt.Errorf("%w: it belongs to %s, and this is %s. Use another bucket, or another TENANT_ID; if the other database no longer exists, delete the object %s", ErrOwned, owner, database, s.prefix+ownerName)
	}
	return nil
}

// owner returns the database whose objects are in the bucket. Errors: blob.ErrNotFound.
func (s *Store) owner(ctx context.Context) (owner string, err error) {
	body, _, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+ownerName, minio.GetObjectOptions{})
	if err != nil {
		return "", translateError(err)
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(body, maxOwner))
	return strings.TrimSpace(string(text)), translateError(err)
}

// setOwner creates the object, if no other server has done so.
func (s *Store) setOwner(ctx context.Context, database string) error {
	var options minio.PutObjectOptions
	options.ContentType = "text/plain"
	options.SetMatchETagExcept("*")
	_, err := s.client.Client.PutObject(ctx, s.bucket, s.prefix+ownerName, strings.NewReader(database), int64(len(database)), options)
	if minio.ToErrorResponse(err).Code == minio.PreconditionFailed {
		return nil
	}
	return err
}
