// Package firstview speeds up the first view of public pages. It preloads the modules and
// data that the client requests when it opens a page, which saves it a round trip, and
// renders the first screen as HTML, which is shown until the client runs. Unknown pages, and
// URLs that only the client can interpret, are served without a first view.
package firstview

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plaza/server/lazyregexp"
	"plaza/server/site"
)

// The columns that the client's queries select: cardColumns and detailColumns of
// client/src/features/businesses/model. TestColumnsMatchClient compares them.
const (
	cardColumns   = "id, owner_id, name, type, location, phone, image_url, hours, rating, combined_rating, user_ratings_total, category_code, time_zone, price_from, latitude, longitude"
	detailColumns = "id, owner_id, name, type, location, address, phone, website, image_url, logo, latitude, longitude, hours, amenities, description, tagline, company_values, languages, rating, combined_rating, user_ratings_total, rating_sources, category_code, time_zone, city:cities(slug, name), url_path, migrated_url, services(id, name, description, price, duration), photos:business_photos(id, photo_url, caption)"
)

// Numbers of results, the same as in the client.
const (
	searchPageSize  = 12
	cityPageSize    = 20
	popularCount    = 5
	otherCategories = 10
	promotedPerPage = 2
	topRatedCount   = 4
	mostCounted     = 5000 // limit of count_businesses, which returns one more for any larger count
)

var (
	uuidShape = lazyregexp.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	slugShape = lazyregexp.New(`^[a-z0-9][a-z0-9-]*$`)
)

// AddFirstView sets the modules, requests and first view of the request's page.
func (v *Views) AddFirstView(meta *site.Meta, r *http.Request) {
	v.addScreen(meta, r)
	v.addFooter(meta, r.URL.RequestURI())
}

// addScreen does what AddFirstView does, except for the footer.
func (v *Views) addScreen(meta *site.Meta, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if parts[0] == "c" && len(parts) > 1 {
		meta.Tags = append(meta.Tags, "l:"+parts[1])
	}
	switch {
	case r.URL.Path == "/", r.URL.Path == "/en":
		meta.Modules, meta.Requests, meta.Draw = routeModule("home"), []site.Request{categories}, v.home
	case len(parts) == 2 && parts[0] == "business" && uuidShape().MatchString(parts[1]):
		meta.Modules, meta.Requests, meta.Draw = routeModule("business"), businessRequests(r, "id", strings.ToLower(parts[1])), v.business(meta.URL)
	case len(parts) == 2 && (parts[0] == "business" || parts[0] == "biz") && slugShape().MatchString(parts[1]) && parts[1] != "new":
		meta.Modules, meta.Requests, meta.Draw = routeModule("business"), businessRequests(r, "slug", parts[1]), v.business(meta.URL)
	case len(parts) == 4 && uuidShape().MatchString(parts[2]):
		meta.Modules, meta.Requests, meta.Draw = routeModule("business-address"), businessRequests(r, "url_path", r.URL.Path), v.business(meta.URL)
	case r.URL.Path == "/search":
		meta.Modules = routeModule("search")
		v.addResults(meta, r.URL.Query(), path{address: r.URL.Path})
	case parts[0] == "search" && len(parts) == 2 && parts[1] != "advanced":
		meta.Modules = append(routeModule("search"), places)
		v.addResults(meta, r.URL.Query(), path{address: r.URL.Path, place: parts[1]})
	case parts[0] == "search" && len(parts) == 3:
		meta.Modules = append(routeModule("search"), places)
		v.addResults(meta, r.URL.Query(), path{address: r.URL.Path, place: parts[1], category: parts[2]})
	case parts[0] == "category" && len(parts) == 2:
		meta.Modules = routeModule("category")
		v.addResults(meta, r.URL.Query(), path{address: r.URL.Path, category: parts[1]})
	case parts[0] == "c" && len(parts) == 2 && slugShape().MatchString(parts[1]):
		meta.Modules, meta.Requests, meta.Draw = routeModule("city"), append(cityRequests(r, parts[1]), topRatedRequest(parts[1])), v.city
	case parts[0] == "c" && len(parts) == 3 && slugShape().MatchString(parts[1]):
		meta.Modules, meta.Requests = routeModule("city-category"), cityRequests(r, parts[1])
		v.addCityCategory(meta, r.URL.Query(), r.URL.Path, parts[2])
	}
}

// places is the client's module that maps a slug to the name of a place.
const places = "src/features/location/model/cities.ts"

func routeModule(name string) []string { return []string{"src/app/routes/" + name + ".tsx"} }

var categories = apiRequest("categories-plaza", "", "select", "category_name,category_code,parent_category", "is_active", "eq.true", "order", "category_name.asc")

// redirectRequest requests the redirect of a path.
func redirectRequest(r *http.Request) site.Request {
	return apiRequest("url_redirects", "", "select", "new_url", "old_url", "eq."+r.URL.Path, "is_active", "eq.true")
}

func cityRequests(r *http.Request, slug string) []site.Request {
	return []site.Request{
		apiRequest("cities", "", "select", "slug,name,local_name,country,time_zone", "slug", "eq."+slug),
		apiRequest("city_counts", "", "select", "businesses", "slug", "eq."+slug),
		apiRequest("category_counts", "", "select", "category_code,category_name,category_level,parent_category,businesses",
			"city_slug", "eq."+slug, "businesses", "gt.0", "order", "businesses.desc,category_name.asc"),
		categories, redirectRequest(r),
	}
}

// topRatedRequest requests the best businesses of a place.
func topRatedRequest(slug string) site.Request {
	return apiRequest("rpc/search_businesses", "", "find_loc", slug, "select", strings.ReplaceAll(cardColumns, " ", ""),
		"order", "ranking.desc,created_at.desc", "limit", strconv.Itoa(topRatedCount))
}

func businessRequests(r *http.Request, column, key string) []site.Request {
	return []site.Request{
		apiRequest("businesses", "", "select", strings.ReplaceAll(detailColumns, " ", ""), column, "eq."+key,
			"services.order", "name.asc", "photos.order", "display_order.asc"),
		categories,
		redirectRequest(r),
	}
}

// apiRequest returns a request of the data API. parameters are alternating names and values.
func apiRequest(table, prefer string, parameters ...string) site.Request {
	query := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	return site.Request{Path: "/rest/v1/" + table + "?" + query.Encode(), Prefer: prefer}
}
