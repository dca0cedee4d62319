// Package send sends HTTP requests of SQL functions as pg_net does with curl.
package send

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"time"

	"plaza/server/internet"
)

// Limits of one request.
const (
	maxRedirects      = 30        // Source: curl's default
	maxHeaderBytes    = 300 << 10 // of a response. Source: curl's limit
	maxIdlePerHost    = 8
	idleTimeout       = 30 * time.Second
	defaultUserAgent  = "pg_net/0.20"
	addressesAllowed  = "allow"
	addressesRefused  = "refuse"
	defaultMaxContent = 1 << 20
)

// Config configures a Sender.
type Config struct {
	// Private is "allow" or "refuse": whether requests may go to addresses that are not on the public
	// internet, such as this machine's. Empty: allowed in development.
	Private    string `env:"PRIVATE_ADDRESSES"`
	MaxContent int64  `env:"MAX_RESPONSE_BYTES" envDefault:"1048576"` // of a response's body
}

// Check returns an error that lists all invalid settings.
func (c Config) Check() error {
	var wrong []error
	if c.Private != "" && c.Private != addressesAllowed && c.Private != addressesRefused {
		wrong = append(wrong, fmt.Errorf("PG_NET_PRIVATE_ADDRESSES is %q: use %s or %s", c.Private, addressesAllowed, addressesRefused))
	}
	if c.MaxContent < 1 || c.MaxContent > 100*defaultMaxContent {
		wrong = append(wrong, fmt.Errorf("PG_NET_MAX_RESPONSE_BYTES is %d: use 1 to %d", c.MaxContent, 100*defaultMaxContent))
	}
	return errors.Join(wrong...)
}

// Header is one header.
type Header struct{ Name, Value string }

// Request is a request to send.
type Request struct {
	Method, URL string
	Headers     []Header
	Body        []byte
	Timeout     time.Duration

	ConnectTimeout time.Duration // 0: only Timeout applies
}

// Response is the response to a request, or the reason why there is none.
type Response struct {
	Status      int
	ContentType *string  // nil: the response has no such header
	Headers     []Header // by name
	Content     string
	TimedOut    bool
	Error       string // empty if there is a response
}

// Sender sends requests. It is safe for concurrent use.
type Sender struct {
	client     *http.Client
	maxContent int64
}

// Options adapt a Sender to the server that it is part of.
type Options struct {
	Development bool
	// Hosts maps addresses (host or host:port) to others that are dialed in their place.
	Hosts map[string]string
}

// New returns a Sender.
func New(c Config, o Options) *Sender {
	dialer := &net.Dialer{}
	if c.Private == addressesRefused || c.Private == "" && !o.Development {
		dialer.Control = internet.OnlyPublic
	}
	return &Sender{maxContent: c.MaxContent, client: &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if limit, ok := ctx.Value(connectTimeout{}).(time.Duration); ok {
					limited, cancel := context.WithTimeout(ctx, limit)
					defer cancel()
					ctx = limited
				}
				return dialer.DialContext(ctx, network, o.resolve(address))
			},
			ForceAttemptHTTP2: true, DisableCompression: true,
			MaxIdleConnsPerHost: maxIdlePerHost, IdleConnTimeout: idleTimeout, MaxResponseHeaderBytes: maxHeaderBytes,
		},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errRedirects
			}
			return nil
		},
	}}
}

// connectTimeout is the key of a request's ConnectTimeout in its context.
type connectTimeout struct{}

// resolve returns the address to dial in place of another.
func (o Options) resolve(address string) string {
	if other, ok := o.Hosts[address]; ok {
		return other
	}
	host, port, err := net.SplitHostPort(address)
	if other, ok := o.Hosts[host]; ok && err == nil {
		return net.JoinHostPort(other, port)
	}
	return address
}

var (
	errRedirects = errors.New("too many redirects")
	errScheme    = errors.New("the scheme is neither http nor https")
	errTooLarge  = errors.New("the response is too large")
)

// Send sends a request and reads the response. If the request fails, or ctx ends, the response has only an Error.
func (s *Sender) Send(ctx context.Context, r Request) Response {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	if r.ConnectTimeout > 0 {
		ctx = context.WithValue(ctx, connectTimeout{}, r.ConnectTimeout)
	}
	var t timing
	request, err := r.build(httptrace.WithClientTrace(ctx, t.trace()))
	if err != nil {
		return Response{Error: describe(err)}
	}
	response, err := s.client.Do(request)
	var made Response
	if err == nil {
		made, err = s.read(response)
	}
	switch {
	case err == nil:
		return made
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Response{TimedOut: true, Error: t.describe(r.Timeout, time.Now())}
	case ctx.Err() != nil:
		return Response{Error: "the server stopped before the response arrived"}
	}
	return Response{Error: describe(err)}
}

// build returns the request as curl would send it.
func (r Request) build(ctx context.Context) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, strings.ToUpper(r.Method), r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	if request.URL.Scheme != "http" && request.URL.Scheme != "https" {
		return nil, errScheme
	}
	request.Header.Set("Accept", "*/*")
	request.Header.Set("User-Agent", defaultUserAgent)
	for _, header := range r.Headers {
		request.Header.Set(header.Name, header.Value)
		if strings.EqualFold(header.Name, "Host") {
			request.Host = header.Value
		}
	}
	return request, nil
}

func (s *Sender) read(response *http.Response) (made Response, err error) {
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, s.maxContent+1))
	if err != nil {
		return made, err
	}
	if int64(len(body)) > s.maxContent {
		return made, fmt.Errorf("%w: it has more than %d bytes", errTooLarge, s.maxContent)
	}
	made = Response{Status: response.StatusCode, Content: text(body)}
	for _, name := range slices.Sorted(maps.Keys(response.Header)) {
		for _, value := range response.Header[name] {
			if response.ProtoMajor > 1 {
				name = strings.ToLower(name) // as it was sent
			}
			made.Headers = append(made.Headers, Header{text([]byte(name)), text([]byte(value))})
		}
	}
	if kind, ok := response.Header["Content-Type"]; ok {
		kind := text([]byte(kind[len(kind)-1]))
		made.ContentType = &kind
	}
	return made, nil
}

// text returns bytes as text that PostgreSQL can store: up to the first zero byte, as in pg_net.
func text(raw []byte) string {
	raw, _, _ = bytes.Cut(raw, []byte{0})
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// describe returns curl's message for an error, if there is one.
func describe(err error) string {
	var lookup *net.DNSError
	var dial *net.OpError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var wrapped *url.Error
	switch {
	case errors.Is(err, internet.ErrPrivate):
		return internet.ErrPrivate.Error() + ": PG_NET_PRIVATE_ADDRESSES=allow allows it"
	case errors.Is(err, errRedirects):
		return "Number of redirects hit maximum amount"
	case errors.Is(err, errScheme):
		return "Unsupported protocol"
	case errors.As(err, &lookup):
		return "Couldn't resolve host name"
	case errors.As(err, &certificate), errors.As(err, &authority):
		return "SSL peer certificate or SSH remote key was not OK"
	case errors.As(err, &dial) && dial.Op == "dial":
		return "Couldn't connect to server"
	case errors.Is(err, io.EOF):
		return "Server returned nothing (no headers, no data)"
	case errors.As(err, &wrapped):
		return wrapped.Err.Error() // without the URL, which may hold secrets
	}
	return err.Error()
}
