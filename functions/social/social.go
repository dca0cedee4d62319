package social

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"plaza/server/lru"
	"plaza/server/pg"
	"plaza/server/site"
)

// maxCached bounds the pictures in the in-memory cache. Each has 20 to 60 KB.
const maxCached = 200

// cacheControl is the Cache-Control header of pictures.
const cacheControl = "public, max-age=86400"

// Pages describes the marketplace's pages and serves their pictures.
type Pages struct {
	db      *pg.DB
	siteURL string
	log     *slog.Logger
	painter *painter
	drawing chan struct{} // semaphore: one picture at a time, as other requests are more urgent

	cache *lru.Cache[string, []byte]
}

// New parses the tiles and fonts and returns the Pages. siteURL is the base of absolute URLs.
func New(db *pg.DB, siteURL string, tileData []byte, log *slog.Logger) (*Pages, error) {
	painter, err := newPainter(tileData)
	if err != nil {
		return nil, err
	}
	return &Pages{
		db: db, siteURL: strings.TrimSuffix(siteURL, "/"), log: log, painter: painter,
		drawing: make(chan struct{}, 1), cache: lru.New[string, []byte](maxCached),
	}, nil
}

// Describe returns the title, description and picture of a page. Pages other than those of
// businesses keep the client's texts, with absolute URLs.
func (p *Pages) Describe(r *http.Request) site.Meta {
	meta := site.Meta{URL: p.siteURL + r.URL.Path, ImageBase: p.siteURL}
	key, ok := businessKey(r.URL.Path)
	if !ok {
		return meta
	}
	found, err := findBusiness(r.Context(), p.db, key)
	switch {
	case errors.Is(err, errNotFound):
		meta.Status = http.StatusNotFound
		return meta
	case err != nil:
		p.log.WarnContext(r.Context(), "page served without a description", "error", err)
		return meta
	}
	meta.Lang, meta.Locale = "en", "en_GB"
	meta.Title = found.Name + " · " + found.Location
	meta.Description = found.detail()
	if found.About != "" {
		meta.Description = found.About
	}
	meta.Image = p.siteURL + "/social/business/" + found.ID + ".png"
	return meta
}

// businessKey returns the id or slug of the business that a path shows (ROUTE-14 to ROUTE-16).
func businessKey(path string) (key string, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) == 2 && (parts[0] == "business" && parts[1] != "new" || parts[0] == "biz"):
		return parts[1], true
	case len(parts) == 4 && uuidShape.MatchString(parts[2]):
		return parts[2], true
	}
	return "", false
}

// Routes serves the pictures: /social/business/{id}.png, /social/category/{code}.png.
func (p *Pages) Routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /social/business/{file}", p.serveBusiness)
	routes.HandleFunc("GET /social/category/{file}", p.serveCategory)
	return routes
}

func (p *Pages) serveBusiness(w http.ResponseWriter, r *http.Request) {
	id, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if !ok || !uuidShape.MatchString(id) {
		http.NotFound(w, r)
		return
	}
	found, err := findBusiness(r.Context(), p.db, id)
	if errors.Is(err, errNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		p.log.ErrorContext(r.Context(), "read the business of a picture", "error", err)
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	p.writePicture(w, r, found.Category, found.ID, found.Name, found.detail())
}

func (p *Pages) serveCategory(w http.ResponseWriter, r *http.Request) {
	code, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if _, known := p.painter.tiles.Categories[code]; !ok || !known {
		http.NotFound(w, r)
		return
	}
	p.writePicture(w, r, code, "", "Plaza", "Local businesses in Spain and Andorra")
}

func (p *Pages) writePicture(w http.ResponseWriter, r *http.Request, category, id, title, detail string) {
	picture, err := p.picture(r.Context(), category, id, title, detail)
	if err != nil {
		p.log.ErrorContext(r.Context(), "draw a picture", "error", err)
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", cacheControl)
	_, _ = w.Write(picture) // fails only if the client has disconnected
}

// picture returns the picture with these texts, from the cache or newly drawn.
func (p *Pages) picture(ctx context.Context, category, id, title, detail string) ([]byte, error) {
	key := strings.Join([]string{category, id, title, detail}, "\x00")
	if found, ok := p.cache.Get(key); ok {
		return found, nil
	}
	select {
	case p.drawing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.drawing }()
	if found, ok := p.cache.Get(key); ok {
		return found, nil
	}
	picture, err := p.painter.paint(category, id, title, detail)
	if err != nil {
		return nil, err
	}
	p.cache.Add(key, picture)
	return picture, nil
}
