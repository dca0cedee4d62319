package firstview

import (
	"strings"
	"time"

	"plaza/server/site"
)

// place is a city.
type place struct {
	Slug      string `json:"slug"`
	Name      string `json:"name"`
	LocalName string `json:"local_name"`
	Country   string `json:"country"`
	Zone      string `json:"time_zone"`
}

// fact is a labelled fact about a city (CITY-04).
type fact struct{ Label, Value string }

func (v *Views) city(answers []*site.Answer) site.View {
	found, isRead := decodeRows[place](answers, 0)
	if isRead && len(found) == 0 && hasNoRedirect(answers, 4) {
		return notFound
	}
	sums, _ := decodeRows[struct{ Businesses int }](answers, 1)
	counts, ok := decodeRows[cityCategory](answers, 2)
	if !ok || len(found) != 1 || len(sums) != 1 || sums[0].Businesses == 0 || !hasNoRedirect(answers, 4) {
		return site.View{}
	}
	here := found[0]
	view := struct {
		page

		City       place
		Title      string
		Businesses int
		Crumbs     []link
		Filters    []link
		Categories []tileLink
		Best       []card
		Recent     [6]struct{}
		Facts      []fact
		Search     string
	}{
		City: here, Title: v.words.Say("Businesses in %s", v.words.Name(here.Name)), Businesses: sums[0].Businesses, Search: searchPath("find_loc", here.Name),
		Crumbs: []link{{Label: v.words.Say("Home"), To: "/"}, {Label: v.words.Name(here.Name), Here: true}},
		Facts:  []fact{{v.words.Say("Country"), v.words.Name(here.Country)}},
		Filters: []link{
			{Label: v.words.Say("Open now"), To: searchPath("find_loc", here.Name, "open", "1")},
			{Label: v.words.Say("Free today"), To: searchPath("find_loc", here.Name, "on", v.now(here.Zone).Format(time.DateOnly))},
			{Label: v.words.Say("Rated 4.5 or more"), To: searchPath("find_loc", here.Name, "rating", "4.5")},
			{Label: v.words.Say("Lowest prices"), To: searchPath("find_loc", here.Name, "sort", "price")},
		},
	}
	if here.LocalName != here.Name {
		view.Facts = append(view.Facts, fact{v.words.Say("Local name"), here.LocalName})
	}
	view.Facts = append(view.Facts, fact{v.words.Say("Local time"), v.now(here.Zone).Format("15:04")}, fact{v.words.Say("On Plaza"), v.words.Businesses(view.Businesses)})
	all, _ := decodeRows[category](answers, 3)
	best, isBest := decodeRows[summary](answers, 5)
	if !isBest {
		return site.View{}
	}
	for _, one := range best {
		view.Best = append(view.Best, v.card(one, all))
	}
	for _, one := range counts {
		if one.Parent == "" {
			view.Categories = append(view.Categories, tileLink{
				Name: one.Name, To: "/c/" + here.Slug + "/" + one.Code, Tile: v.tileCSS(one.Code, "", 1), Businesses: one.Businesses,
			})
		}
	}
	drawn := v.draw("city.html", view)
	address := v.url("/c/" + here.Slug)
	drawn.Head = site.Head{
		Lang: v.words.Language, Locale: Locales[v.words.Language], Title: view.Title + " · Plaza", Description: v.words.Say("%s on Plaza: %s by category, the top rated and the newest ones, with prices, opening hours and free times.",
			v.words.Name(here.Name), v.words.Businesses(view.Businesses)), URL: address,
		Data: []any{v.crumbData(view.Crumbs, address), v.listData(best)},
	}
	return drawn
}

// ProperCity returns the URL of a city's page that is called by another name of the city:
// '/c/sevilla' is Seville, whose URL is '/c/seville'. ok is false for other pages.
func (v *Views) ProperCity(address string) (proper string, ok bool) {
	rest, isCity := strings.CutPrefix(address, "/c/")
	slug, category, hasCategory := strings.Cut(rest, "/")
	name, isKnown := v.places[slug]
	proper = slugify(name)
	if !isCity || !isKnown || proper == slug {
		return "", false
	}
	proper = "/c/" + proper
	if hasCategory {
		proper += "/" + category
	}
	return proper, true
}
