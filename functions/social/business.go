package social

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/pg"
)

// business is what a page and its picture say of a business.
type business struct {
	ID, Slug, Name, Type, Location string
	Category                       string // top category, for the tile
	Rating                         *float64
	About                          string
	Photo                          string
}

// businessSQL reads a business. Children of a category show their parent's tile.
const businessSQL = `
	select b.id::text, b.slug, b.name, b.type, b.location,
		coalesce(c.parent_category, b.category_code, ''), coalesce(b.combined_rating, b.rating)::float8,
		coalesce(b.description, b.tagline, ''), coalesce(b.image_url, '')
	from public.businesses b
	left join public."categories-plaza" c on c.category_code = b.category_code`

// A business is found the way the client finds it (BIZ-01): by id, or else by
// slug and then by former slug.
const (
	byID   = businessSQL + ` where b.id = $1::uuid`
	bySlug = businessSQL + ` where b.slug = $1 or b.old_slug = $1 order by b.slug = $1 desc limit 1`
)

var uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// errNotFound says that there is no such business for the public.
var errNotFound = errors.New("no such business")

// find reads a business as anybody may see it.
func find(ctx context.Context, db *pg.DB, key string) (business, error) {
	statement := bySlug
	if uuidShape.MatchString(key) {
		statement = byID
	}
	var b business
	err := db.AsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true}, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, statement, key).
			Scan(&b.ID, &b.Slug, &b.Name, &b.Type, &b.Location, &b.Category, &b.Rating, &b.About, &b.Photo)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return b, errNotFound
	}
	if err != nil {
		return b, fmt.Errorf("look up business for its page: %w", err)
	}
	return b, nil
}

// detail is the line under the name: "★ 4.8 · Peluquería · Gràcia, Barcelona".
func (b business) detail() string {
	parts := []string{b.Type, b.Location}
	if b.Rating != nil && *b.Rating > 0 {
		parts = append([]string{fmt.Sprintf("%.1f / 5", *b.Rating)}, parts...)
	}
	return strings.Join(parts, " · ")
}
