package password

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" // the service's list is of SHA-1 hashes
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"plaza/server/tracing"
)

// Limits of a request to the service. Source: its documentation; a response has about 1,000
// lines of 40 bytes.
const (
	leakedTimeout = 5 * time.Second
	maxLeaked     = 1 << 20
	prefixDigits  = 5
)

// Leaked looks up passwords known from breaches, in a local file or at the service Have I Been
// Pwned. The service only receives the first five hex digits of a password's SHA-1.
type Leaked struct {
	url, agent string
	file       *os.File
	size       int64
}

// NewLeaked returns a Leaked. file is the service's download: sorted lines of one SHA-1 each,
// optionally followed by ":" and a count. An empty file means that the service is used.
func NewLeaked(url, file, agent string) (*Leaked, error) {
	l := &Leaked{url: strings.TrimSuffix(url, "/"), agent: agent}
	if file == "" {
		return l, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	l.file, l.size = opened, info.Size()
	return l, nil
}

// Has reports whether a password is known from a breach.
func (l *Leaked) Has(ctx context.Context, password string) (bool, error) {
	sum := sha1.Sum([]byte(password))
	digest := strings.ToUpper(hex.EncodeToString(sum[:]))
	if l.file != nil {
		return l.search(digest)
	}
	return l.query(ctx, digest)
}

func (l *Leaked) query(ctx context.Context, digest string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, leakedTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/range/"+digest[:prefixDigits], nil)
	if err != nil {
		return false, err
	}
	request.Header.Set("User-Agent", l.agent)
	request.Header.Set("Add-Padding", "true") // so that the response's length reveals nothing
	response, err := tracing.Client().Do(request)
	if err != nil {
		return false, fmt.Errorf("query leaked passwords: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return false, fmt.Errorf("query leaked passwords: status %d", response.StatusCode)
	}
	lines := bufio.NewScanner(io.LimitReader(response.Body, maxLeaked))
	for lines.Scan() {
		suffix, count, _ := strings.Cut(strings.TrimSpace(lines.Text()), ":")
		if strings.EqualFold(suffix, digest[prefixDigits:]) {
			return count != "0", nil // a count of 0 marks padding
		}
	}
	return false, lines.Err()
}

// maxLine is an upper bound of a line with digest, count and line break, in bytes.
const maxLine = 128

// search does a binary search in the file. Each step reads one line.
func (l *Leaked) search(digest string) (bool, error) {
	low, high := int64(0), l.size // the line begins in this range
	for low < high {
		middle := low + (high-low)/2
		line, next, err := l.lineAt(middle)
		if err != nil {
			return false, err
		}
		found, _, _ := strings.Cut(line, ":")
		switch order := strings.Compare(strings.ToUpper(found), digest); {
		case line == "" || order > 0:
			high = middle
		case order == 0:
			return true, nil
		default:
			low = next
		}
	}
	return false, nil
}

// lineAt returns the first line that begins at or after an offset, and the offset of the next
// line. The line is "" past the last one.
func (l *Leaked) lineAt(place int64) (line string, next int64, err error) {
	start := max(place-1, 0)
	text := make([]byte, 2*maxLine)
	n, err := l.file.ReadAt(text, start)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", 0, fmt.Errorf("read the list of leaked passwords: %w", err)
	}
	text = text[:n]
	skipped := 0
	if place > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return "", l.size, nil
		}
		skipped = end + 1
	}
	rest := text[skipped:]
	length := bytes.IndexByte(rest, '\n')
	if length < 0 {
		length = len(rest)
	}
	return strings.TrimSpace(string(rest[:length])), start + int64(skipped+length) + 1, nil
}
