package embedded

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// extensionFolder returns the folder whose subfolder "extension" PostgreSQL searches before its own.
func extensionFolder(cfg Config) string {
	return filepath.Join(filepath.Dir(cfg.DataDir), "extensions")
}

// ownExtensions returns the folder of the extensions that PostgreSQL has itself, or "" if it is in no usual place.
func (b binaries) ownExtensions() string {
	dir := b.dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, share := range []string{"share/postgresql", "share"} {
		folder := filepath.Join(filepath.Dir(dir), filepath.FromSlash(share), "extension")
		if _, err := os.Stat(filepath.Join(folder, "plpgsql.control")); err == nil {
			return folder
		}
	}
	return ""
}

// writeExtensions replaces the files of the further extensions, and of those that are to be trusted.
func writeExtensions(cfg Config, bin binaries, id identity) error {
	folder := extensionFolder(cfg)
	if len(cfg.Extensions) == 0 {
		return nil
	}
	files, err := controlFiles(cfg, bin.ownExtensions())
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return notWritable(folder, err)
	}
	written := filepath.Join(folder, "extension")
	if err := os.MkdirAll(written, 0o755); err != nil {
		return notWritable(written, err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(written, name), []byte(text), 0o644); err != nil {
			return notWritable(written, err)
		}
	}
	if err := id.own(folder); err != nil {
		return notWritable(folder, err)
	}
	return nil
}

// controlFiles returns the files, by name, that PostgreSQL is to find before those in its own folder own: extensions
// that it does not have, and copies of control files that let the owner of the database create an extension.
func controlFiles(cfg Config, own string) (map[string]string, error) {
	files := maps.Clone(cfg.Extensions)
	if own == "" {
		return files, nil
	}
	maps.DeleteFunc(files, func(name, _ string) bool {
		extension, _, _ := strings.Cut(strings.TrimSuffix(name, ".control"), "--")
		_, err := os.Stat(filepath.Join(own, extension+".control"))
		return err == nil
	})
	for _, extension := range cfg.Trusted {
		control, err := os.ReadFile(filepath.Join(own, extension+".control"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[extension+".control"] = string(control) + "\ntrusted = true\ndirectory = '" + strings.ReplaceAll(own, "'", "''") + "'\n"
	}
	return files, nil
}
