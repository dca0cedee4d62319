package disk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"plaza/storage/blob"
)

// MinPart returns 1, since parts can have any size.
func (s *Store) MinPart() int64 { return 1 }

// Begin creates the folder of an upload.
func (s *Store) Begin(_ context.Context, name string) (string, error) {
	_, err := fileName(name)
	upload := rand.Text()
	folder := uploads + "/" + upload
	if err == nil {
		err = s.begin(folder, name)
	}
	if err != nil {
		return "", fmt.Errorf("begin upload of blob %s: %w", name, wrapFull(err))
	}
	return upload, nil
}

// begin creates the folder atomically, by renaming a temporary folder.
func (s *Store) begin(folder, name string) error {
	draft := s.draft()
	if err := s.root.Mkdir(draft, 0o700); err != nil {
		return err
	}
	err := s.root.WriteFile(draft+"/name", []byte(name), 0o600)
	if err == nil {
		err = syncFolder(s.root, draft+"/name")
	}
	if err == nil {
		err = syncFolder(s.root, draft)
	}
	if err == nil {
		err = s.root.Rename(draft, folder)
	}
	if err == nil {
		err = s.folders.sync(uploads)
	}
	if err != nil {
		return errors.Join(err, s.root.RemoveAll(draft), s.root.RemoveAll(folder))
	}
	return nil
}

// folderOf returns the folder of an upload.
//
// Errors: blob.ErrNotFound, also if the upload belongs to another blob.
func (s *Store) folderOf(name, upload string) (string, error) {
	if upload == "" || strings.ContainsAny(upload, "/.\x00") {
		return "", blob.ErrNotFound
	}
	folder := uploads + "/" + upload
	of, err := s.root.ReadFile(folder + "/name")
	if err != nil {
		return "", wrapNotFound(err)
	}
	if string(of) != name {
		return "", blob.ErrNotFound
	}
	return folder, nil
}

// PutPart writes the file of a part.
func (s *Store) PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (blob.Part, error) {
	part, err := s.putPart(ctx, name, upload, number, r, size)
	if err != nil {
		return blob.Part{}, fmt.Errorf("write part %d of blob %s: %w", number, name, wrapFull(err))
	}
	return part, nil
}

func (s *Store) putPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (blob.Part, error) {
	if number < 1 || number > blob.MaxPart {
		return blob.Part{}, fmt.Errorf("part numbers go from 1 to %d", blob.MaxPart)
	}
	folder, err := s.folderOf(name, upload)
	if err != nil {
		return blob.Part{}, err
	}
	draft := s.draft()
	file, err := s.root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return blob.Part{}, err
	}
	part := blob.Part{Number: number, ETag: rand.Text()}
	part.Size, err = copyTo(ctx, file, r, size)
	if err == nil {
		err = file.Sync()
	}
	info, statErr := file.Stat()
	if err = errors.Join(err, statErr, file.Close()); err == nil {
		part.Modified = info.ModTime()
		err = s.publishPart(draft, folder, part)
	}
	if err != nil {
		return blob.Part{}, errors.Join(err, ignoreMissing(s.root.Remove(draft)))
	}
	return part, nil
}

// publishPart renames a part to its name and removes the part it replaces.
func (s *Store) publishPart(draft, folder string, part blob.Part) error {
	defer s.joins.lock(folder)()
	before, err := s.partFiles(folder)
	if err != nil {
		return err
	}
	if err := s.root.Rename(draft, folder+"/"+partName(part)); err != nil {
		return wrapNotFound(err)
	}
	for _, old := range before {
		if old.Number == part.Number {
			if err := ignoreMissing(s.root.Remove(folder + "/" + partName(old))); err != nil {
				return err
			}
		}
	}
	return s.folders.sync(folder)
}

// partName returns the file name of a part: "00001.{etag}".
func partName(part blob.Part) string { return fmt.Sprintf("%05d.%s", part.Number, part.ETag) }

// partFiles returns the parts of an upload, by number. If the process was killed while a
// part was replaced, there are two parts of one number; the newer one is last.
func (s *Store) partFiles(folder string) ([]blob.Part, error) {
	entries, err := fs.ReadDir(s.root.FS(), folder)
	if err != nil {
		return nil, wrapNotFound(err)
	}
	var parts []blob.Part
	for _, entry := range entries {
		digits, etag, ok := strings.Cut(entry.Name(), ".")
		number, err := strconv.Atoi(digits)
		if !ok || err != nil {
			continue
		}
		info, err := s.root.Stat(folder + "/" + entry.Name())
		if err != nil {
			return nil, wrapNotFound(err)
		}
		parts = append(parts, blob.Part{Number: number, ETag: etag, Size: info.Size(), Modified: info.ModTime()})
	}
	slices.SortStableFunc(parts, func(a, b blob.Part) int {
		if a.Number != b.Number {
			return a.Number - b.Number
		}
		return a.Modified.Compare(b.Modified)
	})
	return parts, nil
}

// Parts lists the files of an upload.
func (s *Store) Parts(_ context.Context, name, upload string) ([]blob.Part, error) {
	folder, err := s.folderOf(name, upload)
	if err != nil {
		return nil, fmt.Errorf("list parts of blob %s: %w", name, err)
	}
	defer s.joins.lock(folder)()
	parts, err := s.partFiles(folder)
	if err != nil {
		return nil, fmt.Errorf("list parts of blob %s: %w", name, err)
	}
	slices.Reverse(parts)
	parts = slices.CompactFunc(parts, func(a, b blob.Part) bool { return a.Number == b.Number })
	slices.Reverse(parts)
	return parts, nil
}

// Join concatenates the parts. The kernel copies the bytes directly between the files, and
// shares them if the file system supports it.
func (s *Store) Join(ctx context.Context, name, upload string, parts []blob.Part) (blob.Info, error) {
	info, err := s.join(ctx, name, upload, parts)
	if err != nil {
		return blob.Info{}, fmt.Errorf("join parts of blob %s: %w", name, wrapFull(err))
	}
	return info, nil
}

func (s *Store) join(ctx context.Context, name, upload string, parts []blob.Part) (blob.Info, error) {
	folder, err := s.folderOf(name, upload)
	if err != nil {
		return blob.Info{}, err
	}
	if err := blob.CheckParts(parts); err != nil {
		return blob.Info{}, err
	}
	clean, err := fileName(name)
	if err != nil {
		return blob.Info{}, err
	}
	defer s.joins.lock(folder)()
	for _, part := range parts { // ETags of the caller become parts of file names
		if strings.Contains(part.ETag, "/") {
			return blob.Info{}, fmt.Errorf("%w: part %d", blob.ErrNotFound, part.Number)
		}
	}
	if len(parts) == 1 {
		err = s.link(folder+"/"+partName(parts[0]), clean)
	} else {
		err = s.create(clean, func(file *os.File) error { return s.concatenate(ctx, file, folder, parts) })
	}
	if err != nil {
		return blob.Info{}, wrapNotFound(err)
	}
	info, err := s.Stat(ctx, name)
	if err != nil {
		return blob.Info{}, err
	}
	return info, s.end(folder)
}

// concatenate appends the parts' files to a file.
func (s *Store) concatenate(ctx context.Context, file *os.File, folder string, parts []blob.Part) error {
	for _, part := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		opened, err := s.root.Open(folder + "/" + partName(part))
		if err != nil {
			return err
		}
		_, err = io.Copy(file, opened)
		if err := errors.Join(err, opened.Close()); err != nil {
			return err
		}
	}
	return nil
}

// end removes the folder of an upload atomically: it is renamed, then deleted.
func (s *Store) end(folder string) error {
	draft := s.draft()
	if err := s.root.Rename(folder, draft); err != nil {
		return ignoreMissing(err)
	}
	return errors.Join(s.folders.sync(uploads), s.root.RemoveAll(draft))
}

// Discard removes the folder of an upload.
func (s *Store) Discard(_ context.Context, name, upload string) error {
	folder, err := s.folderOf(name, upload)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err == nil {
		unlock := s.joins.lock(folder)
		err = s.end(folder)
		unlock()
	}
	if err != nil {
		return fmt.Errorf("discard upload of blob %s: %w", name, err)
	}
	return nil
}

// DiscardAll removes the folders of a name's uploads.
func (s *Store) DiscardAll(ctx context.Context, name string) error {
	entries, err := fs.ReadDir(s.root.FS(), uploads)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for i := 0; i < len(entries) && err == nil; i++ {
		if err = ctx.Err(); err == nil {
			err = s.Discard(ctx, name, entries[i].Name()) // does nothing for uploads of other names
		}
	}
	if err != nil {
		return fmt.Errorf("discard uploads of blob %s: %w", name, err)
	}
	return nil
}
