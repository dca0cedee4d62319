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

// Limits of a question to the service. Source: its documentation; an answer has
// about 1,000 lines of 40 bytes.
const (
	leakedTimeout = 5 * time.Second
	maxLeaked     = 1 << 20
	prefixDigits  = 5
)

// Leaked knows which passwords are known from breaches: from a file on this
// machine, or from the service Have I Been Pwned, which is told the first five
// digits of a password's SHA-1 and nothing else.
type Leaked struct {
	url, agent string
	file       *os.File
	size       int64
}

// NewLeaked makes a list. file is the service's own download, one SHA-1 a line
// in order, each with ":" and a count or without; empty: the service is asked.
func NewLeaked(url, file, agent string) (*Leaked, error) {
	l := &Leaked{url: strings.TrimSuffix(url, "/"), agent: agent}
	if file == "" {
		return l, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	about, err := opened.Stat()
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	l.file, l.size = opened, about.Size()
	return l, nil
}

// Has reports whether a password is known.
func (l *Leaked) Has(ctx context.Context, password string) (bool, error) {
	sum := sha1.Sum([]byte(password))
	digest := strings.ToUpper(hex.EncodeToString(sum[:]))
	if l.file != nil {
		return l.look(digest)
	}
	return l.ask(ctx, digest)
}

func (l *Leaked) ask(ctx context.Context, digest string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, leakedTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/range/"+digest[:prefixDigits], nil)
	if err != nil {
		return false, err
	}
	request.Header.Set("User-Agent", l.agent)
	request.Header.Set("Add-Padding", "true") // so that the answer's length tells nothing
	response, err := tracing.Client().Do(request)
	if err != nil {
		return false, fmt.Errorf("ask for leaked passwords: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return false, fmt.Errorf("ask for leaked passwords: status %d", response.StatusCode)
	}
	lines := bufio.NewScanner(io.LimitReader(response.Body, maxLeaked))
	for lines.Scan() {
		suffix, count, _ := strings.Cut(strings.TrimSpace(lines.Text()), ":")
		if strings.EqualFold(suffix, digest[prefixDigits:]) {
			return count != "0", nil // padding has a count of 0
		}
	}
	return false, lines.Err()
}

// longestLine is more than a digest, a count and an end of line take.
const longestLine = 128

// look searches the file by halves: each step reads one line.
func (l *Leaked) look(digest string) (bool, error) {
	low, high := int64(0), l.size // the line sought begins in here
	for low < high {
		middle := low + (high-low)/2
		line, next, err := l.lineFrom(middle)
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

// lineFrom returns the first line that begins at or after a place, and where the
// one after it begins; "" past the last.
func (l *Leaked) lineFrom(place int64) (line string, next int64, err error) {
	start := max(place-1, 0)
	text := make([]byte, 2*longestLine)
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
