package load

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
	"sync"
	"time"
)

// retryPause is how long a client waits after a failure in an outage.
const retryPause = 50 * time.Millisecond

// do sends a request and reads the response.
func (t *Target) do(request *http.Request) (*http.Response, []byte, error) {
	response, err := t.HTTP.Do(request)
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(response.Body)
	return response, body, errors.Join(err, response.Body.Close())
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

// Client is a user who performs one action after another. Only it writes its data, so it knows what
// must exist.
type Client struct {
	target   *Target
	report   *Report
	email    string
	access   string
	refresh  string
	position string // of its last write, which its reads on any server must see

	items    []*item
	bookings map[string]outcome
	pairs    map[string]outcome
	objects  []*object

	follower *follower // nil without Target.Dial
}

const password = "Correct-horse-7"

// New returns a client that has signed up with an address of its own.
func New(ctx context.Context, t *Target, r *Report, number int) (*Client, error) {
	c := &Client{target: t, report: r, email: fmt.Sprintf("load%d@example.com", number), bookings: map[string]outcome{}, pairs: map[string]outcome{}}
	status, body, err := c.send(ctx, http.MethodPost, "/auth/v1/signup", nil, c.credentials())
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK || !c.keepSession(body) {
		return nil, fmt.Errorf("sign up: %d %s", status, body)
	}
	return c, nil
}

func (c *Client) credentials() []byte {
	text, _ := json.Marshal(map[string]string{"email": c.email, "password": password})
	return text
}

func (c *Client) keepSession(body []byte) bool {
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

// Work performs random actions until ctx ends.
func (c *Client) Work(ctx context.Context) {
	if c.target.Dial != nil {
		c.follower = &follower{report: c.report, received: make(map[string]bool), expected: make(map[string]expecting)}
		var following sync.WaitGroup
		defer following.Wait()
		token := c.access
		following.Go(func() { c.follower.run(ctx, c.target, token) })
	}
	for ; ctx.Err() == nil; sleep(ctx, c.target.Pause) {
		switch n := mathrand.IntN(100); {
		case n < 35:
			c.read(ctx)
			if c.follower != nil {
				c.follower.check()
			}
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

func sleep(ctx context.Context, pause time.Duration) {
	if pause == 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// PositionHeader is the response header with the position of a write. Requests that carry it see that write on
// any server.
const PositionHeader = "Plaza-Commit-LSN"

func (c *Client) send(ctx context.Context, method, path string, header map[string]string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.target.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("apikey", c.target.Anon)
	request.Header.Set("Content-Type", "application/json")
	if c.access != "" {
		request.Header.Set("Authorization", "Bearer "+c.access)
	}
	if c.position != "" {
		request.Header.Set(PositionHeader, c.position)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, answer, err := c.target.do(request)
	if err != nil {
		return 0, nil, err
	}
	if at := response.Header.Get(PositionHeader); at != "" {
		c.position = at
	}
	return response.StatusCode, answer, nil
}

// outageStatuses are those with which a request may fail while something is down or full.
var outageStatuses = []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusInsufficientStorage}

// ask sends a request and compares the response's status with the valid ones. During an outage it
// may also fail with one of outageStatuses, or without a response. known is false if the outcome of the
// request is unknown.
func (c *Client) ask(ctx context.Context, what, method, path string, header map[string]string, body []byte, right ...int) (status int, answer []byte, known bool) {
	began := time.Now()
	status, answer, err := c.send(ctx, method, path, header, body)
	if ctx.Err() != nil {
		return 0, nil, false
	}
	c.report.took(time.Since(began))
	switch {
	case err == nil && slices.Contains(right, status):
		c.report.Count(what)
		return status, answer, true
	case c.target.MayFail(began) && (err != nil || slices.Contains(outageStatuses, status)):
		c.report.fail(what, status, answer, err)
		sleep(ctx, retryPause)
		return status, answer, false
	case err != nil:
		c.report.AddViolation(what+": no answer", "%v", err)
	default:
		c.report.AddViolation(fmt.Sprintf("%s: status %d", what, status), "%s %s: %d %.300s", method, path, status, answer)
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

// pick returns a random entry for which is returns true, or nil if it finds none in ten attempts.
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

func (c *Client) signIn(ctx context.Context) {
	if _, body, known := c.ask(ctx, "sign-in", http.MethodPost, "/auth/v1/token?grant_type=password", nil, c.credentials(), http.StatusOK); known && !c.keepSession(body) {
		c.report.AddViolation("sign-in: wrong answer", "%.300s", body)
	}
}

// refreshSession retries with the same token until the outcome is known.
func (c *Client) refreshSession(ctx context.Context) {
	token, _ := json.Marshal(map[string]string{"refresh_token": c.refresh})
	for ctx.Err() == nil {
		_, body, known := c.ask(ctx, "refresh", http.MethodPost, "/auth/v1/token?grant_type=refresh_token", nil, token, http.StatusOK)
		if known && !c.keepSession(body) {
			c.report.AddViolation("refresh: wrong answer", "%.300s", body)
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
