package social

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"plaza/server/lru"
	"plaza/server/pg"
)

// maxCached bounds the pictures in the in-memory cache. Each has 20 to 60 KB.
const maxCached = 200

// cacheControl is the Cache-Control header of pictures.
const cacheControl = "public, max-age=86400"

// Pictures serves the pictures of the marketplace's pages.
type Pictures struct {
	db      *pg.DB
	log     *slog.Logger
	painter *painter
	drawing chan struct{} // semaphore: one picture at a time, as other requests are more urgent

	cache *lru.Cache[string, []byte]
}

// New parses the tiles and fonts and returns the Pictures.
func New(db *pg.DB, tileData []byte, log *slog.Logger) (*Pictures, error) {
	painter, err := newPainter(tileData)
	if err != nil {
		return nil, err
	}
	return &Pictures{
		db: db, log: log, painter: painter,
		drawing: make(chan struct{}, 1), cache: lru.New[string, []byte](maxCached),
	}, nil
}

// Routes serves the pictures: /social/business/{id}.png, /social/category/{code}.png.
func (p *Pictures) Routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /social/business/{file}", p.serveBusiness)
	routes.HandleFunc("GET /social/category/{file}", p.serveCategory)
	return routes
}

func (p *Pictures) serveBusiness(w http.ResponseWriter, r *http.Request) {
	id, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if !ok || !uuidShape().MatchString(id) {
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

func (p *Pictures) serveCategory(w http.ResponseWriter, r *http.Request) {
	code, ok := strings.CutSuffix(r.PathValue("file"), ".png")
	if _, known := p.painter.tiles.Categories[code]; !ok || !known {
		http.NotFound(w, r)
		return
	}
	p.writePicture(w, r, code, "", "Plaza", "Local businesses in Spain and Andorra")
}

func (p *Pictures) writePicture(w http.ResponseWriter, r *http.Request, category, id, title, detail string) {
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
func (p *Pictures) picture(ctx context.Context, category, id, title, detail string) ([]byte, error) {
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
