// Package firstview knows what the client asks for when it opens a public page,
// so that code and data leave with the page and the first screen waits for no
// further trip. A page that it does not know, or whose address the client reads
// otherwise, is as quick as it was without it.
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
	cardColumns   = "id, owner_id, name, type, location, phone, image_url, hours, rating, combined_rating, user_ratings_total, category_code, time_zone"
	detailColumns = "id, owner_id, name, type, location, address, phone, website, image_url, logo, latitude, longitude, hours, amenities, description, tagline, company_values, languages, rating, combined_rating, user_ratings_total, rating_sources, category_code, time_zone, url_path, migrated_url, services(id, name, description, price, duration), photos:business_photos(id, photo_url, caption)"
)

// Sizes of pages and of their promoted part, as the client has them.
const (
	searchPageSize  = 12
	promotedPerPage = 2
)

var (
	uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	slugShape = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
)

const routes = "src/app/routes/"

// Of gives the modules and requests with which the page of r begins.
func Of(r *http.Request) (modules []string, requests []site.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/":
		return []string{routes + "home.tsx"}, []site.Request{categories}
	case len(parts) == 2 && parts[0] == "business" && uuidShape.MatchString(parts[1]):
		return business(r, "id", strings.ToLower(parts[1]))
	case len(parts) == 2 && (parts[0] == "business" || parts[0] == "biz") && slugShape.MatchString(parts[1]) && parts[1] != "new":
		return business(r, "slug", parts[1])
	case r.URL.Path == "/search":
		return search(r.URL.Query())
	case parts[0] == "search" && (len(parts) == 2 && parts[1] != "advanced" || len(parts) == 3):
		return []string{routes + "search.tsx"}, []site.Request{categories}
	case parts[0] == "category" && len(parts) == 2:
		return []string{routes + "category.tsx"}, []site.Request{categories}
	case parts[0] == "c" && len(parts) == 2 && slugShape.MatchString(parts[1]):
		return []string{routes + "city.tsx"}, city(r, parts[1])
	case parts[0] == "c" && len(parts) == 3 && slugShape.MatchString(parts[1]):
		return []string{routes + "city-category.tsx"}, city(r, parts[1])
	}
	return nil, nil
}

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

func business(r *http.Request, column, key string) ([]string, []site.Request) {
	return []string{routes + "business.tsx"}, []site.Request{
		get("businesses", "", "select", strings.ReplaceAll(detailColumns, " ", ""), column, "eq."+key,
			"services.order", "name.asc", "photos.order", "display_order.asc"),
		categories,
		moved(r),
	}
}

// terms are the parameters of a search that the client hands on as they are.
var terms = []string{"find_desc", "find_loc", "category"}

// plainTerm is what the client does not shorten, trim or clean.
var plainTerm = regexp.MustCompile(`^[^\s<>'"&](?:[^<>'"&]{0,98}[^\s<>'"&])?$`)

func search(query url.Values) ([]string, []site.Request) {
	modules := []string{routes + "search.tsx"}
	var asked []string
	for _, name := range terms {
		if !query.Has(name) {
			continue
		}
		if !plainTerm.MatchString(query.Get(name)) {
			return modules, []site.Request{categories}
		}
		asked = append(asked, name, query.Get(name))
		query.Del(name)
	}
	page := 1
	if text := query.Get("page"); text != "" {
		var err error
		if page, err = strconv.Atoi(text); err != nil || page < 2 || page > 1000 {
			return modules, []site.Request{categories}
		}
		query.Del("page")
	}
	if len(query) > 0 { // filters and older names
		return modules, []site.Request{categories}
	}
	asked = append(asked, "select", strings.ReplaceAll(cardColumns, " ", ""))
	rows := func(size int, more ...string) []string {
		return append(append(append([]string{}, asked...), more...), "offset", strconv.Itoa((page-1)*size), "limit", strconv.Itoa(size))
	}
	return modules, []site.Request{
		categories,
		get("rpc/search_businesses", "count=exact, return=representation", rows(searchPageSize, "order", "sort_rating.desc,created_at.desc")...),
		get("rpc/promoted_businesses", "return=representation", rows(promotedPerPage)...),
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
