package pages

import (
	"context"
	"encoding/json"
	"fmt"

	"plaza/server/claims"
	"plaza/server/lazyregexp"
	"plaza/server/pg"
)

// redirectSQL follows the stored redirects of the path $1 to their end (ROUTE-36, S-52).
const redirectSQL = `
	with recursive way (url, steps) as (
		select r.new_url, 1 from public.url_redirects r where r.old_url = $1 and r.is_active
		union all
		select r.new_url, way.steps + 1
		from way join public.url_redirects r on r.old_url = way.url and r.is_active
		where way.steps < 20)
	select json_build_object(
		'Redirect', coalesce((select url from way order by steps desc limit 1), ''),
		'Business', `

// businessSQL reads the business with the key $2.
const businessSQL = `(
		select json_build_object('ID', b.id, 'Name', b.name, 'Type', b.type, 'Location', b.location, 'Slug', b.slug,
			'Path', case when b.migrated_url then coalesce(b.url_path, '') else '' end,
			'About', coalesce(b.description, b.tagline, ''))
		from public.businesses b where `

// Businesses are looked up as in the client (BIZ-01): by id, number or url_path, or else by
// slug and then by former slug.
const (
	byNone   = redirectSQL + `null)`
	byID     = redirectSQL + businessSQL + `b.id = $2::uuid))`
	byNumber = redirectSQL + businessSQL + `b.display_id = $2))`
	byPath   = redirectSQL + businessSQL + `b.url_path = $2))`
	bySlug   = redirectSQL + businessSQL + `b.slug = $2
		or b.id = (select f.business_id from public.business_former_slugs f where f.slug = $2)
		order by b.slug = $2 desc limit 1))`
)

var (
	uuidShape   = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	numberShape = lazyregexp.New(`^B-[0-9]{6,}$`)
	slugShape   = lazyregexp.New(`^[a-z0-9][a-z0-9-]*$`)
)

// found is what the database knows of a path.
type found struct {
	Redirect string // where the path was moved to; empty if it was not
	Business *shop  // nil if the path names none, or one that is not public
}

type shop struct {
	ID, Name, Type, Location, Slug string
	Path                           string // its url_path, if it was migrated
	About                          string
}

// find looks up a path, and the business with a key, which may be empty, with the rights
// of anon.
func find(ctx context.Context, db *pg.DB, path, key string) (f found, err error) {
	statement, args := byNone, [][]byte{[]byte(path)}
	switch {
	case key == "":
	case key[0] == '/':
		statement = byPath
	case uuidShape().MatchString(key):
		statement = byID
	case numberShape().MatchString(key):
		statement = byNumber
	default:
		statement = bySlug
	}
	if key != "" {
		args = append(args, []byte(key))
	}
	_, err = db.QueryAsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true},
		pg.Statement{SQL: statement, Args: args}, func(row [][]byte) error {
			return json.Unmarshal(row[0], &f)
		})
	if err != nil {
		return f, fmt.Errorf("look up a page: %w", err)
	}
	return f, nil
}
