package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"plaza/server/filesys"
	"plaza/server/lazyregexp"
)

// logFolder holds PostgreSQL's write-ahead log. The manifest lists it by positions
// rather than by files.
const logFolder = "pg_wal/"

var segmentName = lazyregexp.New(`^[0-9A-F]{24}$`)

// walkArchive calls each for every entry of an archive.
func walkArchive(ctx context.Context, archive io.Reader, each func(*tar.Header, io.Reader) error) error {
	unpacked, err := zstd.NewReader(archive, zstd.WithDecoderConcurrency(2))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	for entries := tar.NewReader(unpacked); ; {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			_, err := io.Copy(io.Discard, unpacked) // verifies the last checksum
			return err
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		header.Name = path.Clean(header.Name)
		if !fs.ValidPath(header.Name) {
			return fmt.Errorf("%q is not the name of a database file", header.Name)
		}
		if err := each(header, entries); err != nil {
			return fmt.Errorf("%s: %w", header.Name, err)
		}
	}
}

// checkArchive reads the archive, compares its files with PostgreSQL's manifest, and
// returns the archive's SHA-256 in hexadecimal.
//
// Errors: ErrAltered.
func checkArchive(ctx context.Context, root *os.Root) (string, error) {
	list, err := readManifest(root)
	if err != nil {
		return "", err
	}
	files, err := list.files()
	if err != nil {
		return "", err
	}
	file, err := root.Open(archiveFile)
	if err != nil {
		return "", altered(archiveFile, err.Error())
	}
	defer func() { _ = file.Close() }()
	dropCache(file)
	sum := sha256.New()
	found := segments{found: make(map[string]uint64)}
	err = walkArchive(ctx, io.TeeReader(file, sum), func(header *tar.Header, content io.Reader) error {
		if header.Typeflag != tar.TypeReg {
			return nil
		}
		name, ofLog := strings.CutPrefix(header.Name, logFolder)
		if ofLog && segmentName().MatchString(name) {
			return found.add(name, header.Size, content)
		}
		want, ok := files[header.Name]
		if !ok && ofLog {
			return nil // a timeline history file
		}
		if !ok {
			return errors.New("it is not in PostgreSQL's manifest")
		}
		delete(files, header.Name)
		return checkFile(content, want)
	})
	if err == nil {
		_, err = io.Copy(sum, file) // bytes after the decoder's end
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", altered(archiveFile, err.Error())
	}
	for name := range files {
		return "", altered(archiveFile, name+" is missing")
	}
	return hex.EncodeToString(sum.Sum(nil)), found.check(list)
}

// segments holds the segment files of the log in an archive.
type segments struct {
	size  int64             // of each segment
	found map[string]uint64 // positions by name
}

// add records a segment.
func (s *segments) add(name string, size int64, content io.Reader) error {
	if s.size == 0 {
		s.size = size
	}
	header := make([]byte, pageHeaderSize)
	if _, err := io.ReadFull(content, header); err != nil || size != s.size {
		return errors.New("it is truncated")
	}
	s.found[name] = readPageHeader(header).position
	return nil
}

// check returns an error if a segment that the database needs is missing.
func (s *segments) check(list manifest) error {
	needed, err := list.segments(s.size)
	if err != nil {
		return err
	}
	for name, position := range needed {
		if at, ok := s.found[name]; !ok || at != position {
			return altered(archiveFile, logFolder+name+" is missing, or another part of the log")
		}
	}
	return nil
}

// unpack writes the archive's files to a new folder and verifies them.
//
// Errors: ErrAltered.
func unpack(ctx context.Context, root *os.Root, folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	to, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	file, err := root.Open(archiveFile)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	err = walkArchive(ctx, file, func(header *tar.Header, content io.Reader) error {
		switch header.Typeflag {
		case tar.TypeDir:
			return to.MkdirAll(header.Name, 0o700)
		case tar.TypeReg:
			return unpackFile(to, header.Name, content)
		default:
			return errors.New("it is neither a file nor a folder")
		}
	})
	if err != nil {
		return err
	}
	if err := filesys.SyncTree(folder); err != nil {
		return err
	}
	return checkUnpacked(ctx, root, to)
}

func unpackFile(to *os.Root, name string, content io.Reader) error {
	if err := to.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	made, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(made, content)
	return errors.Join(err, made.Close())
}

// checkUnpacked compares the files on disk with PostgreSQL's manifest.
func checkUnpacked(ctx context.Context, root, unpacked *os.Root) error {
	list, err := readManifest(root)
	if err != nil {
		return err
	}
	files, err := list.files()
	if err != nil {
		return err
	}
	for name, want := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		file, err := unpacked.Open(name)
		if err != nil {
			return err
		}
		dropCache(file)
		if err := errors.Join(checkFile(file, want), file.Close()); err != nil {
			return fmt.Errorf("%s was not written as it is in the backup: %w", name, err)
		}
	}
	return nil
}
