package firstview

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/server/site"
)

// cityCategory is a category with its number of businesses in a city.
type cityCategory struct {
	category

	Businesses int `json:"businesses"`
}

// addCityCategory sets the requests and the first view of /c/{city}/{category}. meta has the
// requests of the city.
func (v *Views) addCityCategory(meta *site.Meta, query url.Values, address, slug string) {
	meta.Lang, meta.Locale = v.words.Language, Locales[v.words.Language]
	terms, ok := readTerms(query)
	if !ok || terms.What != "" || terms.Where != "" || terms.Category != "" {
		meta.Robots = site.NoIndex // the client ignores other terms, so the page is one of many
		terms = searchTerms{Page: max(1, terms.Page)}
	}
	// The search needs the names of the city and of the category, which are in the first answers.
	meta.Next = func(answers []*site.Answer) []site.Request {
		here, all := decodeCity(answers)
		one, ok := findCategory(slug, all)
		if here == nil || !ok {
			return nil
		}
		terms.Where, terms.Category = here.Name, one.Code
		popular := apiRequest("rpc/best_businesses", "return=representation", "find_loc", here.Name,
			"select", strings.ReplaceAll(cardColumns, " ", ""), "offset", "0", "limit", strconv.Itoa(popularCount))
		return append(terms.requests(cityPageSize), popular, apiRequest("rpc/count_businesses", "", "find_loc", here.Name))
	}
	meta.Draw = func(answers []*site.Answer) site.View { return v.cityCategory(answers, terms.Page, address, slug) }
}

// decodeCity returns a city, nil if it is unknown, and all categories.
func decodeCity(answers []*site.Answer) (*place, []category) {
	all, _ := decodeRows[category](answers, 3)
	found, _ := decodeRows[place](answers, 0)
	if len(found) != 1 {
		return nil, all
	}
	return &found[0], all
}

// cityCategory renders a page of a category's businesses in a city. Its status is 404 if
// the city or the category does not exist.
func (v *Views) cityCategory(answers []*site.Answer, number int, address, slug string) site.View {
	here, all := decodeCity(answers)
	one, isKnown := findCategory(slug, all)
	if answers[0] != nil && here == nil || len(all) > 0 && !isKnown {
		return notFound
	}
	rows, ok := decodeRows[summary](answers, 5)
	promoted, _ := decodeRows[summary](answers, 6)
	found, isCounted := decode[int](answers, 7)
	popular, isPopular := decodeRows[summary](answers, 8)
	counts, _ := decodeRows[cityCategory](answers, 2)
	if !ok || !isCounted || !isPopular || here == nil {
		return site.View{}
	}
	if len(rows) == 0 {
		return site.View{Head: site.Head{Robots: site.NoIndex}}
	}
	title := v.words.Say("%s in %s", v.words.Name(one.Name), v.words.Name(here.Name))
	view := struct {
		page
		pager

		City       place
		Title      string
		Businesses int
		Crumbs     []link
		Showing    string
		Rows       []card
		Others     []cityCategory
		Popular    []summary
	}{
		pager: newPager(number, found, cityPageSize, func(page int) string { return withPage(address, page) }),
		City:  *here, Title: title, Businesses: found, Popular: popular, Others: others(counts, one.Code),
		Crumbs: []link{{Label: v.words.Say("Home"), To: "/"}, {Label: v.words.Name(here.Name), To: "/c/" + here.Slug}, {Label: v.words.Name(one.Name), Here: true}},
	}
	shown := prependPromoted(promoted, rows)
	for _, row := range shown {
		card := v.card(row, all)
		card.IsRow = true
		view.Rows = append(view.Rows, card)
	}
	view.Showing = v.showing(len(shown), found, number, cityPageSize)
	drawn := v.draw("city-category.html", view)
	canonical := v.url(withPage("/c/"+here.Slug+"/"+one.Code, number))
	drawn.Head = site.Head{
		Title: title + " · Plaza", Description: v.describeResults(title, found, number), URL: canonical,
		Data: []any{v.crumbData(view.Crumbs, canonical), v.listData(shown)},
	}
	return drawn
}

// others returns categories other than the one with a code: its siblings, then the
// remaining top categories, as the client does.
func others(counts []cityCategory, code string) []cityCategory {
	family := code
	for _, one := range counts {
		if one.Code == code && one.Parent != "" {
			family = one.Parent
		}
	}
	var siblings, tops []cityCategory
	for _, one := range counts {
		switch {
		case one.Code == code:
		case one.Parent == family:
			siblings = append(siblings, one)
		case one.Parent == "":
			tops = append(tops, one)
		}
	}
	all := slices.Concat(siblings, tops)
	return all[:min(len(all), otherCategories)]
}
