// Package geo looks up the approximate location of an IP address, in a file in MaxMind's format or at
// an HTTP service. It is off by default. Addresses that are not on the public internet are never
// looked up.
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

// Config selects the source. Without a source nothing is looked up.
type Config struct {
	File string `env:"FILE"` // a database in MaxMind's format, with the fields of GeoIP2 City or Country
	URL  string `env:"URL"`  // a service; {ip} is replaced by the address, as in https://geo.example/{ip}/json
}

// addressPlaceholder is replaced by the address in Config.URL.
const addressPlaceholder = "{ip}"

// Check validates the configuration.
func (c Config) Check() error {
	if c.File != "" && c.URL != "" {
		return errors.New("GEOLOCATION_FILE and GEOLOCATION_URL are both set: use one")
	}
	if c.URL == "" {
		return nil
	}
	address, err := url.Parse(strings.ReplaceAll(c.URL, addressPlaceholder, "192.0.2.1"))
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" || !strings.Contains(c.URL, addressPlaceholder) || strings.Contains(address.Host, "192.0.2.1") {
		return fmt.Errorf("GEOLOCATION_URL is %q: use an address such as https://geo.example/{ip}/json", c.URL)
	}
	return nil
}

// Place is the location of an address. Unknown fields are empty.
type Place struct {
	City    string
	Country string // in English
}

// Finder looks up addresses. The zero value finds nothing.
type Finder struct {
	source source
	log    *slog.Logger
}

// source is a file or a service. It returns a zero Place for an unknown address.
type source interface {
	find(ctx context.Context, address netip.Addr) (Place, error)
}

// New opens the configured source.
//
// Errors: a file that cannot be read or has another format.
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

// Find returns the location of an address. ok is false if it is unknown. Errors of the source are
// logged.
func (f *Finder) Find(ctx context.Context, address netip.Addr) (place Place, ok bool) {
	if f == nil || f.source == nil || !internet.IsPublic(address) {
		return Place{}, false
	}
	place, err := f.source.find(ctx, address.Unmap())
	if err != nil {
		f.log.WarnContext(ctx, "address lookup failed", "error", err) // without the address, which is personal data
		return Place{}, false
	}
	return place, place.Country != ""
}
