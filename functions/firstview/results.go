package firstview

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

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
func (t searchTerms) title() string {
	subject := t.What
	if t.isCategoryPage() {
		subject = t.Category
	}
	switch {
	case subject != "" && t.Where != "":
		return subject + " in " + t.Where
	case t.isCategoryPage():
		return t.Category
	case t.What != "":
		return `Search results for "` + t.What + `"`
	case t.Where != "":
		return "Businesses in " + t.Where
	}
	return "Search Results"
}

// resultsTitle returns the heading of the list of results (SEARCH-04).
func (t searchTerms) resultsTitle(category string) string {
	switch {
	case t.isCategoryPage():
		return "Businesses"
	case t.What != "" && category != "":
		return `Results for "` + t.What + `" in ` + category
	case t.What != "":
		return `Results for "` + t.What + `"`
	case category != "":
		return category + " businesses"
	}
	return "All businesses"
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
	terms, ok := readTerms(query)
	// A term in both the path and the query is left to the client, which uses the path's.
	if !ok || at.place != "" && terms.Where != "" || at.category != "" && terms.Category != "" {
		return
	}
	terms.path = at
	if at.place != "" {
		if terms.Where, ok = v.placeName(at.place); !ok {
			return
		}
	}
	meta.Draw = v.results(terms)
	if at.category == "" {
		meta.Requests = append(meta.Requests, terms.requests()...)
		meta.Lang, meta.Locale, meta.Title = "en", "en_GB", terms.title()+" · Plaza"
		return
	}
	// A search needs the category's name, which is in the first answer.
	meta.Next = func(answers []*site.Answer) []site.Request {
		all, _ := decodeRows[category](answers, 0)
		named, ok := terms.withCategory(all)
		if !ok {
			return nil
		}
		return named.requests()
	}
}

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
		if !ok || !isCounted || len(rows) == 0 || !isNamed {
			return site.View{}
		}
		view := struct {
			page
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
			Previous, Next               string
		}{
			searchTerms: terms, Title: terms.title(), Place: link{Label: "All locations", To: "/search"}, Choice: "All Categories",
			Ratings: []string{"4.0", "4.5"}, Amenities: []string{"Wheelchair Accessible", "Parking", "Pet Friendly"},
		}
		if terms.Where != "" {
			view.Place = link{Label: terms.Where, To: searchPath("find_loc", terms.Where)}
		}
		name := terms.Category
		if one, ok := findCategory(name, all); ok {
			name, view.Choice = one.Name, one.Name
			if one.Parent == "" {
				view.Choice = "All " + one.Name
			}
			if terms.isCategoryPage() {
				view.Related, view.Others = "More like "+one.Name, related(one, all)
			}
		}
		view.ResultsTitle = terms.resultsTitle(name)
		pages := (found + searchPageSize - 1) / searchPageSize
		for _, row := range prependPromoted(promoted, rows) {
			one := v.card(row, all)
			one.IsRow, one.IsMatch = true, terms.What != ""
			view.Rows = append(view.Rows, one)
		}
		among := strconv.Itoa(found)
		if found == mostCounted+1 {
			among = "more than " + count(mostCounted)
		}
		view.Showing = fmt.Sprintf("Showing %d of %s results (Page %d of %d)", len(view.Rows), among, terms.Page, pages)
		words, _ := decodeRows[correction](answers, 4)
		view.Understood, view.Unknown = correctText(terms.What, words)
		corrected := terms
		corrected.What = view.Understood
		view.Corrected = corrected.pageURL(1)
		if terms.Page > 1 {
			view.Previous = terms.pageURL(terms.Page - 1)
		}
		if terms.Page < pages {
			view.Next = terms.pageURL(terms.Page + 1)
		}
		return v.draw("search", view)
	}
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
func related(one category, all []category) []link {
	parent := cmp.Or(one.Parent, one.Code)
	var others []link
	for _, other := range all {
		if other.Parent == parent && other.Code != one.Code {
			others = append(others, link{Label: other.Name, To: "/category/" + other.Code})
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
	return name, slugShape.MatchString(slug) && plainTerm.MatchString(name)
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

// correction is a word of a search as typed, and the word it was corrected to. A nil Meant means
// that the word was ignored.
type correction struct {
	Typed string  `json:"typed"`
	Meant *string `json:"meant"`
}

// correctText returns the corrected text, and its words that were corrected or ignored as a
// list. Both are empty if nothing was changed. The client has the same in features/search.
func correctText(text string, words []correction) (corrected, unknown string) {
	if len(words) == 0 {
		return "", ""
	}
	var parts, typed []string
	for _, word := range strings.Fields(text) {
		at := slices.IndexFunc(words, func(one correction) bool { return one.Typed == foldWord(word) })
		switch {
		case at < 0:
			parts = append(parts, word)
		case words[at].Meant != nil:
			parts = append(parts, *words[at].Meant)
		}
	}
	for _, one := range words {
		typed = append(typed, "“"+one.Typed+"”")
	}
	return strings.Join(parts, " "), strings.Join(typed, " or ")
}

// fold returns a text in lower case without accents, as the client's fold does.
func fold(text string) string {
	return strings.ToLower(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))))
}

// foldWord returns the letters and digits of a word in lower case, without accents.
func foldWord(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(word))
}

// maxSlug is the longest slug in characters, the same as in the client.
const maxSlug = 50

var (
	notInSlugs   = regexp.MustCompile(`[^a-z0-9 -]+`)
	betweenWords = regexp.MustCompile(`[ -]+`)
)

// slugify returns a text as a URL path segment (RULE-23).
func slugify(text string) string {
	slug := betweenWords.ReplaceAllString(notInSlugs.ReplaceAllString(fold(text), ""), "-")
	return strings.Trim(slug[:min(len(slug), maxSlug)], "-")
}

// plainTerm matches terms that the client uses as they are, without truncating, trimming or
// cleaning them.
var plainTerm = regexp.MustCompile(`^[^\s<>'"&](?:[^<>'"&]{0,98}[^\s<>'"&])?$`)

// readTerms parses the query of a search URL. ok is false for queries that only the client
// supports: filters, older parameter names, and terms that it cleans first.
func readTerms(query url.Values) (terms searchTerms, ok bool) {
	terms.Page = 1
	for name, values := range query {
		value := values[0]
		into := map[string]*string{"find_desc": &terms.What, "find_loc": &terms.Where, "category": &terms.Category}[name]
		switch {
		case into != nil && value == "": // no term
		case into != nil && plainTerm.MatchString(value):
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

func (t searchTerms) requests() []site.Request {
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
		apiRequest("rpc/best_businesses", "return=representation", rows(searchPageSize)...),
		apiRequest("rpc/promoted_businesses", "return=representation", rows(promotedPerPage)...),
		apiRequest("rpc/count_businesses", "", terms...),
	}
	if t.What != "" {
		requests = append(requests, apiRequest("rpc/search_meaning", "", "find_desc", t.What))
	}
	return requests
}
