package mailer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// Limits for reading a template. Source: supabase/auth.
const (
	maxTemplate   = 1_000_000 // bytes
	fetchTimeout  = 10 * time.Second
	retryInterval = 10 * time.Second
)

// Source reads templates from URLs or from the project's folder. Without a folder, a path is
// relative to the project's site, as upstream.
type Source struct {
	Folder fs.FS         // nil: none
	MaxAge time.Duration // of a fetched template; 0: it is fetched on every check
	Client *http.Client  // nil: the network
}

type source struct {
	Source
	site string
}

func (s Source) forSite(site string) source {
	if s.Client == nil {
		s.Client = &http.Client{Timeout: fetchTimeout}
	}
	return source{Source: s, site: site}
}

func isAddress(location string) bool {
	return strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://")
}

func (s source) isFile(location string) bool { return s.Folder != nil && !isAddress(location) }

// maxAge returns how long a template stays fresh. A file is always read again, because that
// is cheap and its author expects to see changes at once.
func (s source) maxAge(location string) time.Duration {
	if s.isFile(location) {
		return 0
	}
	return s.MaxAge
}

func (s source) get(ctx context.Context, location string) (string, error) {
	open := s.fetch
	if s.isFile(location) {
		open = func(context.Context, string) (io.ReadCloser, error) {
			return s.Folder.Open(strings.TrimPrefix(path.Clean("/"+location), "/"))
		}
	}
	from, err := open(ctx, location)
	if err != nil {
		return "", err
	}
	defer func() { _ = from.Close() }()
	text, err := io.ReadAll(io.LimitReader(from, maxTemplate+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxTemplate:
		return "", fmt.Errorf("the template has more than %d bytes", maxTemplate)
	case strings.TrimSpace(string(text)) == "":
		return "", errors.New("the template is empty")
	}
	return string(text), nil
}

func (s source) fetch(ctx context.Context, location string) (io.ReadCloser, error) {
	if !isAddress(location) {
		location = strings.TrimSuffix(s.site, "/") + "/" + strings.TrimPrefix(location, "/")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, location, nil)
	if err != nil {
		return nil, err
	}
	response, err := s.Client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("response status is %s", response.Status)
	}
	return response.Body, nil
}
