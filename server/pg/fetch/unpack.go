package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Limits of a package's content. The largest has 1,100 files and 120 MB.
const (
	maxFiles    = 20_000
	maxUnpacked = 1 << 30
)

// errArchive means that a package is damaged, or contains what no npm package does.
var errArchive = errors.New("the package is not valid")

// unpack writes the files of an npm package to a new folder. What an interrupted call left is replaced.
func unpack(ctx context.Context, archive io.Reader, folder string) (err error) {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	reader := tar.NewReader(io.LimitReader(unzipped, maxUnpacked))
	for files := 0; ; files++ {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errArchive, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if files == maxFiles {
			return fmt.Errorf("%w: it has more than %d files", errArchive, maxFiles)
		}
		if err := extract(root, header, reader); err != nil {
			return err
		}
	}
}

// extract writes one file. All files of an npm package are below one folder, which is left out.
func extract(root *os.Root, header *tar.Header, content io.Reader) error {
	if header.Typeflag == tar.TypeDir {
		return nil // folders are made with their files
	}
	_, name, below := strings.Cut(header.Name, "/")
	if header.Typeflag != tar.TypeReg || !below || !filepath.IsLocal(filepath.FromSlash(header.Name)) || name != path.Clean(name) {
		return fmt.Errorf("%w: it contains %q", errArchive, header.Name)
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if header.Mode&0o100 != 0 {
		mode = 0o755
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
