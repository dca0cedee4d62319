package core

import (
	"context"
	"io/fs"
	"mime"
	"path"

	"plaza/server/apierr"
	"plaza/storage/storageerr"
)

// Seed stores the files of a folder in a bucket, with their paths as keys. It does not
// overwrite objects.
func Seed(ctx context.Context, s *Service, bucket string, files fs.FS) error {
	call := Call{Operation: "storage.object.upload"}.asService()
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		_, err = s.Object(ctx, call, bucket, name)
		if known := apierr.As(err); known == nil || known.Code != storageerr.CodeNoSuchKey {
			return err
		}
		return seedFile(ctx, s, call, bucket, files, name)
	})
}

func seedFile(ctx context.Context, s *Service, call Call, bucket string, files fs.FS, name string) error {
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	about, err := file.Stat()
	if err != nil {
		return err
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	_, err = s.Upload(ctx, call, Upload{
		Target: Target{Bucket: bucket, Key: name, MimeType: kind, Length: about.Size()}, CacheControl: "max-age=3600", Size: about.Size(), Body: file,
	}, true)
	return err
}
