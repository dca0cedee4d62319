package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plaza/functions/words"
	"plaza/server/pg"
)

// channel is the channel of the notifications of sql/functions/pages.sql.
const channel = "plaza_pages"

// dropEverything is the notification of a change that may be on any page.
const dropEverything = "all"

// parameters are those that a kept page may depend on; others are only for the client.
var parameters = []string{"find_desc", "find_loc", "category", "page"}

// key returns the cache key of a public page: its path and parameters. Pages of accounts,
// unknown paths and pages with other parameters are not kept.
func key(r *http.Request) (string, bool) {
	address := r.URL.EscapedPath()
	_, rest := words.Of(address, nil)
	if page, _ := route(rest); page == private || page == unknown {
		return "", false
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", false
	}
	for name := range query {
		if !slices.Contains(parameters, name) {
			return "", false
		}
	}
	return address + "?" + query.Encode(), true
}

// pathTag is the tag of a page that a redirect of its path would replace.
func pathTag(r *http.Request) string { return "p:" + r.URL.EscapedPath() }

// businessTag is the tag of a business's page.
func businessTag(id string) string { return "b:" + id }

// Watch drops kept pages when what they show changes, until ctx ends. Nothing is kept while
// it cannot listen.
func (p *Pages) Watch(ctx context.Context) {
	defer p.PageCache.SetListening(false)
	p.DB.Watch(ctx, channel, func(context.Context, *pg.Listener) error {
		p.PageCache.SetListening(true)
		return nil
	}, func(payload string) {
		if payload == dropEverything {
			p.PageCache.DropAll()
			return
		}
		p.PageCache.Drop(strings.Split(payload, "\n"))
	}, func(err error) {
		p.PageCache.SetListening(false)
		if ctx.Err() == nil {
			p.Log.WarnContext(ctx, "no notifications about changed pages; none are kept", "error", err)
		}
	})
}
