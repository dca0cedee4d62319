package firstview

import (
	"slices"
	"strconv"
	"strings"

	"plaza/functions/words"
	"plaza/server/site"
)

// column is a group of links in the footer.
type column struct {
	Title string
	Links []link
}

// footer has the same links as client/src/app/layouts/nav-model.ts.
var footer = []column{
	{"Discover", []link{
		{Label: "All businesses", To: "/search"}, {Label: "Advanced search", To: "/search/advanced"}, {Label: "Home", To: "/"},
	}},
	{"For Business", []link{
		{Label: "Add your business", To: "/auth?mode=register&role=owner"}, {Label: "Become a seller", To: "/become-seller"},
		{Label: "Plans", To: "/plans"}, {Label: "My Businesses", To: "/my-businesses"},
	}},
	{"Support", []link{
		{Label: "Help", To: "/help"}, {Label: "Contact", To: "/contact"}, {Label: "About Plaza", To: "/about"},
		{Label: "Privacy", To: "/privacy"}, {Label: "Terms", To: "/terms"},
	}},
}

// footerLinks is how many cities and how many categories the footer links to.
const footerLinks = 8

// The cities and the top categories with the most businesses, as the client requests them
// (features/directory/api).
var directoryRequests = []site.Request{
	apiRequest("city_counts", "", "select", "slug,name", "businesses", "gt.0", "order", "businesses.desc,name.asc", "limit", strconv.Itoa(footerLinks)),
	apiRequest("category_counts", "", "select", "category_code,category_name", "city_slug", "eq.", "parent_category", "is.null",
		"order", "businesses.desc,category_name.asc", "limit", strconv.Itoa(footerLinks)),
}

// addFooter adds the footer, with links to the pages of cities and categories, to the page's
// first view.
func (v *Views) addFooter(meta *site.Meta, address string) {
	if meta.Draw == nil {
		return
	}
	draw, at := meta.Draw, len(meta.Requests)
	meta.Requests = slices.Concat(meta.Requests, directoryRequests)
	meta.Draw = func(answers []*site.Answer) site.View {
		end := at + len(directoryRequests)
		drawn := draw(slices.Concat(answers[:at], answers[end:]))
		if drawn.HTML == nil {
			return drawn
		}
		footer := v.draw("end", struct {
			Groups    []column
			Languages []inLanguage
		}{directory(answers[at:end]), v.inLanguages(address)})
		if footer.HTML == nil {
			return site.View{Head: drawn.Head, Status: drawn.Status}
		}
		drawn.HTML = append(drawn.HTML, footer.HTML...)
		return drawn
	}
}

// inLanguage is a link to the page in a language.
type inLanguage struct {
	Language, Name, To string
	IsCurrent          bool
}

var languageNames = map[string]string{"en": "English", "es": "Español", "ca": "Català"}

// inLanguages returns the links to a page in all languages, the same as the client's
// layouts/language-choice.tsx. address is the page's URL without a language.
func (v *Views) inLanguages(address string) []inLanguage {
	path, query, hasQuery := strings.Cut(address, "?")
	current := v.words.Language
	if path == "/" || path == "/en" {
		current = v.words.Home
	}
	var all []inLanguage
	for _, language := range []string{"es", "ca", "en"} {
		to := words.Path(language, path)
		if language == "es" && to == "/" {
			to = "/es" // where the other pages are in Spanish, too
		}
		if hasQuery {
			to += "?" + query
		}
		all = append(all, inLanguage{language, languageNames[language], to, language == current})
	}
	return all
}

// directory returns the links of the answers to directoryRequests, without empty groups.
func directory(answers []*site.Answer) (groups []column) {
	cities, _ := decodeRows[place](answers, 0)
	categories, _ := decodeRows[category](answers, 1)
	var places, kinds []link
	for _, one := range cities {
		places = append(places, link{Label: one.Name, To: "/c/" + one.Slug})
	}
	for _, one := range categories {
		kinds = append(kinds, link{Label: one.Name, To: "/category/" + one.Code})
	}
	for _, group := range []column{{"Cities", places}, {"Categories", kinds}} {
		if group.Links != nil {
			groups = append(groups, group)
		}
	}
	return groups
}
