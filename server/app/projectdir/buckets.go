package projectdir

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"plaza/storage"
)

// bucketConfig is a table [storage.buckets.NAME] of a project's config.toml.
type bucketConfig struct {
	Public        *bool    `toml:"public"`
	FileSizeLimit any      `toml:"file_size_limit"` // bytes, or a string with a unit
	MimeTypes     []string `toml:"allowed_mime_types"`
	ObjectsPath   string   `toml:"objects_path"` // relative to config.toml's folder
}

// buckets returns the configured buckets, sorted by name.
func (f folderConfig) buckets(own fs.FS) (list []storage.Bucket, err error) {
	for _, name := range slices.Sorted(maps.Keys(f.Storage.Buckets)) {
		given := f.Storage.Buckets[name]
		made := storage.Bucket{Name: name, Public: given.Public, MimeTypes: given.MimeTypes}
		if given.FileSizeLimit != nil {
			size, err := sizeInBytes(fmt.Sprint(given.FileSizeLimit))
			if err != nil {
				return nil, fmt.Errorf("storage.buckets.%s.file_size_limit: %w", name, err)
			}
			made.FileSizeLimit = &size
		}
		if given.ObjectsPath != "" {
			if made.Objects, err = fs.Sub(own, path.Clean(given.ObjectsPath)); err != nil {
				return nil, fmt.Errorf("storage.buckets.%s.objects_path: %w", name, err)
			}
		}
		list = append(list, made)
	}
	return list, nil
}

// sizeInBytes parses a size as the Supabase CLI does: all units are binary, so "1MB"
// equals "1MiB".
func sizeInBytes(text string) (int64, error) {
	lower := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "b"), "i")
	factor := 1.0
	if at := strings.IndexByte("kmgt", last(lower)); at >= 0 {
		factor = float64(int64(1) << (10 * (at + 1)))
		lower = lower[:len(lower)-1]
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(lower), 64)
	if err != nil || number < 0 || number*factor > 1<<62 {
		return 0, fmt.Errorf("%q is no size: use bytes, or a number with a unit such as 50MiB", text)
	}
	return int64(number * factor), nil
}

func last(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}
