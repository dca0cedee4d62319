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
	questionTimeout = 2 * time.Second
	maxQuestions    = 4        // concurrent requests
	maxAnswer       = 64 << 10 // bytes
	keptPlaces      = 10_000   // cache entries
	keptFor         = 24 * time.Hour
	failureKeptFor  = time.Minute // after a failed request
	maxName         = 200         // length of a city's or country's name, in bytes
)

// service looks up addresses over HTTP. The response is JSON with city and country_name or country.
// The operator chooses the host; redirects are not followed. Only the address is sent.
type service struct {
	address string
	client  *http.Client
	asking  chan struct{}
	now     func() time.Time

	kept *lru.Cache[netip.Addr, kept]
}

type kept struct {
	place Place
	until time.Time
}

func newService(address string) *service {
	return &service{
		address: address, asking: make(chan struct{}, maxQuestions), now: time.Now, kept: lru.New[netip.Addr, kept](keptPlaces),
		client: &http.Client{
			Timeout: questionTimeout, Transport: tracing.Transport(nil, false),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// errBusy means that maxQuestions requests are running. Callers do not wait.
var errBusy = errors.New("too many concurrent requests to the geolocation service")

func (s *service) find(ctx context.Context, address netip.Addr) (Place, error) {
	if place, ok := s.lookup(address); ok {
		return place, nil
	}
	select {
	case s.asking <- struct{}{}:
	default:
		return Place{}, errBusy
	}
	defer func() { <-s.asking }()
	place, err := s.ask(ctx, address)
	if ctx.Err() != nil {
		return Place{}, ctx.Err() // the client has disconnected; this is no failure of the service
	}
	s.keep(address, place, err)
	return place, err
}

func (s *service) lookup(address netip.Addr) (Place, bool) {
	found, ok := s.kept.Get(address)
	return found.place, ok && s.now().Before(found.until)
}

func (s *service) keep(address netip.Addr, place Place, err error) {
	lasting := keptFor
	if err != nil {
		lasting = failureKeptFor
	}
	s.kept.Add(address, kept{place, s.now().Add(lasting)})
}

func (s *service) ask(ctx context.Context, address netip.Addr) (Place, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(s.address, placeholder, address.String()), nil)
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
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return Place{}, fmt.Errorf("read geolocation response: %w", err)
	}
	if len(text) > maxAnswer {
		return Place{}, fmt.Errorf("geolocation response is larger than %d bytes", maxAnswer)
	}
	var answer struct {
		City        string `json:"city"`
		CountryName string `json:"country_name"`
		Country     any    `json:"country"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return Place{}, errors.New("geolocation response is not the expected JSON")
	}
	country, _ := answer.Country.(string)
	if answer.CountryName != "" {
		country = answer.CountryName
	}
	if len(answer.City) > maxName || len(country) > maxName {
		return Place{}, errors.New("name in geolocation response is too long")
	}
	return Place{City: answer.City, Country: country}, nil
}
