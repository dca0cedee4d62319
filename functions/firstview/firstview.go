// Package firstview makes what public pages begin with: the code and data that the
// client asks for when it opens one, so that its first screen waits for no further
// trip, and the first screen itself, which stands until the client runs. A page that
// it does not know, or whose address the client reads otherwise, is as quick as it
// was without it.
package firstview

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"plaza/server/site"
)

// The columns that the client's queries read: cardColumns and detailColumns of
// client/src/features/businesses/model. TestColumnsAreTheClients holds them equal.
const (
	cardColumns   = "id, owner_id, name, type, location, phone, image_url, hours, rating, combined_rating, user_ratings_total, category_code, time_zone, price_from, latitude, longitude"
	detailColumns = "id, owner_id, name, type, location, address, phone, website, image_url, logo, latitude, longitude, hours, amenities, description, tagline, company_values, languages, rating, combined_rating, user_ratings_total, rating_sources, category_code, time_zone, url_path, migrated_url, services(id, name, description, price, duration), photos:business_photos(id, photo_url, caption)"
)

// Sizes of pages and of their promoted part, as the client has them.
const (
	searchPageSize  = 12
	promotedPerPage = 2
	topRatedCount   = 4
	mostCounted     = 5000 // of count_businesses; one more stands for all above
)

var (
	uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	slugShape = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
)

// Begin adds to a page what it begins with.
func (v *Views) Begin(meta *site.Meta, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/":
		meta.Modules, meta.Requests, meta.Draw = screen("home"), []site.Request{categories}, v.home
	case len(parts) == 2 && parts[0] == "business" && uuidShape.MatchString(parts[1]):
		meta.Modules, meta.Requests, meta.Draw = screen("business"), business(r, "id", strings.ToLower(parts[1])), v.business
	case len(parts) == 2 && (parts[0] == "business" || parts[0] == "biz") && slugShape.MatchString(parts[1]) && parts[1] != "new":
		meta.Modules, meta.Requests, meta.Draw = screen("business"), business(r, "slug", parts[1]), v.business
	case r.URL.Path == "/search":
		meta.Modules = screen("search")
		v.list(meta, r.URL.Query(), path{address: r.URL.Path})
	case parts[0] == "search" && len(parts) == 2 && parts[1] != "advanced":
		meta.Modules = append(screen("search"), places)
		v.list(meta, r.URL.Query(), path{address: r.URL.Path, place: parts[1]})
	case parts[0] == "search" && len(parts) == 3:
		meta.Modules = append(screen("search"), places)
		v.list(meta, r.URL.Query(), path{address: r.URL.Path, place: parts[1], category: parts[2]})
	case parts[0] == "category" && len(parts) == 2:
		meta.Modules = screen("category")
		v.list(meta, r.URL.Query(), path{address: r.URL.Path, category: parts[1]})
	case parts[0] == "c" && len(parts) == 2 && slugShape.MatchString(parts[1]):
		meta.Modules, meta.Requests, meta.Draw = screen("city"), append(city(r, parts[1]), topRated(parts[1])), v.city
	case parts[0] == "c" && len(parts) == 3 && slugShape.MatchString(parts[1]):
		meta.Modules, meta.Requests, meta.Draw = screen("city-category"), city(r, parts[1]), cityCategory(parts[2])
	}
}

// places is the module that names the place of an address.
const places = "src/features/location/model/cities.ts"

func screen(name string) []string { return []string{"src/app/routes/" + name + ".tsx"} }

var categories = get("categories-plaza", "", "select", "category_name,category_code,parent_category", "is_active", "eq.true", "order", "category_name.asc")

// moved asks whether an address leads elsewhere.
func moved(r *http.Request) site.Request {
	return get("url_redirects", "", "select", "new_url", "old_url", "eq."+r.URL.Path, "is_active", "eq.true")
}

func city(r *http.Request, slug string) []site.Request {
	return []site.Request{
		get("cities", "", "select", "slug,name,local_name,country,time_zone", "slug", "eq."+slug),
		get("city_counts", "", "select", "businesses", "slug", "eq."+slug),
		get("category_counts", "", "select", "category_code,category_name,category_level,parent_category,businesses",
			"city_slug", "eq."+slug, "businesses", "gt.0", "order", "businesses.desc,category_name.asc"),
		categories, moved(r),
	}
}

// topRated asks for the best of a place.
func topRated(slug string) site.Request {
	return get("rpc/search_businesses", "", "find_loc", slug, "select", strings.ReplaceAll(cardColumns, " ", ""),
		"order", "ranking.desc,created_at.desc", "limit", strconv.Itoa(topRatedCount))
}

func business(r *http.Request, column, key string) []site.Request {
	return []site.Request{
		get("businesses", "", "select", strings.ReplaceAll(detailColumns, " ", ""), column, "eq."+key,
			"services.order", "name.asc", "photos.order", "display_order.asc"),
		categories,
		moved(r),
	}
}

// get is a request of the data API with parameters as names and values in turn.
func get(table, prefer string, parameters ...string) site.Request {
	query := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	return site.Request{Path: "/rest/v1/" + table + "?" + query.Encode(), Prefer: prefer}
}
