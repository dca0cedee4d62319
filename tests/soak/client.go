package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
)

// requestTimeout is longer than any outage can delay a request.
const requestTimeout = 30 * time.Second

// retryPause is how long a client waits after a failure in an outage.
const retryPause = 50 * time.Millisecond

var plain = &http.Client{Timeout: requestTimeout}

func get(ctx context.Context, url string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	return do(request)
}

func do(request *http.Request) (int, []byte, error) {
	response, err := plain.Do(request)
	if err != nil {
		return 0, nil, err
	}
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, errors.Join(err, response.Body.Close())
}

// outcome is the result of a write, as far as the client knows it.
type outcome int

const (
	unknown outcome = iota // no response, or an error of an outage
	stored                 // acknowledged
	refused                // answered with an error that denies it
)

// item is a row that a client wrote.
type item struct {
	id        string
	outcome   outcome
	confirmed int // the highest version that was acknowledged
	attempted int // the highest version that was sent
}

// object is a file that a client uploaded.
type object struct {
	name    string
	outcome outcome
	sum     [sha256.Size]byte
}

// client is a user who performs one action after another. Only it writes its data, so it knows what
// must exist.
type client struct {
	server  *server
	report  *report
	email   string
	access  string
	refresh string

	items    []*item
	bookings map[string]outcome
	pairs    map[string]outcome
	objects  []*object
}

const password = "Correct-horse-7"

func newClient(ctx context.Context, s *server, r *report, number int) (*client, error) {
	c := &client{server: s, report: r, email: fmt.Sprintf("soak%d@example.com", number), bookings: map[string]outcome{}, pairs: map[string]outcome{}}
	status, body, err := c.send(ctx, http.MethodPost, "/auth/v1/signup", nil, c.credentials())
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK || !c.keepSession(body) {
		return nil, fmt.Errorf("sign up: %d %s", status, body)
	}
	return c, nil
}

func (c *client) credentials() []byte {
	text, _ := json.Marshal(map[string]string{"email": c.email, "password": password})
	return text
}

func (c *client) keepSession(body []byte) bool {
	var session struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	if json.Unmarshal(body, &session) != nil || session.Access == "" || session.Refresh == "" {
		return false
	}
	c.access, c.refresh = session.Access, session.Refresh
	return true
}

// work performs random actions until ctx ends.
func (c *client) work(ctx context.Context) {
	for ctx.Err() == nil {
		switch n := mathrand.IntN(100); {
		case n < 35:
			c.read(ctx)
		case n < 55:
			c.insert(ctx)
		case n < 65:
			c.update(ctx)
		case n < 75:
			c.book(ctx)
		case n < 82:
			c.transact(ctx)
		case n < 89:
			c.upload(ctx)
		case n < 97:
			c.download(ctx)
		case n < 99:
			c.refreshSession(ctx)
		default:
			c.signIn(ctx)
		}
	}
}

func (c *client) send(ctx context.Context, method, path string, header map[string]string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.server.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("apikey", c.server.anon)
	request.Header.Set("Content-Type", "application/json")
	if c.access != "" {
		request.Header.Set("Authorization", "Bearer "+c.access)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	return do(request)
}

// ask sends a request and compares the response's status with the valid ones. During an outage it
// may also fail with 502, 503 or 504, or without a response. known is false if the outcome of the
// request is unknown.
func (c *client) ask(ctx context.Context, what, method, path string, header map[string]string, body []byte, right ...int) (status int, answer []byte, known bool) {
	began := time.Now()
	status, answer, err := c.send(ctx, method, path, header, body)
	switch {
	case ctx.Err() != nil:
		return 0, nil, false
	case err == nil && slices.Contains(right, status):
		c.report.count(what)
		return status, answer, true
	case !c.server.wasUp(began) && (err != nil || status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout):
		c.report.count(what + ", failed in an outage")
		select {
		case <-ctx.Done():
		case <-time.After(retryPause):
		}
		return status, answer, false
	case err != nil:
		c.report.addViolation(what+": no answer", "%v", err)
	default:
		c.report.addViolation(fmt.Sprintf("%s: status %d", what, status), "%s %s: %d %.300s", method, path, status, answer)
	}
	return status, answer, false
}

// newID returns a random UUID.
func newID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func outcomeOf(known bool) outcome {
	if known {
		return stored
	}
	return unknown
}

// pick returns one of the last acknowledged entries, or nil.
func pick[T any](all []*T, is func(*T) bool) *T {
	for range 10 {
		if len(all) == 0 {
			return nil
		}
		if one := all[mathrand.IntN(len(all))]; is(one) {
			return one
		}
	}
	return nil
}

func (c *client) signIn(ctx context.Context) {
	if _, body, known := c.ask(ctx, "sign-in", http.MethodPost, "/auth/v1/token?grant_type=password", nil, c.credentials(), http.StatusOK); known && !c.keepSession(body) {
		c.report.addViolation("sign-in: wrong answer", "%.300s", body)
	}
}

// refreshSession retries with the same token until the outcome is known.
func (c *client) refreshSession(ctx context.Context) {
	token, _ := json.Marshal(map[string]string{"refresh_token": c.refresh})
	for ctx.Err() == nil {
		_, body, known := c.ask(ctx, "refresh", http.MethodPost, "/auth/v1/token?grant_type=refresh_token", nil, token, http.StatusOK)
		if known && !c.keepSession(body) {
			c.report.addViolation("refresh: wrong answer", "%.300s", body)
		}
		if known {
			return
		}
		if strings.Contains(string(body), "refresh_token") {
			c.signIn(ctx) // refused, which was recorded as a violation; the client continues
			return
		}
	}
}
