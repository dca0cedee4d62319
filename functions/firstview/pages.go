package firstview

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plaza/server/site"
)

// page is what every view has.
type page struct{ IsHome bool }

// tileLink leads to a category, with its tile.
type tileLink struct {
	Name, To   string
	Tile       template.CSS
	Place      string // classes
	Businesses int
}

// Home's categories, the most asked for first; their places in the mosaic, and what they
// are called in Spanish. The client has the same in features/directory.
var (
	popular = []string{"beautysvc", "restaurants", "health", "auto", "homeservices", "hotelstravel", "active", "pets", "nightlife", "shopping"}
	mosaic  = []string{"sm:row-span-2", "sm:col-span-2", "sm:row-span-2", "", "", "sm:col-span-2", "", "sm:row-span-2", "", "sm:col-span-2"}
	spanish = map[string]string{
		"active": "Deporte", "arts": "Arte y ocio", "auto": "Motor", "beautysvc": "Belleza", "education": "Educación",
		"eventservices": "Eventos", "financialservices": "Finanzas", "food": "Alimentación", "health": "Salud", "homeservices": "Hogar",
		"hotelstravel": "Hoteles", "localservices": "Servicios", "massmedia": "Medios", "nightlife": "Noche", "pets": "Mascotas",
		"professional": "Profesionales", "publicservices": "Administración", "realestate": "Inmobiliaria", "religiousorgs": "Culto",
		"restaurants": "Restaurantes", "shopping": "Compras",
	}
	cities = []struct{ name, tile string }{
		{"Madrid", "publicservices"}, {"Barcelona", "hotelstravel"}, {"Valencia", "food"}, {"Seville", "restaurants"}, {"Bilbao", "auto"}, {"Malaga", "health"},
	}
)

func (v *Views) home(answers []*site.Answer) []byte {
	all, ok := read[category](answers, 0)
	if !ok {
		return nil
	}
	tops := slices.DeleteFunc(all, func(one category) bool { return one.Parent != "" })
	rank := func(one category) int {
		if at := slices.Index(popular, one.Code); at >= 0 {
			return at
		}
		return len(popular)
	}
	slices.SortStableFunc(tops, func(a, b category) int { return cmp.Compare(rank(a), rank(b)) })
	view := struct {
		page

		Categories, Cities []tileLink
		TopRated           [4]struct{} // which, depends on where somebody is
	}{page: page{IsHome: true}}
	for i, one := range tops[:min(len(tops), len(mosaic))] {
		view.Categories = append(view.Categories, tileLink{
			Name: cmp.Or(spanish[one.Code], one.Name), To: searchPath("category", one.Name), Tile: v.cover(one.Code, "", 1), Place: mosaic[i],
		})
	}
	for _, city := range cities {
		view.Cities = append(view.Cities, tileLink{Name: city.name, To: searchPath("find_loc", city.name), Tile: v.cover(city.tile, "", 0.8)})
	}
	return v.draw("home", view)
}

// asked is what a search asks for.
type asked struct {
	What, Where, Category string
	Page                  int
}

func (a asked) at(page int) string {
	number := ""
	if page > 1 {
		number = strconv.Itoa(page)
	}
	return searchPath("find_desc", a.What, "find_loc", a.Where, "category", a.Category, "page", number)
}

// title is the heading of a search (SEARCH-03).
func (a asked) title() string {
	switch {
	case a.What != "" && a.Where != "":
		return a.What + " in " + a.Where
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
	case a.What != "" && category != "":
		return `Results for "` + a.What + `" in ` + category
	case a.What != "":
		return `Results for "` + a.What + `"`
	case category != "":
		return category + " businesses"
	}
	return "All businesses"
}

// search draws results; that nothing was found, or that a page is past the last, the
// client says.
func (v *Views) search(terms asked) site.Draw {
	return func(answers []*site.Answer) []byte {
		all, _ := read[category](answers, 0)
		rows, ok := read[head](answers, 1)
		promoted, _ := read[head](answers, 2)
		found, isCounted := value[int](answers, 3)
		if !ok || !isCounted || len(rows) == 0 {
			return nil
		}
		view := struct {
			page
			asked

			Title, ResultsTitle, Showing string
			Understood, Unknown          string // of the text, where not as it was typed
			Corrected                    string // where that is searched for
			Place                        link
			Ratings, Amenities           []string
			Rows                         []card
			Previous, Next               string
		}{
			asked: terms, Title: terms.title(), Place: link{Label: "All locations", To: "/search"},
			Ratings: []string{"4.0", "4.5"}, Amenities: []string{"Wheelchair Accessible", "Parking", "Pet Friendly"},
		}
		if terms.Where != "" {
			view.Place = link{Label: terms.Where, To: searchPath("find_loc", terms.Where)}
		}
		view.Category = "All Categories"
		name := terms.Category
		for _, one := range all {
			if one.Code == strings.ToLower(name) || strings.EqualFold(one.Name, name) {
				name, view.Category = one.Name, one.Name
				if one.Parent == "" {
					view.Category = "All " + one.Name
				}
				break
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

// folded is a word in lower case, of letters without accents and digits.
func folded(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(word))
}

// details are a business's own page.
type details struct {
	head

	Address     string    `json:"address"`
	LogoURL     string    `json:"logo"`
	Description string    `json:"description"`
	Tagline     string    `json:"tagline"`
	Services    []service `json:"services"`
	Stored      []stored  `json:"photos"`

	RatingSources json.RawMessage `json:"rating_sources"`
}

// Sources names the parts of a number of reviews, those of Plaza and those of other
// guides; it is empty where all are from here.
func (d details) Sources() string {
	var others []json.RawMessage
	if json.Unmarshal(d.RatingSources, &others) != nil {
		return ""
	}
	here := d.Reviews
	var parts []string
	for _, stored := range others {
		var one struct {
			Source *string `json:"source"`
			Count  int     `json:"count"`
		}
		if json.Unmarshal(stored, &one) == nil && one.Source != nil && one.Count > 0 {
			here -= one.Count
			parts = append(parts, count(one.Count)+" at "+*one.Source)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append([]string{count(max(0, here)) + " on Plaza"}, parts...), ", ")
}

type service struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Price       float64 `json:"price"`
	Duration    int     `json:"duration"`
}

type stored struct {
	URL     string `json:"photo_url"`
	Caption string `json:"caption"`
}

// popularServices is how many services stand on the page at first (BIZ-08).
const popularServices = 4

// photo is one of the gallery, with the classes of its place.
type photo struct {
	*picture

	Alt, Place string
}

// photos gives the cover and then the others, none twice, three at most, and how many there are.
func (v *Views) photos(d details) (shown []photo, all int) {
	var list []stored
	if d.ImageURL != "" {
		cover := stored{URL: d.ImageURL}
		for _, one := range d.Stored {
			if one.URL == cover.URL {
				cover.Caption = one.Caption
				break
			}
		}
		list = append(list, cover)
	}
	for _, one := range d.Stored {
		if one.URL != d.ImageURL {
			list = append(list, one)
		}
	}
	for i, one := range list[:min(3, len(list))] {
		alt := cmp.Or(one.Caption, fmt.Sprintf("%s, photo %d of %d", d.Name, i+1, len(list)))
		shown = append(shown, photo{v.picture(one.URL), alt, galleryPlace(i, min(3, len(list)))})
	}
	return shown, len(list)
}

// galleryPlace: one large and two small ones beside it; a single one takes all.
func galleryPlace(index, count int) string {
	switch {
	case count == 1:
		return "col-span-3 row-span-2"
	case index == 0:
		return "col-span-2 row-span-2"
	case count == 2:
		return "row-span-2"
	}
	return ""
}

func (v *Views) business(answers []*site.Answer) []byte {
	rows, _ := read[details](answers, 0)
	all, _ := read[category](answers, 1)
	if len(rows) != 1 || isMoved(answers, 2) {
		return nil
	}
	one := rows[0]
	v.complete(&one.head, all)
	view := struct {
		page
		details

		Crumbs     []link
		Photos     []photo
		ShowPhotos string
		Tile       tileLink // in place of photos
		Logo       *picture
		Popular    []service
		More       bool
	}{
		details: one, Logo: v.picture(one.LogoURL),
		Popular: one.Services[:min(popularServices, len(one.Services))], More: len(one.Services) > popularServices,
		Crumbs: []link{{Label: "Search", To: "/search"}},
	}
	for _, known := range all {
		if one.Category != nil && known.Code == *one.Category {
			view.Crumbs = append(view.Crumbs, link{Label: known.Name, To: "/category/" + known.Code})
		}
	}
	view.Crumbs = append(view.Crumbs, link{Label: one.Name, Here: true})
	photos, count := v.photos(one)
	view.Photos, view.ShowPhotos = photos, fmt.Sprintf("View all %d photos", count)
	if count == 1 {
		view.ShowPhotos = "View photo"
	}
	if count == 0 {
		view.Tile = tileLink{Tile: v.cover(one.TopCategory, one.ID, 1.6), Place: galleryPlace(0, 1)}
	}
	return v.draw("business", view)
}
