package project

import (
	"errors"
	"fmt"
	"net"
	"net/url"

	"plaza/server/lazyregexp"
)

// Maps configures the source of maps, for projects that show maps.
type Maps struct {
	Style   string   `env:"STYLE"`   // URL of a MapLibre style; empty means the client's built-in style
	Origins []string `env:"ORIGINS"` // origins that the style loads from, besides its own
}

// origin matches the host of an origin in a content security policy. "*." matches all
// subdomains.
var origin = lazyregexp.New(`^(\*\.)?[A-Za-z0-9.-]+(:[0-9]+)?$`)

// Check returns an error that lists all invalid settings.
func (m Maps) Check() error {
	var wrong []error
	if _, err := originOf(m.Style); m.Style != "" && err != nil {
		wrong = append(wrong, fmt.Errorf("PLAZA_MAP_STYLE is %q: %w", m.Style, err))
	}
	for _, one := range m.Origins {
		if found, err := originOf(one); err != nil {
			wrong = append(wrong, fmt.Errorf("PLAZA_MAP_ORIGINS has %q: %w", one, err))
		} else if found != one {
			wrong = append(wrong, fmt.Errorf("PLAZA_MAP_ORIGINS has %q: use the origin alone, %s", one, found))
		}
	}
	if m.Style == "" && len(m.Origins) > 0 {
		wrong = append(wrong, errors.New("PLAZA_MAP_ORIGINS is set without PLAZA_MAP_STYLE"))
	}
	return errors.Join(wrong...)
}

// ConnectSources returns the origins from which a page with such a map loads. The settings must
// have passed Check.
func (m Maps) ConnectSources() []string {
	if m.Style == "" {
		return nil
	}
	own, _ := originOf(m.Style)
	return append([]string{own}, m.Origins...)
}

var errAddress = errors.New("use an https address such as https://tiles.example.com")

// originOf returns the scheme and host of a URL from which a page may load: https, or
// http on this machine.
func originOf(address string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil || !origin().MatchString(parsed.Host) {
		return "", errAddress
	}
	loopback := parsed.Hostname() == "localhost" || net.ParseIP(parsed.Hostname()).IsLoopback()
	if parsed.Scheme != "https" && (parsed.Scheme != "http" || !loopback) {
		return "", errAddress
	}
	return parsed.Scheme + "://" + parsed.Host, nil
}
