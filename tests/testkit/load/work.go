package load

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"strings"
)

// bodyOf returns the text of an item, which a reader can check.
func bodyOf(id string) string { return "the text of " + id }

func (c *Client) read(ctx context.Context) {
	one := pick(c.items, func(i *item) bool { return i.outcome == stored })
	if one == nil {
		return
	}
	_, answer, known := c.ask(ctx, "read", http.MethodGet, "/rest/v1/items?select=body,version&id=eq."+one.id, nil, nil, http.StatusOK)
	if !known {
		return
	}
	var rows []struct {
		Body    string
		Version int
	}
	if err := json.Unmarshal(answer, &rows); err != nil || len(rows) != 1 || rows[0].Body != bodyOf(one.id) ||
		rows[0].Version < one.confirmed || rows[0].Version > one.attempted {
		c.report.AddViolation("read: wrong answer", "item %s, version %d to %d: %.300s", one.id, one.confirmed, one.attempted, answer)
	}
}

func (c *Client) insert(ctx context.Context) {
	one := &item{id: newID()}
	c.items = append(c.items, one)
	subscription := 0
	if c.follower != nil {
		subscription = c.follower.subscription()
	}
	_, _, known := c.ask(ctx, "insert", http.MethodPost, "/rest/v1/items", nil,
		fmt.Appendf(nil, `{"id":%q,"body":%q}`, one.id, bodyOf(one.id)), http.StatusCreated)
	one.outcome = outcomeOf(known)
	if known && c.follower != nil {
		c.follower.expect(one.id, subscription)
	}
}

func (c *Client) update(ctx context.Context) {
	one := pick(c.items, func(i *item) bool { return i.outcome == stored })
	if one == nil {
		return
	}
	one.attempted++
	if _, _, known := c.ask(ctx, "update", http.MethodPatch, "/rest/v1/items?id=eq."+one.id, nil,
		fmt.Appendf(nil, `{"version":%d}`, one.attempted), http.StatusNoContent); known {
		one.confirmed = one.attempted
	}
}

// book books a slot. The exclusion constraint refuses one that another client has.
func (c *Client) book(ctx context.Context) {
	id, from := newID(), mathrand.IntN(100_000)
	status, answer, known := c.ask(ctx, "booking", http.MethodPost, "/rest/v1/bookings", nil,
		fmt.Appendf(nil, `{"id":%q,"during":"[%d,%d)"}`, id, from, from+5), http.StatusCreated, http.StatusBadRequest)
	c.bookings[id] = outcomeOf(known)
	if !known || status == http.StatusCreated {
		return
	}
	c.bookings[id] = refused
	c.report.Count("booking, refused as taken")
	if !strings.Contains(string(answer), `"23P01"`) {
		c.report.AddViolation("booking: wrong answer", "%.300s", answer)
	}
}

// transact writes two rows in one transaction, which succeed or fail together.
func (c *Client) transact(ctx context.Context) {
	pair, want := newID(), http.StatusOK
	second := newID()
	if fails := mathrand.IntN(4) == 0; fails {
		second, want = "null", http.StatusBadRequest
	} else {
		second = `"` + second + `"`
	}
	_, _, known := c.ask(ctx, "transaction", http.MethodPost, "/rest/v1/", map[string]string{"Content-Type": "application/vnd.plaza.transaction+json"},
		fmt.Appendf(nil, `[{"method":"POST","path":"/pairs","body":{"id":%q,"pair":%q}},{"method":"POST","path":"/pairs","body":{"id":%s,"pair":%q}}]`,
			newID(), pair, second, pair), want)
	c.pairs[pair] = outcomeOf(known)
	if want != http.StatusOK {
		c.pairs[pair] = refused
	}
}

func (c *Client) upload(ctx context.Context) {
	content := make([]byte, 1000+mathrand.IntN(200_000))
	_, _ = rand.Read(content)
	one := &object{name: newID(), sum: sha256.Sum256(content)}
	c.objects = append(c.objects, one)
	_, _, known := c.ask(ctx, "upload", http.MethodPost, "/storage/v1/object/files/"+one.name,
		map[string]string{"Content-Type": "application/octet-stream"}, content, http.StatusOK)
	one.outcome = outcomeOf(known)
}

func (c *Client) download(ctx context.Context) {
	if one := pick(c.objects, func(o *object) bool { return o.outcome == stored }); one != nil {
		c.compare(ctx, "download", one)
	}
}

// compare downloads an object and compares its bytes with those that were sent.
func (c *Client) compare(ctx context.Context, what string, one *object) {
	_, answer, known := c.ask(ctx, what, http.MethodGet, "/storage/v1/object/authenticated/files/"+one.name, nil, nil, http.StatusOK)
	if known && sha256.Sum256(answer) != one.sum {
		c.report.AddViolation(what+": wrong bytes", "object %s: %d bytes that are not those sent", one.name, len(answer))
	}
}
