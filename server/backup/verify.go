package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// readers is the number of files that are verified concurrently.
const readers = 4

// Verify reads a backup and compares it with its checksums, and the copy of the
// database with PostgreSQL's manifest.
//
// Errors: ErrAltered, with the name of a file; ErrIncompatible if it was made in another
// format; ErrPlace if there is no backup.
func Verify(ctx context.Context, dir string) (Description, error) {
	if strings.HasSuffix(filepath.Clean(dir), draftSuffix) {
		return Description{}, fmt.Errorf("%w: %s is a backup that was not finished", ErrPlace, dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Description{}, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	defer func() { _ = root.Close() }()
	made, err := readDescription(root)
	if err != nil {
		return made, err
	}
	return made, check(ctx, root, made)
}

// readDescription reads backup.json.
//
// Errors: ErrAltered; ErrIncompatible; ErrPlace if the file does not exist.
func readDescription(root *os.Root) (Description, error) {
	var made Description
	text, err := root.ReadFile(descriptionFile)
	if errors.Is(err, fs.ErrNotExist) {
		return made, fmt.Errorf("%w: %s is no backup: it has no %s", ErrPlace, root.Name(), descriptionFile)
	}
	if err == nil {
		err = json.Unmarshal(text, &made)
	}
	if err != nil {
		return made, altered(descriptionFile, err.Error())
	}
	if made.Format != format {
		return made, fmt.Errorf("%w: it has format %d, and this program reads format %d; use the version that made it, %s", ErrIncompatible, made.Format, format, made.Version)
	}
	return made, nil
}

// check compares the files of a backup with their checksums.
func check(ctx context.Context, root *os.Root, made Description) error {
	list, err := readList(root)
	if err != nil {
		return err
	}
	defer func() { _ = list.Close() }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readers)
	listed, database, archived := 0, archiveFile, false
	if made.Database.Command {
		database = databaseFolder + "/"
	}
	for line, err := range readSums(root) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = list.confirm(line)
		}
		if err != nil {
			stop()
			return firstError(group.Wait(), err)
		}
		listed++
		archived = archived || strings.HasPrefix(line.name, database)
		group.Go(func() error { return checkLine(ctx, root, line) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	switch rest, more, err := list.nextStored(); {
	case err != nil:
		return err
	case more:
		return altered(sumsFile, "it lacks "+rest.file)
	case !archived:
		return altered(sumsFile, "it lacks "+database)
	}
	return checkNames(root, listed)
}

// firstError returns the first error that is not caused by cancellation.
func firstError(all ...error) error {
	for _, err := range all {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(all...)
}

// confirm compares the checksum of an object's file with objects.csv, which has the same order.
func (l *listReader) confirm(line sumLine) error {
	if !strings.HasPrefix(line.name, objectsFolder+"/") {
		return nil
	}
	o, ok, err := l.nextStored()
	if err != nil {
		return err
	}
	if !ok || o.file != line.name || o.sum != line.sum {
		return altered(line.name, "its sum is not that of "+listFile)
	}
	l.advance()
	return nil
}

// nextStored skips the objects without bytes and returns the next other one.
func (l *listReader) nextStored() (object, bool, error) {
	for l.err == nil && l.next.sum == "" {
		l.advance()
	}
	if l.err != nil && !errors.Is(l.err, io.EOF) {
		return object{}, false, altered(listFile, l.err.Error())
	}
	return l.next, l.err == nil, nil
}

func checkLine(ctx context.Context, root *os.Root, line sumLine) error {
	sum, err := "", error(nil)
	if line.name == archiveFile {
		sum, err = checkArchive(ctx, root)
	} else {
		sum, err = sumOf(ctx, root, line.name)
	}
	if err != nil {
		return err
	}
	if sum != line.sum {
		return altered(line.name, "it was changed since it was written")
	}
	return nil
}

func sumOf(ctx context.Context, root *os.Root, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	file, err := root.Open(name)
	if err != nil {
		return "", altered(name, err.Error())
	}
	defer func() { _ = file.Close() }()
	dropCache(file)
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", altered(name, err.Error())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkNames returns an error if the backup has a file that is not in SHA256SUMS, or if a
// file is there twice. listed is the number of lines of SHA256SUMS.
func checkNames(root *os.Root, listed int) error {
	found := 0
	err := eachFile(root, func(string) error { found++; return nil })
	if err != nil || found == listed {
		return err
	}
	known := make(map[string]bool, listed)
	for line, err := range readSums(root) {
		if err != nil {
			return err
		}
		known[line.name] = true
	}
	err = eachFile(root, func(name string) error {
		if !known[name] {
			return altered(name, "it is not in "+sumsFile)
		}
		return nil
	})
	if err == nil {
		err = altered(sumsFile, "it names a file twice")
	}
	return err
}

func eachFile(root *os.Root, each func(name string) error) error {
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == sumsFile {
			return err
		}
		return each(name)
	})
}
