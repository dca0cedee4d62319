package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// manifest is PostgreSQL's list of a backup's files.
//
// Source: "Backup Manifest Format" in PostgreSQL's manual.
type manifest struct {
	Files []struct {
		Path        string
		EncodedPath string `json:"Encoded-Path"` // in hexadecimal, if the name is not UTF-8
		Size        int64
		Algorithm   string `json:"Checksum-Algorithm"`
		Checksum    string
	}
	WAL []struct {
		Timeline uint32
		Start    string `json:"Start-LSN"`
		End      string `json:"End-LSN"`
	} `json:"WAL-Ranges"`
	Checksum string `json:"Manifest-Checksum"`
}

// readManifest reads the manifest and verifies its own checksum.
//
// Errors: ErrAltered.
func readManifest(root *os.Root) (manifest, error) {
	var m manifest
	text, err := root.ReadFile(manifestFile)
	if err != nil {
		return m, altered(manifestFile, err.Error())
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, altered(manifestFile, err.Error())
	}
	summed, _, _ := bytes.Cut(text, []byte(`"Manifest-Checksum"`))
	if sum := sha256.Sum256(summed); hex.EncodeToString(sum[:]) != m.Checksum {
		return m, altered(manifestFile, "its own checksum differs")
	}
	if len(m.WAL) == 0 {
		return m, altered(manifestFile, "it names no log")
	}
	return m, nil
}

// expected is the expected size and checksum of a database file.
type expected struct {
	size int64
	sum  string // hexadecimal
}

// files returns the files of the manifest by name.
func (m manifest) files() (map[string]expected, error) {
	files := make(map[string]expected, len(m.Files))
	for _, file := range m.Files {
		name := file.Path
		if name == "" {
			raw, err := hex.DecodeString(file.EncodedPath)
			if err != nil {
				return nil, altered(manifestFile, err.Error())
			}
			name = string(raw)
		}
		if file.Algorithm != "SHA256" {
			return nil, altered(manifestFile, "no SHA256 of "+name)
		}
		files[name] = expected{file.Size, file.Checksum}
	}
	return files, nil
}

// segments returns the positions of the log segments that the database needs, by name.
func (m manifest) segments(size int64) (map[string]uint64, error) {
	needed := make(map[string]uint64)
	if size <= 0 || size&(size-1) != 0 {
		return nil, altered(archiveFile, fmt.Sprintf("a file of the log has %d bytes", size))
	}
	of := uint64(size)
	for _, part := range m.WAL {
		start, err := parseLSN(part.Start)
		if err != nil {
			return nil, altered(manifestFile, err.Error())
		}
		end, err := parseLSN(part.End)
		if err != nil || end <= start {
			return nil, altered(manifestFile, "the log ends before it begins")
		}
		for number := start / of; number <= (end-1)/of; number++ {
			perLog := uint64(1) << 32 / of
			needed[fmt.Sprintf("%08X%08X%08X", part.Timeline, number/perLog, number%perLog)] = number * of
		}
	}
	return needed, nil
}

// parseLSN parses a log position such as "0/2000028".
func parseLSN(text string) (uint64, error) {
	high, low, ok := strings.Cut(text, "/")
	upper, err := strconv.ParseUint(high, 16, 32)
	lower, err2 := strconv.ParseUint(low, 16, 32)
	if !ok || err != nil || err2 != nil {
		return 0, fmt.Errorf("%q is no position in the log", text)
	}
	return upper<<32 | lower, nil
}

// checkFile reads a file to its end and compares its size and checksum.
func checkFile(r io.Reader, want expected) error {
	sum := sha256.New()
	size, err := io.Copy(sum, r)
	if err != nil {
		return err
	}
	if size != want.size || hex.EncodeToString(sum.Sum(nil)) != want.sum {
		return fmt.Errorf("%d bytes of another content than the %d of the list", size, want.size)
	}
	return nil
}
