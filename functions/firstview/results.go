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

// asked is what a search asks for.
type asked struct {
	What, Where, Category string
	Page                  int

	path path
}

// path is where results are listed, and what it says of the search itself: /search,
// /search/{place}, /search/{place}/{category} or /category/{category}.
type path struct{ address, place, category string }

// at is the address of a page of the results; what the path says it leaves to it.
func (a asked) at(page int) string {
	number := ""
	if page > 1 {
		number = strconv.Itoa(page)
	}
	where, category := a.Where, a.Category
	if a.path.place != "" {
		where = ""
	}
	if a.path.category != "" {
		category = ""
	}
	return a.path.address + strings.TrimPrefix(searchPath("find_desc", a.What, "find_loc", where, "category", category, "page", number), "/search")
}

// isCategoryPage says that the page is a category's own, under its name.
func (a asked) isCategoryPage() bool { return a.path.category != "" && a.path.place == "" }

// title is the heading of a search (SEARCH-03), or of a category.
func (a asked) title() string {
	subject := a.What
	if a.isCategoryPage() {
		subject = a.Category
	}
	switch {
	case subject != "" && a.Where != "":
		return subject + " in " + a.Where
	case a.isCategoryPage():
		return a.Category
	case a.What != "":
		return `Search results for "` + a.What + `"`
	case a.Where != "":
		return "Businesses in " + a.Where
	}
	return "Search Results"
}

// resultsTitle is that of the results below it (SEARCH-04).
func (a asked) resultsTitle(category string) string {
	switch {
	case a.isCategoryPage():
		return "Businesses"
	case a.What != "" && category != "":
		return `Results for "` + a.What + `" in ` + category
	case a.What != "":
		return `Results for "` + a.What + `"`
	case category != "":
		return category + " businesses"
	}
	return "All businesses"
}

// in gives the terms with the category that their path names; it is false where there is none.
func (a asked) in(all []category) (asked, bool) {
	if a.path.category == "" {
		return a, true
	}
	found, ok := findCategory(a.path.category, all)
	a.Category = found.Name
	return a, ok
}

// list fills a page that lists what a search finds, at one of the paths.
func (v *Views) list(meta *site.Meta, query url.Values, at path) {
	meta.Requests = []site.Request{categories}
	terms, ok := readTerms(query)
	// The client reads what is said twice from the path.
	if !ok || at.place != "" && terms.Where != "" || at.category != "" && terms.Category != "" {
		return
	}
	terms.path = at
	if at.place != "" {
		if terms.Where, ok = v.place(at.place); !ok {
			return
		}
	}
	meta.Draw = v.results(terms)
	if at.category == "" {
		meta.Requests = append(meta.Requests, terms.requests()...)
		meta.Lang, meta.Locale, meta.Title = "en", "en_GB", terms.title()+" · Plaza"
		return
	}
	// A search takes a category by its name, which the answer tells.
	meta.Next = func(answers []*site.Answer) []site.Request {
		all, _ := read[category](answers, 0)
		named, ok := terms.in(all)
		if !ok {
			return nil
		}
		return named.requests()
	}
}

// results draws what was found; that nothing was, that a page is past the last or that
// there is no such category, the client says.
func (v *Views) results(terms asked) site.Draw {
	return func(answers []*site.Answer) site.View {
		all, isListed := read[category](answers, 0)
		terms, isNamed := terms.in(all)
		if isListed && !isNamed {
			return missing
		}
		rows, ok := read[head](answers, 1)
		promoted, _ := read[head](answers, 2)
		found, isCounted := value[int](answers, 3)
		if !ok || !isCounted || len(rows) == 0 || !isNamed {
			return site.View{}
		}
		view := struct {
			page
			asked

			Title, ResultsTitle, Showing string
			Choice                       string // of the categories
			Related                      string // what the categories beside this one are called
			Others                       []link // those
			Understood, Unknown          string // of the text, where not as it was typed
			Corrected                    string // where that is searched for
			Place                        link
			Ratings, Amenities           []string
			Rows                         []card
			Previous, Next               string
		}{
			asked: terms, Title: terms.title(), Place: link{Label: "All locations", To: "/search"}, Choice: "All Categories",
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
		for _, row := range withoutTwins(promoted, rows) {
			one := v.card(row, all)
			one.IsRow, one.IsMatch = true, terms.What != ""
			view.Rows = append(view.Rows, one)
		}
		among := strconv.Itoa(found)
		if found == mostCounted+1 {
			among = "more than " + count(mostCounted)
		}
		view.Showing = fmt.Sprintf("Showing %d of %s results (Page %d of %d)", len(view.Rows), among, terms.Page, pages)
		words, _ := read[meaning](answers, 4)
		view.Understood, view.Unknown = understood(terms.What, words)
		corrected := terms
		corrected.What = view.Understood
		view.Corrected = corrected.at(1)
		if terms.Page > 1 {
			view.Previous = terms.at(terms.Page - 1)
		}
		if terms.Page < pages {
			view.Next = terms.at(terms.Page + 1)
		}
		return v.draw("search", view)
	}
}

// findCategory returns the category that a name, a code or a slug of either means.
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

// related leads to the subcategories of a top category, or to those beside another.
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

// place names the place of a slug; where it is none of those served, it is the slug's words.
func (v *Views) place(slug string) (name string, ok bool) {
	if name, ok = v.places[slug]; ok {
		return name, true
	}
	name = strings.TrimSpace(strings.ReplaceAll(slug, "-", " "))
	return name, slugShape.MatchString(slug) && plainTerm.MatchString(name)
}

// readPlaces returns the names of the client's places by the slugs of all their spellings.
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

// meaning is a word of a search as it was typed, and the one it was taken for; nil where
// it was left out.
type meaning struct {
	Typed string  `json:"typed"`
	Meant *string `json:"meant"`
}

// understood writes a text as it was understood, and its words that were not; both are
// empty where it was as it was typed. The client has the same in features/search.
func understood(text string, words []meaning) (as, unknown string) {
	if len(words) == 0 {
		return "", ""
	}
	var parts, typed []string
	for _, word := range strings.Fields(text) {
		at := slices.IndexFunc(words, func(one meaning) bool { return one.Typed == folded(word) })
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

// fold writes a text in lower case without accents, as the client's fold does.
func fold(text string) string {
	return strings.ToLower(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))))
}

// folded is a word in lower case, of letters without accents and digits.
func folded(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(word))
}

// maxSlug is the client's, in characters.
const maxSlug = 50

var (
	notInSlugs   = regexp.MustCompile(`[^a-z0-9 -]+`)
	betweenWords = regexp.MustCompile(`[ -]+`)
)

// slugify writes a text as a part of an address (RULE-23).
func slugify(text string) string {
	slug := betweenWords.ReplaceAllString(notInSlugs.ReplaceAllString(fold(text), ""), "-")
	return strings.Trim(slug[:min(len(slug), maxSlug)], "-")
}

// plainTerm is what the client does not shorten, trim or clean.
var plainTerm = regexp.MustCompile(`^[^\s<>'"&](?:[^<>'"&]{0,98}[^\s<>'"&])?$`)

// readTerms reads the address of a search. It is false for what the client reads
// otherwise: filters, older names, terms that it cleans first.
func readTerms(query url.Values) (terms asked, ok bool) {
	terms.Page = 1
	for name, values := range query {
		value := values[0]
		into := map[string]*string{"find_desc": &terms.What, "find_loc": &terms.Where, "category": &terms.Category}[name]
		switch {
		case into != nil && value == "": // asks for nothing
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

func (a asked) requests() []site.Request {
	var terms []string
	for _, one := range [][2]string{{"find_desc", a.What}, {"find_loc", a.Where}, {"category", a.Category}} {
		if one[1] != "" {
			terms = append(terms, one[0], one[1])
		}
	}
	rows := func(size int) []string {
		return append(slices.Clone(terms), "select", strings.ReplaceAll(cardColumns, " ", ""), "offset", strconv.Itoa((a.Page-1)*size), "limit", strconv.Itoa(size))
	}
	requests := []site.Request{
		get("rpc/best_businesses", "return=representation", rows(searchPageSize)...),
		get("rpc/promoted_businesses", "return=representation", rows(promotedPerPage)...),
		get("rpc/count_businesses", "", terms...),
	}
	if a.What != "" {
		requests = append(requests, get("rpc/search_meaning", "", "find_desc", a.What))
	}
	return requests
}
