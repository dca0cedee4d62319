package embedded

import (
	"os"
	"path/filepath"
)

// extensionFolder is where PostgreSQL looks for further extensions: in the folder "extension" in it.
func extensionFolder(cfg Config) string {
	return filepath.Join(filepath.Dir(cfg.DataDir), "extensions")
}

// writeExtensions replaces the files of the further extensions.
func writeExtensions(cfg Config, id identity) error {
	folder := extensionFolder(cfg)
	if len(cfg.Extensions) == 0 {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return notWritable(folder, err)
	}
	files := filepath.Join(folder, "extension")
	if err := os.MkdirAll(files, 0o755); err != nil {
		return notWritable(files, err)
	}
	for name, text := range cfg.Extensions {
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o644); err != nil {
			return notWritable(files, err)
		}
	}
	if err := id.own(folder); err != nil {
		return notWritable(folder, err)
	}
	return nil
}
