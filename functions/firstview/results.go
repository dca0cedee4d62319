package firstview

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/functions/words"
	"plaza/server/lazyregexp"
	"plaza/server/site"
)

// searchTerms has the terms of a search.
type searchTerms struct {
	What, Where, Category string
	Page                  int

	path path
}

// path is the path of a results page with the terms that it contains: /search,
// /search/{place}, /search/{place}/{category} or /category/{category}.
type path struct{ address, place, category string }

// pageURL returns the URL of a page of the results. Terms of the path are not repeated in the query.
func (t searchTerms) pageURL(page int) string {
	number := ""
	if page > 1 {
		number = strconv.Itoa(page)
	}
	where, category := t.Where, t.Category
	if t.path.place != "" {
		where = ""
	}
	if t.path.category != "" {
		category = ""
	}
	return t.path.address + strings.TrimPrefix(searchPath("find_desc", t.What, "find_loc", where, "category", category, "page", number), "/search")
}

// isCategoryPage reports whether the path is /category/{category}.
func (t searchTerms) isCategoryPage() bool { return t.path.category != "" && t.path.place == "" }

// title returns the heading of a search (SEARCH-03) or of a category.
func (t searchTerms) title(w *words.Words) string {
	subject := t.What
	if t.isCategoryPage() {
		subject = w.Name(t.Category)
	}
	switch {
	case subject != "" && t.Where != "":
		return w.Say("%s in %s", subject, w.Name(t.Where))
	case t.isCategoryPage():
		return subject
	case t.What != "":
		return w.Say(`Search results for "%s"`, t.What)
	case t.Where != "":
		return w.Say("Businesses in %s", w.Name(t.Where))
	}
	return w.Say("Search Results")
}

// resultsTitle returns the heading of the list of results (SEARCH-04).
func (t searchTerms) resultsTitle(w *words.Words, category string) string {
	switch {
	case t.isCategoryPage():
		return w.Say("Businesses")
	case t.What != "" && category != "":
		return w.Say(`Results for "%s" in %s`, t.What, category)
	case t.What != "":
		return w.Say(`Results for "%s"`, t.What)
	case category != "":
		return w.Say("%s businesses of a category", category)
	}
	return w.Say("All businesses")
}

// pageTitle returns the document's title: the heading, and the category unless the heading has it.
// Client: documentTitleOf in client/src/features/search/model/terms.ts.
func (t searchTerms) pageTitle(w *words.Words, category string) string {
	switch {
	case category == "" || t.isCategoryPage():
		return t.title(w)
	case t.What != "":
		return t.title(w) + " · " + category
	case t.Where != "":
		return w.Say("%s in %s", category, w.Name(t.Where))
	}
	return category
}

// withCategory returns the terms with the category of their path. It returns false if that category
// does not exist.
func (t searchTerms) withCategory(all []category) (searchTerms, bool) {
	if t.path.category == "" {
		return t, true
	}
	found, ok := findCategory(t.path.category, all)
	t.Category = found.Name
	return t, ok
}

// addResults sets the requests and the first view of a results page.
func (v *Views) addResults(meta *site.Meta, query url.Values, at path) {
	meta.Requests = []site.Request{categories}
	meta.Lang, meta.Locale = v.words.Language, Locales[v.words.Language]
	terms, ok := readTerms(query)
	// A term in both the path and the query is left to the client, which uses the path's.
	if !ok || at.place != "" && terms.Where != "" || at.category != "" && terms.Category != "" {
		meta.Robots = site.NoIndex
		return
	}
	terms.path = at
	if at.place != "" {
		if terms.Where, ok = v.placeName(at.place); !ok {
			meta.Robots = site.NoIndex
			return
		}
	}
	meta.Tags = append(meta.Tags, v.listTag(terms.Where))
	// Any text has a results page, so their number has no limit.
	if terms.What != "" {
		meta.Robots = site.NoIndex
	}
	meta.Draw = v.results(terms)
	if at.category == "" {
		meta.Requests = append(meta.Requests, terms.requests(searchPageSize)...)
		meta.Title = terms.title(v.words) + " · Plaza"
		return
	}
	// A search needs the category's name, which is in the first answer.
	meta.Next = func(answers []*site.Answer) []site.Request {
		all, _ := decodeRows[category](answers, 0)
		named, ok := terms.withCategory(all)
		if !ok {
			return nil
		}
		return named.requests(searchPageSize)
	}
}

// listTag returns the cache tag of a list of businesses: that of its place or, without a known
// place, that of lists of all places.
func (v *Views) listTag(where string) string { return "l:" + slugify(v.places[slugify(where)]) }

// results renders the results. An empty result, a page after the last one and an unknown
// category are left to the client.
func (v *Views) results(terms searchTerms) site.Draw {
	return func(answers []*site.Answer) site.View {
		all, isListed := decodeRows[category](answers, 0)
		terms, isNamed := terms.withCategory(all)
		if isListed && !isNamed {
			return notFound
		}
		rows, ok := decodeRows[summary](answers, 1)
		promoted, _ := decodeRows[summary](answers, 2)
		found, isCounted := decode[int](answers, 3)
		if !ok || !isCounted || !isNamed {
			return site.View{}
		}
		if len(rows) == 0 {
			one, _ := findCategory(terms.Category, all)
			return site.View{Head: site.Head{Title: terms.pageTitle(v.words, v.words.Name(one.Name)) + " · Plaza", Robots: site.NoIndex}}
		}
		view := struct {
			page
			pager
			searchTerms

			Title, ResultsTitle, Showing string
			Choice                       string // selected category
			Related                      string // heading of the related categories
			Others                       []link // related categories
			Understood, Unknown          string // corrected text and unknown words; empty if as typed
			Corrected                    string // URL of the search for the corrected text
			Place                        link
			Ratings, Amenities           []string
			Rows                         []card
		}{
			searchTerms: terms, Title: terms.title(v.words), Place: link{Label: v.words.Say("All locations"), To: "/search"}, Choice: v.words.Say("All Categories"),
			Ratings: []string{"4.0", "4.5"}, Amenities: []string{"Wheelchair Accessible", "Parking", "Pet Friendly"},
		}
		if terms.Where != "" {
			view.Place = link{Label: v.words.Name(terms.Where), To: searchPath("find_loc", terms.Where)}
		}
		name := terms.Category
		if one, ok := findCategory(name, all); ok {
			name = v.words.Name(one.Name)
			view.Choice = name
			if one.Parent == "" {
				view.Choice = v.words.Say("All %s", name)
			}
			if terms.isCategoryPage() {
				view.Related, view.Others = v.words.Say("More like %s", name), v.related(one, all)
			}
		}
		view.ResultsTitle = terms.resultsTitle(v.words, name)
		shown := prependPromoted(promoted, rows)
		for _, row := range shown {
			one := v.card(row, all)
			one.IsRow, one.IsMatch = true, terms.What != ""
			view.Rows = append(view.Rows, one)
		}
		view.Showing = v.showing(len(shown), found, terms.Page, searchPageSize)
		corrections, _ := decodeRows[correction](answers, 4)
		view.Understood, view.Unknown = correctText(terms.What, corrections, v.words)
		corrected := terms
		corrected.What = view.Understood
		view.Corrected = corrected.pageURL(1)
		view.pager = newPager(terms.Page, found, searchPageSize, terms.pageURL)
		drawn := v.draw("search.html", view)
		drawn.Head = v.resultsHead(terms, all, found, shown)
		return drawn
	}
}

// resultsHead returns the head of a page of results, for search engines. Pages that show the
// same have one canonical URL: /category/{code}, /search/{place} or /search/{place}/{code}.
func (v *Views) resultsHead(terms searchTerms, all []category, found int, shown []summary) site.Head {
	one, isKnown := findCategory(terms.Category, all)
	title := terms.pageTitle(v.words, v.words.Name(one.Name))
	head := site.Head{Title: title + " · Plaza", Description: v.describeResults(title, found, terms.Page)}
	address := "/search"
	if terms.Where != "" {
		slug := slugify(terms.Where)
		if v.places[slug] == "" {
			head.Robots = site.NoIndex // any text has such a page
			return head
		}
		address += "/" + slugify(v.places[slug])
	}
	if terms.Category != "" {
		switch {
		case !isKnown:
			head.Robots = site.NoIndex
			return head
		case terms.Where == "":
			address = "/category/" + one.Code
		default:
			address += "/" + one.Code
		}
	}
	head.URL = v.url(withPage(address, terms.Page))
	head.Data = []any{v.listData(shown)}
	return head
}

// describeResults returns the description of a page with results. Each page has its own.
func (v *Views) describeResults(title string, found, page int) string {
	if page > 1 {
		title = v.words.Say("%s, page %d", title, page)
	}
	among := v.words.Businesses(found)
	if found > mostCounted {
		among = v.words.Say("more than %s businesses", v.words.Count(mostCounted))
	}
	return v.words.Say("%s: compare %s by rating, price, opening hours and free times, and book online.", title, among)
}

// withPage returns a path with the number of a further page.
func withPage(address string, page int) string {
	if page < 2 {
		return address
	}
	return address + "?page=" + strconv.Itoa(page)
}

// showing returns the line that counts results, as the client does.
func (v *Views) showing(shown, found, page, pageSize int) string {
	among := v.words.Results(found)
	if found == mostCounted+1 {
		among = v.words.Say("more than %s", v.words.Count(mostCounted))
	}
	return v.words.Say("Showing %d of %s results", shown, among) + " " + v.words.Say("(Page %d of %d)", page, pageCount(found, pageSize))
}

func pageCount(found, pageSize int) int { return (found + pageSize - 1) / pageSize }

// pager has the URLs of the pages before and after a page; they are empty if there is none.
type pager struct{ Previous, Next string }

func newPager(page, found, pageSize int, address func(page int) string) (p pager) {
	if page > 1 {
		p.Previous = address(page - 1)
	}
	if page < pageCount(found, pageSize) {
		p.Next = address(page + 1)
	}
	return p
}

// findCategory returns the category with a code, a name or the slug of a name.
func findCategory(text string, all []category) (category, bool) {
	wanted := fold(text)
	at := slices.IndexFunc(all, func(one category) bool { return one.Code == wanted })
	if at < 0 {
		at = slices.IndexFunc(all, func(one category) bool { return fold(one.Name) == wanted || slugify(one.Name) == wanted })
	}
	if at < 0 {
		return category{}, false
	}
	return all[at], true
}

// related returns links to the subcategories of a top category, or to the siblings of a
// subcategory.
func (v *Views) related(one category, all []category) []link {
	parent := cmp.Or(one.Parent, one.Code)
	var others []link
	for _, other := range all {
		if other.Parent == parent && other.Code != one.Code {
			others = append(others, link{Label: v.words.Name(other.Name), To: "/category/" + other.Code})
		}
	}
	return others
}

// placeName returns the name of the place with a slug. For an unknown place it returns the words
// of the slug; ok is false if they are not a plain term.
func (v *Views) placeName(slug string) (name string, ok bool) {
	if name, ok = v.places[slug]; ok {
		return name, true
	}
	name = strings.TrimSpace(strings.ReplaceAll(slug, "-", " "))
	return name, slugShape().MatchString(slug) && plainTerm().MatchString(name)
}

// readPlaces parses the client's places. It returns their names by the slugs of all their spellings.
func readPlaces(data []byte) (map[string]string, error) {
	var all []struct {
		Name    string
		Aliases []string
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("places: %w", err)
	}
	places := make(map[string]string)
	for _, one := range all {
		for _, spelling := range append(one.Aliases, one.Name) {
			if slug := slugify(spelling); places[slug] == "" {
				places[slug] = one.Name
			}
		}
	}
	return places, nil
}

// plainTerm matches terms that the client uses as they are, without truncating, trimming or
// cleaning them.
var plainTerm = lazyregexp.New(`^[^\s<>'"&](?:[^<>'"&]{0,98}[^\s<>'"&])?$`)

// readTerms parses the query of a search URL. ok is false for queries that only the client
// supports: filters, older parameter names, and terms that it cleans first.
func readTerms(query url.Values) (terms searchTerms, ok bool) {
	terms.Page = 1
	for name, values := range query {
		value := values[0]
		into := map[string]*string{"find_desc": &terms.What, "find_loc": &terms.Where, "category": &terms.Category}[name]
		switch {
		case into != nil && value == "": // no term
		case into != nil && plainTerm().MatchString(value):
			*into = value
		case name == "page":
			page, err := strconv.Atoi(value)
			if err != nil || page < 2 || page > 1000 {
				return terms, false
			}
			terms.Page = page
		default:
			return terms, false
		}
	}
	return terms, true
}

// requests returns the requests of a page of results of the given size.
func (t searchTerms) requests(pageSize int) []site.Request {
	var terms []string
	for _, one := range [][2]string{{"find_desc", t.What}, {"find_loc", t.Where}, {"category", t.Category}} {
		if one[1] != "" {
			terms = append(terms, one[0], one[1])
		}
	}
	rows := func(size int) []string {
		return append(slices.Clone(terms), "select", strings.ReplaceAll(cardColumns, " ", ""), "offset", strconv.Itoa((t.Page-1)*size), "limit", strconv.Itoa(size))
	}
	requests := []site.Request{
		apiRequest("rpc/best_businesses", "return=representation", rows(pageSize)...),
		apiRequest("rpc/promoted_businesses", "return=representation", rows(promotedPerPage)...),
		apiRequest("rpc/count_businesses", "", terms...),
	}
	if t.What != "" {
		requests = append(requests, apiRequest("rpc/search_meaning", "", "find_desc", t.What))
	}
	return requests
}
