// Package geo tells roughly where an address lies: from a file in MaxMind's
// format, or by asking a service over HTTP. Off by default, and never for an
// address that is not on the public internet.
package geo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"

	"plaza/server/internet"
)

// Config names a source; without one nothing is looked up.
type Config struct {
	File string `env:"FILE"` // a database in MaxMind's format, with the fields of GeoIP2 City or Country
	URL  string `env:"URL"`  // a service; {ip} stands for the address, as in https://geo.example/{ip}/json
}

// placeholder stands for the address in Config.URL.
const placeholder = "{ip}"

// Check tells what of a configuration cannot be.
func (c Config) Check() error {
	if c.File != "" && c.URL != "" {
		return errors.New("GEOLOCATION_FILE and GEOLOCATION_URL are both set: use one")
	}
	if c.URL == "" {
		return nil
	}
	address, err := url.Parse(strings.ReplaceAll(c.URL, placeholder, "192.0.2.1"))
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" || !strings.Contains(c.URL, placeholder) || strings.Contains(address.Host, "192.0.2.1") {
		return fmt.Errorf("GEOLOCATION_URL is %q: use an address such as https://geo.example/{ip}/json", c.URL)
	}
	return nil
}

// Place is where an address lies. What is not known is empty.
type Place struct {
	City    string
	Country string // in English
}

// Finder looks addresses up. The zero value knows nothing.
type Finder struct {
	source source
	log    *slog.Logger
}

// source is a file or a service. A zero Place says that the address is unknown.
type source interface {
	find(ctx context.Context, address netip.Addr) (Place, error)
}

// New opens the source that is configured.
//
// Errors: a file that cannot be read or is none of MaxMind's.
func New(c Config, log *slog.Logger) (*Finder, error) {
	f := &Finder{log: log}
	switch {
	case c.File != "":
		opened, err := openFile(c.File)
		if err != nil {
			return nil, fmt.Errorf("GEOLOCATION_FILE %s: %w", c.File, err)
		}
		f.source = opened
	case c.URL != "":
		f.source = newService(c.URL)
	}
	return f, nil
}

// Find tells where an address lies; ok is false where that is not known. A
// source that fails is logged.
func (f *Finder) Find(ctx context.Context, address netip.Addr) (place Place, ok bool) {
	if f == nil || f.source == nil || !internet.IsPublic(address) {
		return Place{}, false
	}
	place, err := f.source.find(ctx, address.Unmap())
	if err != nil {
		f.log.WarnContext(ctx, "an address was not looked up", "error", err) // without the address: it is personal
		return Place{}, false
	}
	return place, place.Country != ""
}
