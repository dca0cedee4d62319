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

// keptPictures bounds the pictures kept in memory, 20 to 60 KB each.
const keptPictures = 200

// pictureCache is how long readers may keep a picture.
const pictureCache = "public, max-age=86400"

// Pages describes the marketplace's pages and draws their pictures.
type Pages struct {
	db      *pg.DB
	siteURL string
	log     *slog.Logger
	painter *painter
	drawing chan struct{} // one picture at a time: previews can wait, bookings cannot

	kept *lru.Cache[string, []byte]
}

// New reads the tiles and fonts. siteURL makes addresses absolute.
func New(db *pg.DB, siteURL string, tileData []byte, log *slog.Logger) (*Pages, error) {
	painter, err := newPainter(tileData)
	if err != nil {
		return nil, err
	}
	return &Pages{
		db: db, siteURL: strings.TrimSuffix(siteURL, "/"), log: log, painter: painter,
		drawing: make(chan struct{}, 1), kept: lru.New[string, []byte](keptPictures),
	}, nil
}

// Describe returns what the page at a path says of itself. A path that is not a
// business's keeps the client's own words, with absolute addresses.
func (p *Pages) Describe(r *http.Request) site.Meta {
	meta := site.Meta{URL: p.siteURL + r.URL.Path, ImageBase: p.siteURL}
	key, ok := businessKey(r.URL.Path)
	if !ok {
		return meta
	}
	found, err := find(r.Context(), p.db, key)
	switch {
	case errors.Is(err, errNotFound):
		meta.Status = http.StatusNotFound
		return meta
	case err != nil:
		p.log.WarnContext(r.Context(), "page served without its description", "error", err)
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

// businessKey takes the business out of an address (ROUTE-14 to ROUTE-16).
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
	found, err := find(r.Context(), p.db, id)
	if errors.Is(err, errNotFound) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		p.log.ErrorContext(r.Context(), "picture of a business", "error", err)
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	p.send(w, r, found.Category, found.ID, found.Name, found.detail())
}

func (p *Pages) serveCategory(w http.ResponseWriter, r *http.Request) {
	code, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if _, known := p.painter.tiles.Categories[code]; !ok || !known {
		http.NotFound(w, r)
		return
	}
	p.send(w, r, code, "", "Plaza", "Local businesses in Spain and Andorra")
}

func (p *Pages) send(w http.ResponseWriter, r *http.Request, category, id, title, detail string) {
	picture, err := p.picture(r.Context(), category, id, title, detail)
	if err != nil {
		p.log.ErrorContext(r.Context(), "draw a picture", "error", err)
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", pictureCache)
	_, _ = w.Write(picture) // fails only where the reader has gone
}

// picture draws, or gives what was drawn before for the same words.
func (p *Pages) picture(ctx context.Context, category, id, title, detail string) ([]byte, error) {
	key := strings.Join([]string{category, id, title, detail}, "\x00")
	if found, ok := p.kept.Get(key); ok {
		return found, nil
	}
	select {
	case p.drawing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.drawing }()
	if found, ok := p.kept.Get(key); ok {
		return found, nil
	}
	picture, err := p.painter.paint(category, id, title, detail)
	if err != nil {
		return nil, err
	}
	p.kept.Add(key, picture)
	return picture, nil
}
