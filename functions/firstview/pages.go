package firstview

import (
	"cmp"
	"encoding/json"
	"html/template"
	"slices"
	"strings"

	"plaza/functions/words"
	"plaza/server/site"
)

// page has the fields of every view.
type page struct{ IsHome bool }

// tileLink is a link with a tile.
type tileLink struct {
	Name, To   string
	Tile       template.CSS
	Place      string // CSS classes of its position
	Businesses int
}

// The categories of the home page, the most popular first, the CSS classes of their
// positions in the mosaic, and their Spanish names. The client's features/directory has the
// same.
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

func (v *Views) home(answers []*site.Answer) site.View {
	all, ok := decodeRows[category](answers, 0)
	if !ok {
		return site.View{}
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
		TopRated           [4]struct{} // placeholders, as the businesses depend on the visitor's location
	}{page: page{IsHome: true}}
	for i, one := range tops[:min(len(tops), len(mosaic))] {
		view.Categories = append(view.Categories, tileLink{
			Name: v.words.Say(cmp.Or(spanish[one.Code], one.Name)), To: searchPath("category", one.Name), Tile: v.tileCSS(one.Code, "", 1), Place: mosaic[i],
		})
	}
	for _, city := range cities {
		view.Cities = append(view.Cities, tileLink{Name: city.name, To: "/c/" + slugify(city.name), Tile: v.tileCSS(city.tile, "", 0.8)})
	}
	drawn := v.draw("home.html", view)
	drawn.Head = site.Head{
		Lang: v.words.Home, Locale: Locales[v.words.Home], URL: v.SiteURL + words.Path(v.words.Home, "/"), Data: v.siteData(),
		Title:       v.words.Say("Plaza: servicios locales en España y Andorra"),
		Description: v.words.Say("Descubre los mejores servicios cerca de ti y reserva en un minuto con negocios de tu barrio."),
	}
	return drawn
}

// details is the data of a business's page.
type details struct {
	summary

	Address      string        `json:"address"`
	Website      string        `json:"website"`
	Latitude     *float64      `json:"latitude"`
	Longitude    *float64      `json:"longitude"`
	LogoURL      string        `json:"logo"`
	Description  string        `json:"description"`
	Tagline      string        `json:"tagline"`
	City         *place        `json:"city"`
	Services     []service     `json:"services"`
	StoredPhotos []storedPhoto `json:"photos"`

	RatingSources json.RawMessage `json:"rating_sources"`
}

// importSource is the source of ratings that came with an imported file, which does not say where they are from.
const importSource = "CSV-upload"

// sources lists how many reviews are from Plaza and from other guides. It is empty if all
// reviews are from Plaza.
func (d details) sources(w *words.Words) string {
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
			if *one.Source == importSource {
				parts = append(parts, w.Say("%s elsewhere", w.Count(one.Count)))
			} else {
				parts = append(parts, w.Say("%s at %s", w.Count(one.Count), *one.Source))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append([]string{w.Say("%s on Plaza", w.Count(max(0, here)))}, parts...), ", ")
}

// Cheapest returns the service with the lowest price, or nil if there are no services.
func (d details) Cheapest() *service {
	var cheapest *service
	for i, one := range d.Services {
		if cheapest == nil || one.Price < cheapest.Price {
			cheapest = &d.Services[i]
		}
	}
	return cheapest
}

type service struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Price       float64 `json:"price"`
	Duration    int     `json:"duration"`
}

type storedPhoto struct {
	URL     string `json:"photo_url"`
	Caption string `json:"caption"`
}

// popularServices is how many services the page shows at first (BIZ-08).
const popularServices = 4

// photo is a photo of the gallery. Place has the CSS classes of its position.
type photo struct {
	*picture

	Alt, Place string
}

// photos returns at most three photos, the cover first and without duplicates, and the number of all.
func (v *Views) photos(d details) (shown []photo, all int) {
	var list []storedPhoto
	if d.ImageURL != "" {
		cover := storedPhoto{URL: d.ImageURL}
		for _, one := range d.StoredPhotos {
			if one.URL == cover.URL {
				cover.Caption = one.Caption
				break
			}
		}
		list = append(list, cover)
	}
	for _, one := range d.StoredPhotos {
		if one.URL != d.ImageURL {
			list = append(list, one)
		}
	}
	for i, one := range list[:min(3, len(list))] {
		alt := cmp.Or(one.Caption, v.words.Say("%s, photo %d of %d", d.Name, i+1, len(list)))
		shown = append(shown, photo{v.picture(one.URL), alt, galleryPlace(i, min(3, len(list)))})
	}
	return shown, len(list)
}

// galleryPlace returns the CSS classes of a photo's position: one large photo with two small
// ones beside it, or a single photo in the whole gallery.
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

// business returns the Draw of the page of the business at a canonical URL.
func (v *Views) business(address string) site.Draw {
	return func(answers []*site.Answer) site.View { return v.drawBusiness(address, answers) }
}

func (v *Views) drawBusiness(address string, answers []*site.Answer) site.View {
	rows, _ := decodeRows[details](answers, 0)
	all, _ := decodeRows[category](answers, 1)
	if len(rows) != 1 || !hasNoRedirect(answers, 2) {
		return site.View{}
	}
	one := rows[0]
	v.setComputed(&one.summary, all)
	view := struct {
		page
		details

		Crumbs     []link
		Photos     []photo
		ShowPhotos string
		Sources    string   // how many reviews are from where
		Tile       tileLink // shown without photos
		Logo       *picture
		Popular    []service
		More       bool
	}{
		details: one, Logo: v.picture(one.LogoURL),
		Popular: one.Services[:min(popularServices, len(one.Services))], More: len(one.Services) > popularServices,
		Crumbs: []link{{Label: v.words.Say("Search"), To: "/search"}}, Sources: one.sources(v.words),
	}
	above := "/category/" // of the business's category
	if one.City != nil {
		view.Crumbs = append(view.Crumbs, link{Label: v.words.Name(one.City.Name), To: "/c/" + one.City.Slug})
		above = "/c/" + one.City.Slug + "/"
	}
	for _, known := range all {
		if one.Category != nil && known.Code == *one.Category {
			view.Crumbs = append(view.Crumbs, link{Label: v.words.Name(known.Name), To: above + known.Code})
		}
	}
	view.Crumbs = append(view.Crumbs, link{Label: one.Name, Here: true})
	photos, count := v.photos(one)
	view.Photos, view.ShowPhotos = photos, v.words.Say("View all %d photos", count)
	if count == 1 {
		view.ShowPhotos = v.words.Say("View photo")
	}
	if count == 0 {
		view.Tile = tileLink{Tile: v.tileCSS(one.TopCategory, one.ID, 1.6), Place: galleryPlace(0, 1)}
	}
	drawn := v.draw("business.html", view)
	drawn.Data = []any{v.businessData(one, address), v.crumbData(view.Crumbs, address)}
	return drawn
}
