package geo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"plaza/server/lru"
	"plaza/server/tracing"
)

// Limits of requests to a service.
const (
	requestTimeout  = 2 * time.Second
	maxConcurrent   = 4        // concurrent requests
	maxResponse     = 64 << 10 // bytes
	maxCacheEntries = 10_000   // cache entries
	cacheTTL        = 24 * time.Hour
	failureTTL      = time.Minute // after a failed request
	maxName         = 200         // length of a city's or country's name, in bytes
)

// service looks up addresses over HTTP. The response is JSON with city and country_name or country.
// The operator chooses the host; redirects are not followed. Only the address is sent.
type service struct {
	address string
	client  *http.Client
	slots   chan struct{}
	now     func() time.Time

	cache *lru.Cache[netip.Addr, cacheEntry]
}

type cacheEntry struct {
	place Place
	until time.Time
}

func newService(address string) *service {
	return &service{
		address: address, slots: make(chan struct{}, maxConcurrent), now: time.Now, cache: lru.New[netip.Addr, cacheEntry](maxCacheEntries),
		client: &http.Client{
			Timeout: requestTimeout, Transport: tracing.Transport(nil, false),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// errBusy means that maxConcurrent requests are running. Callers do not wait.
var errBusy = errors.New("too many concurrent requests to the geolocation service")

func (s *service) find(ctx context.Context, address netip.Addr) (Place, error) {
	if place, ok := s.lookup(address); ok {
		return place, nil
	}
	select {
	case s.slots <- struct{}{}:
	default:
		return Place{}, errBusy
	}
	defer func() { <-s.slots }()
	place, err := s.query(ctx, address)
	if ctx.Err() != nil {
		return Place{}, ctx.Err() // the client has disconnected; this is no failure of the service
	}
	s.store(address, place, err)
	return place, err
}

func (s *service) lookup(address netip.Addr) (Place, bool) {
	found, ok := s.cache.Get(address)
	return found.place, ok && s.now().Before(found.until)
}

func (s *service) store(address netip.Addr, place Place, err error) {
	ttl := cacheTTL
	if err != nil {
		ttl = failureTTL
	}
	s.cache.Add(address, cacheEntry{place, s.now().Add(ttl)})
}

func (s *service) query(ctx context.Context, address netip.Addr) (Place, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(s.address, addressPlaceholder, address.String()), nil)
	if err != nil {
		return Place{}, errors.New("invalid URL of the geolocation service")
	}
	request.Header.Set("Accept", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return Place{}, fmt.Errorf("query geolocation service: %w", errors.Unwrap(err)) // the outer error contains the client's address
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return Place{}, fmt.Errorf("geolocation service returned status %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err != nil {
		return Place{}, fmt.Errorf("read geolocation response: %w", err)
	}
	if len(text) > maxResponse {
		return Place{}, fmt.Errorf("geolocation response is larger than %d bytes", maxResponse)
	}
	var result struct {
		City        string `json:"city"`
		CountryName string `json:"country_name"`
		Country     any    `json:"country"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return Place{}, errors.New("geolocation response is not the expected JSON")
	}
	country, _ := result.Country.(string)
	if result.CountryName != "" {
		country = result.CountryName
	}
	if len(result.City) > maxName || len(country) > maxName {
		return Place{}, errors.New("name in geolocation response is too long")
	}
	return Place{City: result.City, Country: country}, nil
}
