package social

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"plaza/server/claims"
	"plaza/server/lazyregexp"
	"plaza/server/pg"
)

// business is the data of a business that its picture shows.
type business struct {
	ID, Name, Type, Location string
	Category                 string // top category, for the tile
	Rating                   *float64
}

// businessSQL reads the business with an id. Subcategories have the tile of their parent category.
const businessSQL = `
	select json_build_object('ID', b.id, 'Name', b.name, 'Type', b.type, 'Location', b.location,
		'Category', coalesce(c.parent_category, b.category_code, ''), 'Rating', coalesce(b.combined_rating, b.rating))
	from public.businesses b
	left join public."categories-plaza" c on c.category_code = b.category_code
	where b.id = $1::uuid`

var uuidShape = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// errNotFound means that there is no such public business.
var errNotFound = errors.New("no such business")

// findBusiness reads a business with the rights of anon.
func findBusiness(ctx context.Context, db *pg.DB, id string) (business, error) {
	var b business
	found := false
	_, err := db.QueryAsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true},
		pg.Statement{SQL: businessSQL, Args: [][]byte{[]byte(id)}}, func(row [][]byte) error {
			found = true
			return json.Unmarshal(row[0], &b)
		})
	switch {
	case err != nil:
		return b, fmt.Errorf("look up business for its page: %w", err)
	case !found:
		return b, errNotFound
	}
	return b, nil
}

// detail returns the line below the name: "4.8 / 5 · Peluquería · Gràcia, Barcelona".
func (b business) detail() string {
	parts := []string{b.Type, b.Location}
	if b.Rating != nil && *b.Rating > 0 {
		parts = append([]string{fmt.Sprintf("%.1f / 5", *b.Rating)}, parts...)
	}
	return strings.Join(parts, " · ")
}
