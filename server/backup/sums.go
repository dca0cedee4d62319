package backup

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"
)

// sumWriter writes SHA256SUMS.
type sumWriter struct {
	mu   sync.Mutex
	file *os.File
	to   *bufio.Writer
}

func newSumWriter(root *os.Root) (*sumWriter, error) {
	file, err := root.OpenFile(sumsFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &sumWriter{file: file, to: bufio.NewWriter(file)}, nil
}

// add records the checksum of a file. The names in a backup need no escaping.
func (w *sumWriter) add(name string, sum []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := fmt.Fprintf(w.to, "%x  %s\n", sum, name)
	return err
}

func (w *sumWriter) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.to.Flush(), w.file.Close())
}

// sumLine is a line of SHA256SUMS.
type sumLine struct {
	name string
	sum  string // hexadecimal
}

// readSums iterates over the lines of SHA256SUMS.
//
// Errors: ErrAltered.
func readSums(root *os.Root) iter.Seq2[sumLine, error] {
	return func(yield func(sumLine, error) bool) {
		file, err := root.Open(sumsFile)
		if err != nil {
			yield(sumLine{}, altered(sumsFile, err.Error()))
			return
		}
		defer func() { _ = file.Close() }()
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			sum, name, ok := strings.Cut(lines.Text(), "  ")
			if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != 32 || strings.ToLower(sum) != sum {
				yield(sumLine{}, altered(sumsFile, "a line is not a checksum and a name"))
				return
			}
			if !yield(sumLine{name, sum}, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(sumLine{}, altered(sumsFile, err.Error()))
		}
	}
}

func altered(name, why string) error { return fmt.Errorf("%w: %s: %s", ErrAltered, name, why) }
