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

// Limits of questions to a service.
const (
	questionTimeout = 2 * time.Second
	maxQuestions    = 4        // at one time
	maxAnswer       = 64 << 10 // bytes
	keptPlaces      = 10_000
	keptFor         = 24 * time.Hour
	failureKeptFor  = time.Minute // of an address whose question failed
	maxName         = 200         // bytes of a city's or country's name
)

// service asks over HTTP. Its answer is JSON with city and country_name or
// country. The host is the operator's choice and no answer leads elsewhere; of
// the visitor only the address goes out.
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

// errBusy: visitors are not kept waiting for more than a few questions at once.
var errBusy = errors.New("the service of places has too many questions before it")

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
		return Place{}, ctx.Err() // the visitor has gone, which says nothing of the service
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
		return Place{}, errors.New("the service's address cannot be made")
	}
	request.Header.Set("Accept", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return Place{}, fmt.Errorf("ask the service of places: %w", errors.Unwrap(err)) // the outer error names the visitor's address
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return Place{}, fmt.Errorf("the service of places answers %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return Place{}, fmt.Errorf("read the service's answer: %w", err)
	}
	if len(text) > maxAnswer {
		return Place{}, fmt.Errorf("the service's answer is longer than %d bytes", maxAnswer)
	}
	var answer struct {
		City        string `json:"city"`
		CountryName string `json:"country_name"`
		Country     any    `json:"country"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return Place{}, errors.New("the service's answer is not the JSON expected")
	}
	country, _ := answer.Country.(string)
	if answer.CountryName != "" {
		country = answer.CountryName
	}
	if len(answer.City) > maxName || len(country) > maxName {
		return Place{}, errors.New("the service's answer has a name that is too long")
	}
	return Place{City: answer.City, Country: country}, nil
}
